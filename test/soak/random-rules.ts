import fc from 'fast-check'

/** A rule without COUNT and UNTIL, its start, and the day up to which it is read. */
export interface RandomRule {
  readonly start: string
  readonly rule: string
  readonly until: string
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

const list = (values: fc.Arbitrary<number | string>, maxLength = 3): fc.Arbitrary<string> =>
  fc.uniqueArray(values, { minLength: 1, maxLength }).map(items => items.join(','))

const signed = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 1, max: most }).chain(size => fc.constantFrom(size, -size))

const ordinalWeekday = (most: number) =>
  fc
    .tuple(fc.constantFrom('', ...Array.from({ length: most }, (_, n) => [n + 1, -n - 1]).flat()), anyWeekday)
    .map(([ordinal, weekday]) => `${ordinal}${weekday}`)

const anyWeekday = fc.constantFrom(...weekdays)

/** How many days a rule of each frequency is read for, so that each has some dates. */
const extents = { YEARLY: 2200, MONTHLY: 700, WEEKLY: 300, DAILY: 120, HOURLY: 10, MINUTELY: 1, SECONDLY: 0 }

type Frequency = keyof typeof extents

/** What keeps rules from having thousands of dates. */
const bounds: Record<Frequency, readonly string[]> = {
  ...{ YEARLY: [], MONTHLY: [], WEEKLY: [], DAILY: [], HOURLY: [] },
  ...{ MINUTELY: ['BYHOUR'], SECONDLY: ['BYHOUR', 'BYMINUTE'] },
}

/** The parts that RFC 5545, 3.3.10, allows a frequency to have. */
function partsOf(frequency: Frequency): Record<string, fc.Arbitrary<string>> {
  const isYear = frequency === 'YEARLY'
  const isLong = isYear || frequency === 'MONTHLY'
  return {
    BYMONTH: list(fc.integer({ min: 1, max: 12 }), 5),
    ...(isYear && { BYWEEKNO: list(signed(53)) }),
    ...(!['DAILY', 'WEEKLY', 'MONTHLY'].includes(frequency) && { BYYEARDAY: list(signed(366), 20) }),
    ...(frequency !== 'WEEKLY' && { BYMONTHDAY: list(signed(31), 6) }),
    BYDAY: isLong ? list(ordinalWeekday(isYear ? 9 : 5)) : list(anyWeekday),
    BYHOUR: list(fc.integer({ min: 0, max: 23 })),
    BYMINUTE: list(fc.integer({ min: 0, max: 59 })),
    BYSECOND: list(fc.integer({ min: 0, max: 59 })),
  }
}

const randomRule: fc.Arbitrary<RandomRule> = fc
  .constantFrom(...(Object.keys(extents) as Frequency[]))
  .chain(frequency => {
    const parts = partsOf(frequency)
    return fc.record({
      frequency: fc.constant(frequency),
      day: fc.integer({ min: 0, max: 3000 }),
      time: fc.constantFrom('00:00:00', '19:30:00', '23:59:59', '09:05:10'),
      interval: fc.constantFrom(1, 1, 1, 2, 3),
      weekStart: fc.constantFrom('', '', ...weekdays),
      names: fc.subarray(Object.keys(parts), { maxLength: 4 }),
      parts: fc.record(parts),
      position: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: list(signed(6), 2) }),
    })
  })
  .map(({ frequency, day, time, interval, weekStart, names, parts, position }) => {
    const first = Date.UTC(2020, 0, 1) + day * 86_400_000
    const values: Record<string, string> = parts
    const rule = [
      `FREQ=${frequency}`,
      ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
      ...(weekStart === '' ? [] : [`WKST=${weekStart}`]),
      ...Array.from(new Set([...names, ...bounds[frequency]]), name => `${name}=${values[name]}`),
      ...(position !== '' && names.length > 0 ? [`BYSETPOS=${position}`] : []),
    ]
    const until = first + extents[frequency] * 86_400_000
    return { start: `${dayOf(first)} ${time}`, rule: rule.join(';'), until: dayOf(until) }
  })

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The same rules for the same seed. */
export const randomRules = (count: number, seed: number): RandomRule[] =>
  fc.sample(randomRule, { numRuns: count, seed })
