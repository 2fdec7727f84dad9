import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const create = (dates: string) => `events create --title A ${dates} --json --yes`

test.each([
  ['--start-date 5/12', ['2026-12-05 00:00:00', '2026-12-05 23:59:59', true]],
  ['--start-date 5/12 --duration 2d', ['2026-12-05 00:00:00', '2026-12-06 23:59:59', true]],
  ['--start-date 5/12 --end-date 7/12', ['2026-12-05 00:00:00', '2026-12-07 23:59:59', true]],
])(
  'a new event without an hour lasts all day, and this is said: %s',
  async (dates, [start_date, end_date, all_day]) => {
    const { out, err } = await calendarWithFiles().calctl(create(dates))
    expect(JSON.parse(out)).toMatchObject({ start_date, end_date, all_day })
    expect(err).toContain('has no hour: the event lasts all day')
  },
)

test.each(['--end-date 21:00', '--duration 2h'])('%s needs a start with an hour', async end => {
  const { status, err } = await calendarWithFiles().calctl(create(`--start-date 5/12 ${end}`))
  expect([status, err]).toEqual([2, expect.stringContaining('add the hour, for example: 2026-12-05 19:00')])
})

test('a sheet with an end hour alone is refused', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('a.csv', 'Títol;Data;Hora;Hora fi\nX;2026-12-05;;21:00\n')
  expect(await calctl(['apply', sheet, '--dry-run'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('expected an hour in the same row, as the end has one'),
  })
})

test('a day alone keeps the hours of an event in an update, a move and a copy', async () => {
  const { calctl } = calendarWithFiles()
  await calctl(create('--start-date "2026-12-05 19:00" --end-date 21:30'))
  for (const line of [
    'events update 1 --start-date 2026-12-12 --end-date 2026-12-12',
    'events move 1 2026-12-12',
    'events duplicate 1 --to 2026-12-12',
  ])
    expect(JSON.parse((await calctl(`${line} --json --yes`)).out)).toMatchObject({
      start_date: '2026-12-12 19:00:00',
      end_date: '2026-12-12 21:30:00',
    })
})

test('an hour that occurs twice is asked about in the words of --to, and the end follows from the length', async () => {
  const { calctl } = calendarWithFiles()
  await calctl(create('--start-date "2027-10-24 02:30" --end-date 04:30'))
  for (const verb of ['duplicate', 'postpone'])
    expect(await calctl(`events ${verb} 1 --to 2027-10-31 --yes`)).toMatchObject({
      status: 2,
      err: expect.stringContaining('--to: 2027-10-31 02:30 occurs twice'),
    })
  const { out } = await calctl('events duplicate 1 --to 2027-10-31T02:30+02:00 --json --yes')
  expect(JSON.parse(out)).toMatchObject({ start_date: '2027-10-31 02:30:00', end_date: '2027-10-31 04:30:00' })
})

test('a start with an offset and without an end ends when it starts, in the zone of the event', async () => {
  const { calctl, file } = calendarWithFiles()
  const sheet = file('b.csv', 'Títol;Inici;Fi\nX;2027-12-20T10:00:00+11:00;\n')
  expect(await calctl(['apply', sheet, '--yes'])).toMatchObject({ status: 0 })
  expect(JSON.parse((await calctl('events get 1 --json')).out)).toMatchObject({
    start_date: '2027-12-20 00:00:00',
    end_date: '2027-12-20 00:00:00',
  })
})
