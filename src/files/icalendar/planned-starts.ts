import { counted } from '../../text/words.ts'
import type { Notice } from '../records/file-record.ts'
import type { Component } from './component.ts'
import { actualStart, type EventTime, type ReadTimes, wallInZoneOf } from './event-times.ts'
import { dayOf } from './overrides.ts'
import { firstValueOf, InvalidProperty, optionalValueOf, valuesOf } from './properties.ts'
import { type ExpandOptions, type Expansion, endOfDay, expandRule, isEndless } from './rrule.ts'
import { InvalidRule } from './rule-parts.ts'

/** How far a series is expanded, and where it is said what is left out. */
export interface SeriesOptions {
  /** A day or a wall time. */
  readonly until: string
  readonly readTimes: ReadTimes
  readonly notice: Notice
}

/**
 * The wall times of a series by DTSTART, RRULE and RDATE, in order, to the end of the last day. All of that day is needed for
 * the keys, even if `until` is earlier.
 */
export function plannedStarts(event: Component, start: EventTime, from: string, options: SeriesOptions): string[] {
  const lastDay = dayOf(options.until)
  const expandOptions: ExpandOptions = {
    until: lastDay,
    isAllDay: start.isDay,
    fromUtc: start.zone.fromUtc,
    exists: wall => actualStart({ ...start, wall }).wall === wall,
    ...(from && { from }),
  }
  const expansions = rulesOf(event).map(rule =>
    orInvalidProperty(rule, () => expandRule(start.wall, rule, expandOptions)),
  )
  const dates = options.readTimes(event, 'rdate').map(date => wallInZoneOf(start, date))
  const planned = [...new Set([start.wall, ...expansions.flatMap(({ starts }) => starts), ...dates])].toSorted()
  noticeOmittedDates(event, from, expansions, planned, options)
  return planned.filter(wall => wall >= from && (dayOf(wall) <= lastDay || wall === start.wall))
}

/** Reports the dates of a series that are not read. */
function noticeOmittedDates(
  event: Component,
  from: string,
  expansions: readonly Expansion[],
  planned: readonly string[],
  { until, notice }: SeriesOptions,
): void {
  const name = optionalValueOf(event, 'summary') ?? firstValueOf(event, 'uid')
  if (from !== '') {
    const since = planned.some(wall => wall < from) ? `from ${from}${countOfSkipped(expansions)} ` : ''
    notice(`"${name}" repeats without end: read ${since}up to ${dayOf(until)}`)
    return
  }
  const later = planned.filter(wall => wall > endOfDay(until)).length
  const unfinished = expansions.filter(({ hasMore }) => hasMore)
  if (unfinished.length === 0 && later === 0) return
  // A series that begins after `until` has its first date counted by the rule, and read all the same.
  const isLate = planned[0] !== undefined && planned[0] > endOfDay(until)
  const counts = unfinished.map(({ remaining }) => remaining)
  const isCountKnown = !isLate && counts.every(count => count !== undefined)
  const count = isCountKnown ? ` (${counts.reduce((sum, next) => sum + (next ?? 0), later)})` : ''
  notice(`"${name}" continues after ${dayOf(until)}: later dates are skipped${count}`)
}

/** Past occurrences of an endless series are skipped; too many of them are not counted. */
function countOfSkipped(expansions: readonly Expansion[]): string {
  const counts = expansions.map(({ skipped }) => skipped).filter(count => count !== undefined)
  if (counts.length < expansions.length) return ''
  const total = counts.reduce((sum, next) => sum + next, 0)
  return ` (${counted(total, 'earlier date')} skipped)`
}

const rulesOf = (event: Component): string[] => event.all('rrule').flatMap(valuesOf)

/** Whether an event repeats without end. */
export const isEndlessSeries = (event: Component): boolean =>
  rulesOf(event).some(rule => orInvalidProperty(rule, () => isEndless(rule)))

function orInvalidProperty<T>(rule: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidRule) throw new InvalidProperty('rrule', error.expected, rule)
    throw error
  }
}
