import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const feed = (...events: string[]) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Town//Feed//EN\n${events.join('\n')}\nEND:VCALENDAR\n`

const event = (uid: string, lines: string) => `BEGIN:VEVENT\nUID:${uid}\n${lines}\nEND:VEVENT`

const fair = event('fair@town', 'SUMMARY:Fira\nDTSTART:soon\nDURATION:PT2H')
const market = event('market@town', 'SUMMARY:Mercat\nDTSTART:20270602T100000\nDTEND:20270602T110000')

test('with -q and --allow-invalid, an event that cannot be read is still named, and nothing else is said', async () => {
  const { calctl, file } = calendarWithFiles()
  const invalid = /^! event 1 "Fira": DTSTART: expected a date such as 20261205T190000, got "soon"\n$/
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
