import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

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
  expect(await calctl(`diff --exit-code ${ics}`)).toMatchObject({ status: 0 })
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

const fair = event('fair@town', 'SUMMARY:Fira\nDTSTART:soon\nDURATION:PT2H')
const market = event('market@town', 'SUMMARY:Mercat\nDTSTART:20270602T100000\nDTEND:20270602T110000')

test('with -q and --allow-invalid, an event that cannot be read is still named, and nothing else is said', async () => {
  const { calctl, file } = calendarWithFiles()
  const invalid = /^! event 1 "Fira": DTSTART: expected a date such as 20261205T190000, got "soon" \(.*\)\n$/
  for (let time = 0; time < 2; time++)
    expect(await calctl(`apply ${file('town.ics', feed(fair, market))} --yes -q --allow-invalid`)).toMatchObject({
      status: 0,
      err: expect.stringMatching(invalid),
    })
  expect(await calctl(`apply ${file('town.ics', feed(market))} --yes -q`)).toMatchObject({ status: 0, err: '' })
})

test('a feed of which no event can be read is refused, as a sheet is', async () => {
  const { calctl, file } = calendarWithFiles()
  for (const command of ['apply', 'apply --yes', 'apply --yes -q', 'apply --dry-run', 'diff'])
    expect(await calctl(`${command} ${file('town.ics', feed(fair))}`), command).toMatchObject({
      status: 2,
      err: expect.stringContaining('\nerror: 1 record is invalid'),
    })
  expect(await calctl(`apply ${file('town.ics', feed(fair))} --yes --skip-invalid`)).toMatchObject({ status: 6 })
})

test('--errors of a feed says what to do next, and what a row needs to be applied', async () => {
  const { calctl, file, text, path } = calendarWithFiles()
  const ics = file('town.ics', feed(fair, market))
  const next = `fix it in ${path('bad.csv')}, then run: calctl apply ${path('bad.csv')}`
  for (const options of ['--dry-run', '', ''])
    expect((await calctl(`apply ${ics} --yes --errors ${path('bad.csv')} ${options}`)).err).toContain(next)
  expect(text('bad.csv')).toMatch(/,"?in a row of --errors, give start_date and end_date \(PT2H later\)"?\n$/)
  const fixed = text('bad.csv').replace(',soon,,', ',2027-06-01 10:00,2027-06-01 12:00,')
  expect(await calctl(`apply ${file('fixed.csv', fixed)} --yes`)).toMatchObject({ status: 0 })
  expect(
    await calctl(`diff --exit-code ${file('town.ics', feed(fair.replace('soon', '20270601T100000'), market))}`),
  ).toMatchObject({
    status: 0,
  })
})

test('what is said of the events of a feed counts only those that can be read', async () => {
  const { calctl, file } = calendarWithFiles()
  const untitled = 'ATTENDEE:mailto:a@b.example\nSTATUS:TENTATIVE\nnonsense'
  const twice = feed(event('a', untitled), event('b', `${untitled}\nDTSTART:20270602T100000`))
  const { err } = await calctl(`apply ${file('town.ics', twice)} --yes`)
  expect(
    err
      .replaceAll(/^\S+: /gm, '')
      .split('\n')
      .slice(0, 4),
  ).toEqual([
    'skipped properties that have no field: ATTENDEE (1 event)',
    'skipped 1 line that cannot be read: line 14',
    '1 event without SUMMARY: titled "(no title)"',
    '1 event is tentative: published like the others',
  ])
})

test('an event that ends no later on the clock than it begins is named', async () => {
  const { calctl, file } = calendarWithFiles()
  const [hour, half, later] = ['0230/PT1H', '0245/PT30M', '0230/PT2H'].map((time, index) => {
    const [start, duration] = time.split('/')
    return event(`${index}@town`, `SUMMARY:Club\nDTSTART:20271031T${start}00\nDURATION:${duration}`)
  })
  const ics = file('town.ics', feed(`${hour}\n${half}\n${later}`))
  expect((await calctl(`apply ${ics} --yes`)).err).toContain(
    '2 events end no later on the clock than they begin, because clocks go back in between: event 1, 2027-10-31 02:30 to 02:30 and event 2, 2027-10-31 02:45 to 02:15\n',
  )
})
