import { describe, expect, test } from 'vitest'
import { type RepeatOptions, repeatDates } from '../../src/files/icalendar/occurrences.ts'
import { calendar } from '../support/calendar.ts'

const repeatStarts = (start: string, rule: string, options?: RepeatOptions) => repeatDates(start, rule, options).starts

describe('the dates of --repeat', () => {
  test('keep their wall time when clocks change', () => {
    expect(repeatStarts('2026-10-18 19:00:00', 'FREQ=WEEKLY;COUNT=3')).toEqual([
      '2026-10-18 19:00:00',
      '2026-10-25 19:00:00',
      '2026-11-01 19:00:00',
    ])
  })

  test('include the day of UNTIL or --repeat-until', () => {
    const saturdays = ['2026-12-05 19:00:00', '2026-12-12 19:00:00']
    expect(repeatStarts('2026-12-05 19:00:00', 'FREQ=WEEKLY;UNTIL=20261212')).toEqual(saturdays)
    expect(repeatStarts('2026-12-05 19:00:00', 'FREQ=WEEKLY', { until: '2026-12-12' })).toEqual(saturdays)
  })

  test('end at an UNTIL in UTC, converted to the zone of the event', () => {
    const rule = 'FREQ=DAILY;UNTIL=20261206T180000Z'
    expect(repeatStarts('2026-12-05 19:00:00', rule, { timezone: 'Europe/Madrid' })).toHaveLength(2)
    expect(repeatStarts('2026-12-05 19:00:00', rule, { timezone: 'America/New_York' })).toHaveLength(1)
  })

  test('exclude the days of --except', () => {
    const except = ['2026-12-25', '2027-01-01']
    expect(repeatStarts('2026-12-18 19:00:00', 'FREQ=WEEKLY;COUNT=4', { except })).toEqual([
      '2026-12-18 19:00:00',
      '2027-01-08 19:00:00',
    ])
  })

  test('skip months without a 31st and years without a 29 February', () => {
    expect(repeatStarts('2027-01-31 10:00:00', 'FREQ=MONTHLY;COUNT=3')).toEqual([
      '2027-01-31 10:00:00',
      '2027-03-31 10:00:00',
      '2027-05-31 10:00:00',
    ])
    expect(repeatStarts('2028-02-29 10:00:00', 'FREQ=YEARLY;COUNT=2')).toEqual([
      '2028-02-29 10:00:00',
      '2032-02-29 10:00:00',
    ])
  })

  test('must include at least one day that is not left out', () => {
    expect(() =>
      repeatStarts('2026-12-05 19:00:00', 'FREQ=WEEKLY;COUNT=2', { except: ['2026-12-05', '2026-12-12'] }),
    ).toThrow('no date of the series is left')
  })

  test('cannot end before they start', () => {
    expect(() => repeatStarts('2026-12-05 19:00:00', 'FREQ=WEEKLY', { until: '2026-12-04' })).toThrow(
      '2026-12-04 is before the start, 2026-12-05 19:00:00',
    )
  })

  test.each([
    ['2027-03-26 02:15:00', 0, '2027-03-28 02:15 does not exist in Europe/Madrid because clocks change', '2027-03-28'],
    ['2027-10-29 02:30:00', 0, '2027-10-31 02:30 occurs twice in Europe/Madrid because clocks change', '2027-10-31'],
    [
      '2027-03-26 01:30:00',
      3_600_000,
      '2027-03-28 02:30 does not exist in Europe/Madrid because clocks change',
      '2027-03-28',
    ],
  ])('are refused at an hour that clocks skip or repeat: %s', (start, length, message, day) => {
    const options = { timezone: 'Europe/Madrid', length }
    expect(() => repeatStarts(start, 'FREQ=DAILY;COUNT=5', options)).toThrow(
      expect.objectContaining({ message, details: { hint: `leave it out with: --except ${day}` } }),
    )
    expect(repeatStarts(start, 'FREQ=DAILY;COUNT=5', { ...options, except: [day] })).toHaveLength(4)
  })

  test.each([
    ['FREQ=WEEKLY', '"FREQ=WEEKLY" has no end'],
    [
      'FREQ=WEEKLY;BYDAY=MO;COUNT=2',
      'the rule "FREQ=WEEKLY;BYDAY=MO;COUNT=2" does not match the start, 2026-12-05 19:00:00',
    ],
  ])('refuses %s', (rule, message) => {
    expect(() => repeatStarts('2026-12-05 19:00:00', rule)).toThrow(message)
  })

  test.each([
    ['FREQ=SECONDLY;COUNT=20000', 'a rule of at most 10000 dates'],
    ['FREQ=YEARLY;COUNT=9000', 'a rule that ends before the year 10000'],
    ['weekly', 'a rule such as FREQ=WEEKLY;COUNT=10'],
    ['every week;COUNT=2', 'a rule such as FREQ=WEEKLY;COUNT=10'],
    ['FREQ=WEEKLY;BYDAY=XX;COUNT=2', 'BYDAY to be weekdays such as MO or -1SU'],
    ['FREQ=YEARLY;BYEASTER=0;COUNT=2', 'a rule without BYEASTER, which is not part of RFC 5545'],
    ['FREQ=YEARLY;BYMONTHDAY=5;COUNT=2', 'BYMONTH next to BYMONTHDAY, as programs disagree about the months'],
    ['FREQ=WEEKLY;BYDAY=1SA;COUNT=2', 'BYDAY without numbers in a rule that is WEEKLY'],
    ['FREQ=SOMETIMES;COUNT=3', 'FREQ to be one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2', 'a rule that matches a date'],
    ['FREQ=WEEKLY;COUNT=x', 'COUNT to be 1 or more'],
    ['FREQ=WEEKLY;COUNT=-1', 'COUNT to be 1 or more'],
    ['FREQ=WEEKLY;INTERVAL=0;COUNT=2', 'INTERVAL to be 1 or more'],
    ['FREQ=WEEKLY;UNTIL=20270230', 'UNTIL to be a date such as 20271231'],
  ])('refuses %s: expected %s', (rule, expected) => {
    expect(() => repeatStarts('2026-12-05 19:00:00', rule)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: `--repeat: expected ${expected}, got "${rule}"`,
        details: { hint: 'for example: FREQ=WEEKLY;COUNT=10 or FREQ=MONTHLY;BYDAY=1SA;UNTIL=20271231' },
      }),
    )
  })
})

