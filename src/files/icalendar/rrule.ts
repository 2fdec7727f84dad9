/**
 * Expands recurrence rules (RFC 5545, 3.3.10) into wall times. Used by feeds (RRULE) and by `create --repeat`. rule-dates.ts
 * parses a rule, and has its dates.
 * docs/decisions.md says why this is no library; test/feeds/rrule.test.ts repeats the comparison.
 */

import { msWall, wallMs } from '../../base/time/dates.ts'
import { fromUtc } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { datesOf, InvalidRule, isWithinDay, parseRule, type RuleParts } from './rule-dates.ts'

/** No real calendar has a longer series; more is a mistake, such as SECONDLY for WEEKLY. */
const maxDates = 10_000

/** Dates before the first one that is read are counted up to here. */
const maxSkipped = 100_000

export interface ExpandOptions {
  /** The last wall time at which an occurrence may start; a day without a time includes the whole day. */
  readonly until?: string
  /** Leaves out the dates of an endless rule before this day. */
  readonly from?: string
  /** Converts an UNTIL in UTC to the zone of the wall times; without it they are compared as they stand. */
  readonly fromUtc?: (utc: string) => string
  /** Whether clocks show a wall time; of rules such as FREQ=HOURLY, those that they skip are not counted. */
  readonly exists?: (wall: string) => boolean
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

/** `fromUtc` of a zone that has a name. */
export const untilIn = (timezone: string | undefined): Pick<ExpandOptions, 'fromUtc'> =>
  timezone === undefined ? {} : { fromUtc: utc => fromUtc(utc, timezone) }

/**
 * The wall times of a recurrence rule from a start on. They stay the same when clocks change. Throws `InvalidRule`.
 */
export function expandRule(start: string, rule: string, options: ExpandOptions): Expansion {
  const { until, from, isAllDay = false } = options
  const parts = isAllDay ? withoutTimes(parseRule(rule)) : parseRule(rule)
  const last = until === undefined ? undefined : lastSecondOf(until)
  const isWindow = last !== undefined && from !== undefined && start < from && hasNoEnd(parts)
  const first = isWindow ? `${from} 00:00:00` : start
  if (!matchesDate(parts, start)) throw new InvalidRule(phrase('a rule that matches a date'), rule)
  const starts: string[] = []
  let hasMore = false
  for (const wall of wallsOf(parts, start, first, options)) {
    hasMore = last !== undefined && wall > last
    if (hasMore) break
    if (wall >= first) starts.push(wall)
    checkCount(starts, rule)
  }
  if (isWindow) return { starts, hasMore: true, ...countBefore(parts, start, first, options) }
  const { count } = parts
  if (last === undefined) checkEnd(parts, starts, rule)
  return { starts, hasMore, remaining: hasMore && count !== undefined ? count - starts.length : undefined }
}

function checkCount({ length }: readonly string[], rule: string): void {
  if (length > maxDates) throw new InvalidRule(phrase('a rule of at most {most} dates', { most: maxDates }), rule)
}

/** Throws for a rule whose dates, read to the last, are none or not all. */
function checkEnd({ count, until }: RuleParts, { length }: readonly string[], rule: string): void {
  if (length === 0) throw new InvalidRule(phrase('a rule that matches a date'), rule)
  if (until === undefined && count !== length)
    throw new InvalidRule(phrase('a rule that ends before the year 10000'), rule)
}

/** Whether a rule has a date in the next 40 years, in which weekdays and leap days come together; with INTERVAL, in 400. */
function matchesDate(parts: RuleParts, start: string): boolean {
  const ms = wallMs(start)
  const years = parts.frequency === 'YEARLY' ? 400 : 40
  return !datesOf(parts, ms, { to: ms + years * 366 * 86_400_000 }).next().done
}

/** The dates of a rule up to its UNTIL and COUNT; of one without an end, up to a year after the last day that is read. */
function* wallsOf(parts: RuleParts, start: string, first: string, options: ExpandOptions): Generator<string> {
  const { until, count = Infinity, frequency } = parts
  const convert = until?.isUtc ? options.fromUtc : undefined
  const end = until && (convert ? convert(until.wall) : until.wall)
  const exists = isWithinDay(frequency) ? options.exists : undefined
  let number = 0
  const to = options.until === undefined ? Infinity : wallMs(lastSecondOf(options.until)) + 366 * 86_400_000
  for (const ms of datesOf(parts, wallMs(start), { from: wallMs(first), to })) {
    const wall = msWall(ms)
    if (end !== undefined && wall > end) return
    if (exists && !exists(wall)) continue
    number += 1
    yield wall
    if (number >= count) return
  }
}

function countBefore(
  parts: RuleParts,
  start: string,
  first: string,
  options: ExpandOptions,
): Pick<Expansion, 'skipped'> {
  let skipped = 0
  for (const wall of wallsOf(parts, start, start, options)) {
    if (wall >= first) break
    skipped += 1
    if (skipped > maxSkipped) return {}
  }
  return { skipped }
}

/** RFC 5545, 3.3.10: BYHOUR, BYMINUTE and BYSECOND must be ignored where DTSTART is a date. */
const withoutTimes = ({ byHour, byMinute, bySecond, ...parts }: RuleParts): RuleParts => parts

const hasNoEnd = ({ count, until }: RuleParts): boolean => count === undefined && until === undefined

/** Whether a rule has neither COUNT nor UNTIL. Throws `InvalidRule`. */
export const isEndless = (rule: string): boolean => hasNoEnd(parseRule(rule))

/** The last second of a day; a wall time stays as it is. */
export const lastSecondOf = (until: string): string => (until.length === 10 ? `${until} 23:59:59` : until)
