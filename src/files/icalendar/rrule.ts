/**
 * Expands recurrence rules (RFC 5545, 3.3.10) into wall times, for feeds (RRULE) and for `create --repeat`. `rule-dates.ts` parses rules
 * and finds their dates. docs/decisions.md says why this is not a library; test/feeds/rrule.test.ts repeats the comparison.
 */

import { msWall, wallMs } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { invalidRule } from './invalid-property.ts'
import { datesOf, isWithinDay, parseRule, type RuleParts } from './rule-dates.ts'

/** No real calendar has a longer series; more dates are a mistake, such as SECONDLY instead of WEEKLY. */
const maxDates = 10_000

export interface ExpandOptions {
  /** The last wall time at which an occurrence may start; a day includes all of its times. */
  readonly until?: string
  /** Leaves out the dates of an endless rule before this day. */
  readonly from?: string
  /** Converts an UNTIL in UTC to the zone of the wall times; if absent, UNTIL is compared as it is. */
  readonly fromUtc?: (utc: string) => string
  /** Whether clocks show a wall time; rules such as FREQ=HOURLY do not count the times that clocks skip. */
  readonly exists?: (wall: string) => boolean
  /** Whether the start is a day without a time. */
  readonly isAllDay?: boolean
}

export interface Expansion {
  /** Wall times, in order. */
  readonly starts: readonly string[]
  /** Whether the rule has dates after `until`. */
  readonly hasMore: boolean
  /** The number of dates after `until`, for a rule with COUNT. */
  readonly remaining?: number
}

/** The wall times of a recurrence rule from a start on, which stay the same when clocks change. Throws `InvalidProperty`. */
export function expandRule(start: string, rule: string, options: ExpandOptions): Expansion {
  const { until, from, isAllDay = false } = options
  const parts = isAllDay ? withoutTimes(parseRule(rule)) : parseRule(rule)
  const last = until === undefined ? undefined : lastSecondOf(until)
  const isWindow = last !== undefined && from !== undefined && start < from && hasNoEnd(parts)
  const first = isWindow ? `${from} 00:00:00` : start
  if (!matchesDate(parts, start)) throw invalidRule(phrase('a rule that matches a date'), rule)
  const starts: string[] = []
  let hasMore = false
  for (const wall of wallsOf(parts, start, first, options)) {
    hasMore = last !== undefined && wall > last
    if (hasMore) break
    if (wall >= first) starts.push(wall)
    checkCount(starts, rule)
  }
  if (isWindow) return { starts, hasMore: true }
  const { count } = parts
  if (last === undefined) checkEnd(parts, starts, rule)
  return { starts, hasMore, remaining: hasMore && count !== undefined ? count - starts.length : undefined }
}

function checkCount({ length }: readonly string[], rule: string): void {
  if (length > maxDates) throw invalidRule(phrase('a rule of at most {most} dates', { most: maxDates }), rule)
}

/** Throws for a rule without dates, or with more dates than can be read. */
function checkEnd({ count, until }: RuleParts, { length }: readonly string[], rule: string): void {
  if (length === 0) throw invalidRule(phrase('a rule that matches a date'), rule)
  if (until === undefined && count !== length) throw invalidRule(phrase('a rule that ends before the year 10000'), rule)
}

/** Whether a rule has a date within 40 years, the period of weekdays and leap days; with INTERVAL, within 400 years. */
function matchesDate(parts: RuleParts, start: string): boolean {
  const ms = wallMs(start)
  const years = parts.frequency === 'YEARLY' ? 400 : 40
  return !datesOf(parts, ms, { to: ms + years * 366 * 86_400_000 }).next().done
}

/** The dates of a rule until its UNTIL and COUNT; for an endless rule, until a year after the last day that is read. */
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

/** RFC 5545, 3.3.10: BYHOUR, BYMINUTE and BYSECOND must be ignored if DTSTART is a date. */
const withoutTimes = ({ byHour, byMinute, bySecond, ...parts }: RuleParts): RuleParts => parts

const hasNoEnd = ({ count, until }: RuleParts): boolean => count === undefined && until === undefined

/** Whether a rule has neither COUNT nor UNTIL. Throws `InvalidProperty`. */
export const isEndless = (rule: string): boolean => hasNoEnd(parseRule(rule))

/** The last second of a day; a wall time stays as it is. */
export const lastSecondOf = (until: string): string => (until.length === 10 ? `${until} 23:59:59` : until)