const night = '--title Nit --start-date "2027-03-26 02:15" --end-date "2027-03-26 02:45" --timezone Europe/Madrid'

test.each([
  [
    '--repeat FREQ=DAILY;COUNT=4',
    '2027-03-28 02:15 does not exist in Europe/Madrid because clocks change',
    'leave it out with: --except 2027-03-28',
  ],
  [
    '--repeat FREQ=WEEKLY --repeat-until 2027-03-25',
    '2027-03-25 is before the start, 2027-03-26 02:15:00',
    'give the last day of the series, or end the rule with COUNT',
  ],
  [
    '--repeat FREQ=WEEKLY;COUNT=-1',
    '--repeat: expected COUNT to be 1 or more, got "FREQ=WEEKLY;COUNT=-1"',
    'for example: FREQ=WEEKLY;COUNT=10 or FREQ=MONTHLY;BYDAY=1SA;UNTIL=20271231',
  ],
])('%s is refused before anything is sent', async (options, error, hint) => {
  const calctl = calendar()
  expect(await calctl(`events create ${night} ${options} --yes`)).toEqual({
    status: 2,
    out: '',
    err: `error: ${error}\nhint: ${hint}\n`,
  })
  expect((await calctl('events list --all-dates -o count')).out).toBe('0\n')
})

test('--except for the day on which clocks change creates the series', async () => {
  const calctl = calendar()
  expect(await calctl(`events create ${night} --repeat FREQ=DAILY;COUNT=4 --except 2027-03-28 --yes`)).toMatchObject({
    status: 0,
  })
  expect((await calctl('events list --all-dates --fields start_date -o csv')).out).toBe(
    'start_date\n2027-03-26 02:15:00\n2027-03-27 02:15:00\n2027-03-29 02:15:00\n',
  )
})

test('an end in an hour that clocks skip is refused too', async () => {
  const evening = night.replace('02:15', '01:30')
  expect(await calendar()(`events create ${evening} --repeat FREQ=DAILY;COUNT=4 --yes`)).toEqual({
    status: 2,
    out: '',
    err:
      'error: 2027-03-28 02:45 does not exist in Europe/Madrid because clocks change\n' +
      'hint: leave it out with: --except 2027-03-28\n',
  })
})

test('a day on which a series has no date is said, and refuses nothing', async () => {
  const calctl = calendar({ language: 'ca' })
  const line = 'events create --title Taller --start-date 2026-12-01T19:00 --duration 1h --dry-run --ui ca'
  const { status, out } = await calctl(
    `${line} --repeat "cada dimarts" --repeat-until 2027-01-31 --except "festius i Nadal"`,
  )
  expect({ status, out }).toEqual({
    status: 0,
    out: expect.stringContaining('no cal ometre res aquests dies, perquè la sèrie no hi té cap data: dv. 25 des.'),
  })
})

test.each([
  ['vacances de Nadal', 'ca', 'per exemple: cada dimarts excepte del 22 de desembre al 7 de gener'],
  ['Setmana Santa', 'ca', 'excepte del 22 de desembre al 7 de gener'],
  ['vacaciones de Navidad', 'es', 'excepto del 22 de diciembre al 7 de enero'],
])('%s, which is no day, is refused with days that are written out', async (days, ui, hint) => {
  const calctl = calendar({ language: 'ca' })
  const line = `events create --title T --start-date 2026-12-01T19:00 --duration 1h --dry-run --ui ${ui}`
  const word = ui === 'ca' ? 'cada dimarts fins al 2027-01-31 excepte' : 'cada martes hasta el 2027-01-31 excepto'
  const { status, err } = await calctl(`${line} --repeat "${word} ${days}"`)
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(hint) })
  const asOption = await calctl(`${line} --repeat "${word.replace(/ except.*/, '')}" --except "${days}"`)
  expect(asOption.err).toMatch(/: del 22 de (?:desembre al 7 de gener|diciembre al 7 de enero)\n/)
})

test.each(['--repeat-until "30 de juny de 2026"', ''])(
  'a last day in the past is before the first (%s)',
  async until => {
    const calctl = calendar({ language: 'ca' })
    const repeat = until === '' ? 'cada dimarts fins al 30 de juny de 2026' : 'cada dimarts'
    const line = `events create --title T --start-date 2026-12-01T19:00 --duration 1h --repeat "${repeat}" ${until} --ui ca`
    expect((await calctl(line)).err).toContain('error: 2026-06-30 és anterior a l’inici, 2026-12-01 19:00:00')
  },
)
