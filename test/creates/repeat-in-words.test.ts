import { expect, test } from 'vitest'
import { shortDate } from '../../src/files/print/record-names.ts'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const workshop = '--title Taller --start-date "2026-12-01 18:00" --end-date 20:00'
const starts = async (calctl: ReturnType<typeof calendarWithFiles>['calctl']) =>
  (await calctl('events list --all-dates --fields start_date -o csv')).out.trim().split('\n').slice(1)

test('a series is created from words, and what it has is said before', async () => {
  const { calctl } = calendarWithFiles()
  const said = await calctl(
    `events create ${workshop} --repeat "cada dimarts" --repeat-until "19 de gener" --except "del 22 de desembre al 7 de gener" --yes`,
  )
  expect(said).toMatchObject({
    status: 0,
    err: expect.stringContaining(
      '5 dates, from Tue 1 Dec 2026 to Tue 19 Jan 2027\nleft out: Tue 22 Dec, Tue 29 Dec and Tue 5 Jan 2027\npublic holidays in Catalonia: Tue 8 Dec\n',
    ),
  })
  expect(await starts(calctl)).toEqual(
    ['2026-12-01', '2026-12-08', '2026-12-15', '2027-01-12', '2027-01-19'].map(day => `${day} 18:00:00`),
  )
})

test('--repeat alone says the whole series', async () => {
  const { calctl } = calendarWithFiles()
  expect(
    await calctl(`events create ${workshop} --repeat "cada dimarts fins al 22/12 excepte festius" --yes`),
  ).toMatchObject({ status: 0, err: expect.stringContaining('left out: Tue 8 Dec\n') })
  expect(await starts(calctl)).toHaveLength(3)
})

test.each([
  ['Europe/Madrid', 'Catalonia', ['11-01', '12-06', '12-08', '12-25', '12-26']],
  ['Atlantic/Canary', 'Spain', ['11-01', '12-06', '12-08', '12-25']],
  ['Europe/Andorra', 'Andorra', ['11-01', '12-08', '12-25', '12-26']],
  ['Europe/Paris', 'France', ['11-01', '11-11', '12-25']],
])('holidays are those of the region of the calendar: %s', async (zone, region, days) => {
  const { calctl } = calendarWithFiles()
  const daily = `events create --title Taller --start-date "2026-10-31 18:00" --duration 1h --timezone ${zone} --yes --repeat`
  const said = await calctl(`${daily} "cada dia fins al 31/12"`)
  expect(said.err).toContain(
    `public holidays in ${region}: ${days
      .map(day => shortDate(`2026-${day}`, '2026'))
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' and ')}`,
  )
  const without = await calctl(`${daily} "cada dia fins al 31/12 excepte festius"`)
  expect(without.err).toContain(`left out: ${shortDate(`2026-${days[0]}`, '2026')}`)
})

test('holidays are refused where they are not known, with what to write', async () => {
  const { calctl } = calendarWithFiles()
  const line =
    'events create --title Taller --start-date "2026-12-01 18:00" --duration 1h --timezone America/Lima --yes'
  expect(await calctl(`${line} --repeat "cada dia fins al 31/12 excepte festius"`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('the public holidays where the time zone is America/Lima are not known'),
  })
  expect(await calctl(`${line} --repeat "cada dia fins al 31/12" --except "25 December"`)).toMatchObject({
    status: 0,
  })
})

test('there is an event on each holiday besides', async () => {
  const { calctl } = calendarWithFiles()
  const line = `events create ${workshop} --repeat "dimarts i festius fins al 26/12" --yes`
  expect(await calctl(line)).toMatchObject({ status: 0 })
  expect((await starts(calctl)).map(start => start.slice(5, 10))).toEqual([
    '12-01',
    '12-06',
    '12-08',
    '12-15',
    '12-22',
    '12-25',
    '12-26',
  ])
})

test('an RRULE takes exceptions in words', async () => {
  const { calctl } = calendarWithFiles()
  const line = `events create ${workshop} --repeat FREQ=WEEKLY;COUNT=3 --except holidays --yes`
  expect(await calctl(line)).toMatchObject({ status: 0 })
  expect(await starts(calctl)).toEqual(['2026-12-01 18:00:00', '2026-12-15 18:00:00'])
})

