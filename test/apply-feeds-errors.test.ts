import { expect, test } from 'vitest'
import { calendarWithFiles } from './calendar-with-files.ts'

const feed = (...events: string[]) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Town//Feed//EN\n${events.join('\n')}\nEND:VCALENDAR\n`

const event = (uid: string, lines: string) => `BEGIN:VEVENT\nUID:${uid}\n${lines}\nEND:VEVENT`

const backwards = event(
  'fair@town',
  `SUMMARY:Fira
DESCRIPTION:Parades\\, i més
LOCATION:Plaça Major\\nCarrer Gran 1
CATEGORIES:Mercats,Festes
DTSTART;TZID=Europe/Madrid:20270601T100000
DTEND;TZID=Europe/Madrid:20270601T090000`,
)

const list = 'events list --all-dates --fields title,slug,start_date,end_date,venue.venue,categories.name -o csv'

test('--errors has the valid values of an event, and creates the event once fixed', async () => {
  const { calctl, file, text, path } = calendarWithFiles()
  const ics = file('town.ics', feed(backwards))
  await calctl(`apply ${ics} --yes --skip-invalid --errors ${path('errors.csv')}`)
  expect(text('errors.csv')).toContain('fair-town-0f082e5991,Fira,"Parades, i més",')
  file('mended.csv', text('errors.csv').replace('2027-06-01 09:00:00', '2027-06-01 12:00:00'))
  expect(await calctl(`apply ${path('mended.csv')} --create-missing --yes --jobs 1`)).toMatchObject({ status: 0 })
  expect((await calctl(list)).out).toBe(
    `title,slug,start_date,end_date,venue.venue,categories.name
Fira,fair-town-0f082e5991,2027-06-01 10:00:00,2027-06-01 12:00:00,Plaça Major,"Festes, Mercats"
`,
  )
  file('town.ics', feed(backwards.replace('T090000', 'T120000')))
  expect(await calctl(`diff ${ics}`)).toMatchObject({ status: 0 })
})

test.each([
  ['DTSTART:soon\nDTEND:20270601T090000', 'soon,2027-06-01 09:00:00'],
  ['DTSTART:20270601T100000\nDTEND:late', '2027-06-01 10:00:00,late'],
  ['DTEND:20270601T090000', ',2027-06-01 09:00:00'],
  ['DTSTART:20270601T100000\nDURATION:PT2H\nRRULE:FREQ=FORTNIGHTLY', '2027-06-01 10:00:00,2027-06-01 12:00:00'],
])('--errors has the dates that are valid: %s', async (lines, expected) => {
  const { calctl, file, text, path } = calendarWithFiles()
  const ics = file('town.ics', feed(event('fair@town', `SUMMARY:Fira\n${lines}`)))
  await calctl(`apply ${ics} --yes --skip-invalid --errors ${path('errors.csv')}`)
  const [headings = '', row = ''] = text('errors.csv').split('\n')
  const cells = row.split(',')
  const cell = (name: string) => cells[headings.split(',').indexOf(name)]
  expect(`${cell('start_date')},${cell('end_date')}`).toBe(expected)
})

test('an invalid change is a row of the date that it changes', async () => {
  const { calctl, file, text, path } = calendarWithFiles()
  const series = event('choir@town', 'SUMMARY:Coral\nDTSTART:20270601T200000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2')
  const change = event(
    'choir@town',
    'RECURRENCE-ID:20270602T200000\nSUMMARY:Assaig\nDTSTART:20270602T210000\nDTEND:20270602T200000',
  )
  const ics = file('town.ics', feed(series, change))
  await calctl(`apply ${ics} --yes --skip-invalid --errors ${path('errors.csv')}`)
  expect(text('errors.csv')).toMatch(/^slug,title,.*\nchoir-town-c5ac198db2-20270602,Assaig,/)
})

test('of two events with one UID the second is a row that leaves the first alone', async () => {
  const { calctl, file, text, path } = calendarWithFiles()
  const fair = event('one@town', 'SUMMARY:Fira\nDTSTART:20270601T100000\nDTEND:20270601T110000')
  const market = event('one@town', 'SUMMARY:Mercat\nDTSTART:20270602T100000\nDTEND:20270602T110000')
  const ics = file('town.ics', feed(fair, market))
  await calctl(`apply ${ics} --yes --skip-invalid --errors ${path('errors.csv')}`)
  expect(text('errors.csv')).toMatch(/^title,/)
  expect(await calctl(`apply ${path('errors.csv')} --yes`)).toMatchObject({ status: 0 })
  expect((await calctl('events list --all-dates --fields title,start_date -o csv')).out).toBe(
    'title,start_date\nFira,2027-06-01 10:00:00\nMercat,2027-06-02 10:00:00\n',
  )
})
