/**
 * Expands recurrence rules (RFC 5545, 3.3.10) into wall times. Used by feeds (RRULE) and by `create --repeat`.
 *
 * Why rrule-temporal, although ical.js, which parses the feeds, has an iterator of its own: of the 146 rules in libical's
 * icalrecur_test.txt, each read in a feed, rrule-temporal 2.2.7 gives the expected dates for 137, ical.js 2.2.1 for 83. ical.js
 * ignores BYWEEKNO and most BYSETPOS, and never returns from FREQ=DAILY;BYMONTHDAY=-1,-2. It is faster for plain weekly and
 * daily rules (11 to 12 against 70 to 147 µs a date) and slower for BYDAY=1SA (216 against 77) and BYSETPOS (2,543 against 28).
 * A weekly series costs 8 ms a year; wrong dates cost more. test/files-rrule.test.ts repeats the comparison.
 */

import { RRuleTemporal } from 'rrule-temporal'
import { readDate, wallMs } from '../../time/dates.ts'
import { fromUtc } from '../../time/zone.ts'

/** A rule that cannot be expanded. The message completes "expected …" with what was expected instead. */
export class InvalidRule extends Error {
  constructor(
    readonly expected: string,
    readonly rule: string,
  ) {
    super(`expected ${expected}, got "${rule}"`)
  }
}

/** No real calendar has a longer series; more is a mistake, such as SECONDLY for WEEKLY. */
const maxDates = 10_000
const fewerDates = `a rule of at most ${maxDates} dates`

export interface ExpandOptions {
  /** The last wall time at which an occurrence may start; a day without a time includes the whole day. */
  readonly until?: string
  /** Leaves out the dates of an endless rule before this day. */
  readonly from?: string
  /** The zone of the wall times, needed for an UNTIL in UTC. */
  readonly timezone?: string
  /** Whether the start is a day without a time. */
  readonly isAllDay?: boolean
}

export interface Expansion {
  /** Wall times, in order. */
  readonly starts: readonly string[]
  /** Whether the rule has dates after `until`. */
  readonly hasMore: boolean
  /** The number of dates after `until`, of a rule with COUNT. */
  readonly remaining?: number
  /** The number of dates before `from`; undefined if there are too many to count. */
  readonly skipped?: number
}

/**
 * The wall times of a recurrence rule from a start on. They stay the same when clocks change. Throws `InvalidRule`.
 */
export function expandRule(start: string, rule: string, options: ExpandOptions): Expansion {
  const { until, timezone, from, isAllDay = false } = options
  const parts = parseRule(rule)
  const createSeries = () => seriesOf(start, ruleText(rule, timezone, isAllDay))
  if (until !== undefined && from !== undefined && start < from && isEndless(rule))
    return expandWindow(createSeries, rule, { start, from, until })

  const last = until === undefined ? undefined : endOfDay(until)
  const starts: string[] = []
  let hasMore = false as boolean
  try {
    createSeries().all(date => {
      const wall = wallTime(date)
      // Temporal writes years after 9999 with a plus.
      hasMore = wall.startsWith('+') || (last !== undefined && wall > last)
      if (!hasMore) starts.push(wall)
      return !hasMore && starts.length <= maxDates
    })
  } catch (error) {
    if (!isTooManyIterations(error)) throw new InvalidRule(aRule, rule)
    const expected = starts.length === 0 ? 'a rule that matches a date' : 'a rule that ends'
    throw new InvalidRule(expected, rule)
  }
  if (starts.length > maxDates) throw new InvalidRule(fewerDates, rule)
  if (hasMore && last === undefined) throw new InvalidRule('a rule that ends before the year 10000', rule)
  const count = parts.get('COUNT')
  return { starts, hasMore, ...(hasMore && count !== undefined && { remaining: Number(count) - starts.length }) }
}

/** Some days of an endless rule, without collecting all dates before them. */
function expandWindow(
  createSeries: () => RRuleTemporal,
  rule: string,
  { start, from, until }: { start: string; from: string; until: string },
): Expansion {
  const first = `${from} 00:00:00`
  try {
    const starts = wallTimesBetween(createSeries(), first, endOfDay(until))
    if (starts.length > maxDates) throw new InvalidRule(fewerDates, rule)
    const skipped = countBefore(createSeries(), start, first)
    return { starts, hasMore: true, ...(skipped !== undefined && { skipped }) }
  } catch (error) {
    if (error instanceof InvalidRule) throw error
    throw new InvalidRule(isTooManyIterations(error) ? fewerDates : aRule, rule)
  }
}