test.each([
  [
    '--repeat "every so often"',
    '--repeat: expected a repetition, such as "every Tuesday until 30 June", got "every so often"',
    'for example: every Tuesday',
  ],
  ['--repeat "every Tuesday"', '"every Tuesday" has no end', 'add the last day: --repeat-until 2027-06-30'],
  [
    '--repeat "every Tuesday until June"',
    '--repeat: "every Tuesday until June" can be read as every Tuesday until 2027-06-30 or every Tuesday until 2027-05-31',
    'write what is meant: every Tuesday until 2027-06-30 or every Tuesday until 2027-05-31',
  ],
  [
    '--repeat "every Tuesday" --repeat-until June',
    '--repeat-until: "June" can be read as 2027-06-30 or 2027-05-31',
    'write what is meant: 2027-06-30 or 2027-05-31',
  ],
  [
    '--repeat "every Thursday" --repeat-until "1 March"',
    'the rule "FREQ=WEEKLY;BYDAY=TH" does not match the start, 2026-12-01 18:00:00',
    'its first date is 2026-12-03 18:00:00',
  ],
  [
    '--repeat "every Tuesday until 15 December" --except "from 1 to 20 December"',
    'no date of the series is left',
    'keep at least one date',
  ],
  [
    '--repeat "every Tuesday until 15 December" --except Tuesdays',
    '--except: expected exceptions that leave at least one date, got "Tuesdays"',
    'for example: from 22 December to 7 January',
  ],
  [
    '--repeat "every Tuesday in December of each year until 2028-12-31" --except December',
    '--except: expected exceptions that leave at least one date, got "December"',
    'for example: from 22 December to 7 January',
  ],
  [
    '--repeat "every Tuesday until 15 December except December"',
    '"every Tuesday until 15 December except December" has no date',
    'keep at least one date',
  ],
  [
    '--repeat "every Tuesday until 15 December" --except "from 1 December to 7 January"',
    'no date of the series is left',
    'keep at least one date',
  ],
  [
    '--repeat "every Tuesday until 15 December" --except sometimes',
    '--except: expected days to leave out, such as 24 and 31 December, August or holidays, got "sometimes"',
    'for example: from 22 December to 7 January',
  ],
  [
    '--repeat "every Tuesday" --repeat-until "30 June except holidays"',
    '--repeat-until: expected a day, such as 30 June 2027, got "30 June except holidays"',
    'for example: 2027-06-30',
  ],
])('%s is refused before anything is sent', async (options, error, hint) => {
  const { calctl } = calendarWithFiles()
  expect(await calctl(`events create ${workshop} ${options} --yes`)).toEqual({
    status: 2,
    out: '',
    err: `error: ${error}\nhint: ${hint}\n`,
  })
  expect(await starts(calctl)).toEqual([])
})

test.each(['30 June', 'until 30 June, 2027', 'before 1 July', 'fins al 30 de juny', 'through June'])(
  'the last day of a series can be written as %s',
  async text => {
    const { calctl } = calendarWithFiles()
    const line = `events create ${workshop} --repeat "every Tuesday"`
    expect(await calctl(`${line} --repeat-until "${text}" --yes`)).toMatchObject({
      status: 0,
      err: expect.stringContaining('31 dates, from Tue 1 Dec 2026 to Tue 29 Jun 2027'),
    })
  },
)

test('at a terminal, a doubtful series is asked about, and one without end for its last day', async () => {
  const line = `events create ${workshop} --repeat`
  const doubtful = calendarWithFiles({ terminal: 200, keys: ['\r', 'y\r'] })
  expect(await doubtful.calctl(`${line} "every Tuesday until June"`)).toMatchObject({
    status: 0,
    err: expect.stringContaining('31 dates, from Tue 1 Dec 2026 to Tue 29 Jun 2027'),
  })
  const endless = calendarWithFiles({ terminal: 200, keys: ['22 December\r', 'y\r'] })
  expect(await endless.calctl(`${line} "every Tuesday"`)).toMatchObject({ status: 0 })
  expect(await starts(endless.calctl)).toHaveLength(4)
})

test.each([
  ['2028-02-29', 'cada any fins al 2033-12-31', ['2028-02-29', '2032-02-29'], '29'],
  ['2027-01-31', 'every month until 2027-05-31', ['2027-01-31', '2027-03-31', '2027-05-31'], '31'],
  ['2028-02-29', 'FREQ=MONTHLY;COUNT=2', ['2028-02-29', '2028-03-29'], '29'],
  ['2027-01-31', 'el último día del mes hasta el 2027-02-28', ['2027-01-31', '2027-02-28'], undefined],
  ['2027-04-30', 'every year until 2028-12-31', ['2027-04-30', '2028-04-30'], undefined],
])(
  'from %s on, %s says which months are left out because they have no such day',
  async (day, repeat, days, missing) => {
    const { calctl } = calendarWithFiles()
    const line = ['events', 'create', '--title', 'T', '--start-date', `${day} 18:00`, '--duration', '1h', '--yes']
    const { status, err } = await calctl([...line, '--repeat', repeat])
    expect([status, /months without a day (\d+)/.exec(err)?.[1]]).toEqual([0, missing])
    expect((await starts(calctl)).map(start => start.slice(0, 10))).toEqual(days)
  },
)

test('a thousand days are a series, which is said before; tens of thousands are refused', async () => {
  const { calctl } = calendarWithFiles()
  const line = 'events create --title T --start-date "2027-01-12 18:00" --duration 1h --dry-run --repeat'
  expect(await calctl(`${line} "every day until 2029-10-07"`)).toMatchObject({
    status: 0,
    out: expect.stringContaining('1000 dates, from Tue 12 Jan 2027 to Sun 7 Oct 2029'),
  })
  expect(await calctl(`${line} "every day until 2127-10-07"`)).toMatchObject({
    status: 2,
    err: expect.stringContaining('at most 10000 dates'),
  })
})

test.each([
  ['2027-03-21 02:30', '2027-03-28'],
  ['2027-03-21 01:30', '2027-03-28'],
  ['2027-10-24 02:30', '2027-10-31'],
])(
  'a series from %s whose hour does not exist once, or exists twice, names the day to leave out',
  async (start, day) => {
    const { calctl } = calendarWithFiles()
    const line = ['events', 'create', '--title', 'T', '--start-date', start, '--duration', '1h', '--yes']
    const weekly = [...line, '--repeat', 'FREQ=WEEKLY;COUNT=3']
    expect(await calctl(weekly)).toMatchObject({ status: 2, err: expect.stringContaining(`--except ${day}`) })
    expect(await calctl([...weekly, '--except', day])).toMatchObject({ status: 0 })
  },
)
