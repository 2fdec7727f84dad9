import { describe, expect, test } from 'vitest'
import { occurrences } from '../src/files/repeat.ts'

describe('a series as single events', () => {
  test('keeps its wall time when clocks change', () => {
    expect(occurrences('2026-10-18 19:00:00', 'FREQ=WEEKLY;COUNT=3')).toEqual([
      '2026-10-18 19:00:00',
      '2026-10-25 19:00:00',
      '2026-11-01 19:00:00',
    ])
  })

  test('ends with the whole day that UNTIL or --repeat-until names', () => {
    const saturdays = ['2026-12-05 19:00:00', '2026-12-12 19:00:00']
    expect(occurrences('2026-12-05 19:00:00', 'FREQ=WEEKLY;UNTIL=20261212')).toEqual(saturdays)
    expect(occurrences('2026-12-05 19:00:00', 'FREQ=WEEKLY', { until: '2026-12-12' })).toEqual(saturdays)
  })

  test('reads an UNTIL in UTC in the zone of the event', () => {
    const rule = 'FREQ=DAILY;UNTIL=20261206T180000Z'
    expect(occurrences('2026-12-05 19:00:00', rule, { timezone: 'Europe/Madrid' })).toHaveLength(2)
    expect(occurrences('2026-12-05 19:00:00', rule, { timezone: 'America/New_York' })).toHaveLength(1)
  })

  test('leaves days out', () => {
    const except = ['2026-12-25', '2027-01-01']
    expect(occurrences('2026-12-18 19:00:00', 'FREQ=WEEKLY;COUNT=4', { except })).toEqual([
      '2026-12-18 19:00:00',
      '2027-01-08 19:00:00',
    ])
  })

  test('knows months without a 31st and years without a 29 February', () => {
    expect(occurrences('2027-01-31 10:00:00', 'FREQ=MONTHLY;COUNT=3')).toEqual([
      '2027-01-31 10:00:00',
      '2027-03-31 10:00:00',
      '2027-05-31 10:00:00',
    ])
    expect(occurrences('2028-02-29 10:00:00', 'FREQ=YEARLY;COUNT=2')).toEqual([
      '2028-02-29 10:00:00',
      '2032-02-29 10:00:00',
    ])
  })

  test.each([
    ['FREQ=WEEKLY', '"FREQ=WEEKLY" has no end'],
    ['FREQ=SECONDLY;COUNT=20000', '"FREQ=SECONDLY;COUNT=20000" has more than 10000 dates'],
    ['FREQ=WEEKLY;BYDAY=MO;COUNT=2', '"FREQ=WEEKLY;BYDAY=MO;COUNT=2" does not fall on the start, 2026-12-05 19:00:00'],
    ['every week;COUNT=2', 'cannot be followed: RRULE must include FREQ'],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=2', /cannot be followed/],
    ['FREQ=WEEKLY;COUNT=x', /cannot be followed/],
  ])('refuses %s', (rule, message) => {
    expect(() => occurrences('2026-12-05 19:00:00', rule)).toThrow(message)
  })
})