function countBefore(series: RRuleTemporal, start: string, first: string): number | undefined {
  try {
    return wallTimesBetween(series, start, first).filter(wall => wall < first).length
  } catch (error) {
    if (isTooManyIterations(error)) return undefined
    throw error
  }
}

const wallTimesBetween = (series: RRuleTemporal, first: string, last: string): string[] =>
  series.between(new Date(wallMs(first)), new Date(wallMs(last)), true).map(wallTime)

/** rrule-temporal has no error class of its own: the text is all there is. */
const isTooManyIterations = (error: unknown): boolean => /maximum iterations/i.test((error as Error).message)

const wallTime = (date: { toString(): string }): string => date.toString().slice(0, 19).replace('T', ' ')

/** Whether a rule has neither COUNT nor UNTIL. Throws `InvalidRule`. */
export function isEndless(rule: string): boolean {
  const parts = parseRule(rule)
  return !parts.has('COUNT') && !parts.has('UNTIL')
}

/** The last second of a day; a wall time stays as it is. */
export const endOfDay = (until: string): string => (until.length === 10 ? `${until} 23:59:59` : until)

/** Wall times are expanded as if they were UTC, where clocks never change. */
const seriesOf = (start: string, rule: string): RRuleTemporal =>
  new RRuleTemporal({
    rruleString: `DTSTART:${compact(start)}Z\nRRULE:${rule}`,
    maxIterations: 10 * maxDates,
    cache: false,
    strict: true,
  })

const aRule = 'a rule such as FREQ=WEEKLY;COUNT=10'

const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY']

const isPositive = (text: string): boolean => /^[1-9]\d*$/.test(text)

/** Values that rrule-temporal accepts silently or refuses without saying what it expects. */
const checks: readonly (readonly [string, (text: string) => boolean, string])[] = [
  ['FREQ', text => frequencies.includes(text), `FREQ to be one of ${frequencies.join(', ')}`],
  ['COUNT', isPositive, 'COUNT to be 1 or more'],
  ['INTERVAL', isPositive, 'INTERVAL to be 1 or more'],
  ['UNTIL', text => parseUntil(text) !== undefined, 'UNTIL to be a date such as 20271231'],
]

function parseRule(rule: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of bareRule(rule).split(';')) {
    const match = /^([A-Z-]+)=(.+)$/.exec(part.trim())
    if (match?.[1] && match[2]) parts.set(match[1], match[2])
    else if (part.trim() !== '') throw new InvalidRule(aRule, rule)
  }
  if (!parts.has('FREQ')) throw new InvalidRule(aRule, rule)
  for (const [name, isValid, expected] of checks) {
    const value = parts.get(name)
    if (value !== undefined && !isValid(value)) throw new InvalidRule(expected, rule)
  }
  return parts
}

const bareRule = (rule: string): string =>
  rule
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()

/** `2026-12-05 19:00:00` as `20261205T190000` */
const compact = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T')

/** The wall time of an UNTIL, and whether it is in UTC. A date without a time includes the whole day. */
function parseUntil(text: string): { wall: string; isUtc: boolean } | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '23', minute = '59', second = '59', utc] = match
  const wall = readDate(`${year}-${month}-${day} ${hour}:${minute}:${second}`)?.wall
  return wall === undefined ? undefined : { wall, isUtc: utc === 'Z' }
}

/** The rule as rrule-temporal is to read it. */
function ruleText(rule: string, timezone: string | undefined, isAllDay: boolean): string {
  const parts = bareRule(rule)
    .split(';')
    // RFC 5545, 3.3.10: BYHOUR, BYMINUTE and BYSECOND must be ignored where DTSTART is a date.
    .filter(part => !isAllDay || !/^\s*BY(HOUR|MINUTE|SECOND)=/.test(part))
  return parts.join(';').replace(/UNTIL=([^;]+)/, (part, text) => {
    const until = parseUntil(text)
    if (!until) return part
    const wall = until.isUtc && timezone ? fromUtc(until.wall, timezone) : until.wall
    return `UNTIL=${compact(wall)}Z`
  })
}
