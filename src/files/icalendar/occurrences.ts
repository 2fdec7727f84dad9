import { msWall, nearestWall, wallMs } from '../../time/dates.ts'
import type { Component } from './component.ts'
import type { EventRevisions } from './event-revisions.ts'
import {
  durationOf,
  type EventDuration,
  type EventTime,
  periodDuration,
  type ReadTimes,
  wallInZoneOf,
} from './event-times.ts'
import { createKeys, dayOf, type Override, parseOverride, shiftedBy, startOf } from './overrides.ts'
import { isEndlessSeries, plannedStarts, type SeriesOptions } from './planned-starts.ts'
import { endOfDay } from './rrule.ts'

/** One occurrence of an event, or its cancellation. */
export interface Occurrence {
  /** The event, or the override of this occurrence. */
  readonly component: Component
  readonly start: EventTime
  /** The wall time at which the series has it; undefined for a single event. */
  readonly planned?: string
  /** Identifies an occurrence of a series: `20261205` or `20261205t190000`. */
  readonly key?: string
  /** The duration, if it differs from the event's. */
  readonly duration?: EventDuration
  /** The day from which an endless series is expanded. */
  readonly from?: string
  /** Whether an EXDATE removes it. */
  readonly isExcluded?: boolean
}

interface OccurrenceOptions extends SeriesOptions {
  /** Whether the user gave `until`; then it ends single events too. */
  readonly isUntilGiven: boolean
  readonly now: Date
}

/** The occurrences of an event until a moment, with its overrides and cancellations. */
export function* occurrencesOf(revisions: EventRevisions, options: OccurrenceOptions): Generator<Occurrence> {
  const until = endOfDay(options.until)
  const { event, overrides } = revisions
  const occurrences = event
    ? occurrencesOfEvent(event, overrides, options)
    : overridesAlone(
        overrides.map(component => parseOverride(component, undefined, [], options.readTimes)),
        until,
      )
  for (const occurrence of occurrences) if (!options.isUntilGiven || occurrence.start.wall <= until) yield occurrence
}

/** The occurrences of which a feed has the overrides but not the series. */
function* overridesAlone(overrides: readonly Override[], until: string): Generator<Occurrence> {
  const keyOf = createKeys([], overrides)
  for (const [key, { component, start, planned }] of new Map(overrides.map(each => [keyOf(each.planned), each])))
    if (start.wall <= until) yield { component, start, planned, key }
}

function* occurrencesOfEvent(
  event: Component,
  components: readonly Component[],
  options: OccurrenceOptions,
): Generator<Occurrence> {
  const { readTimes } = options
  const until = endOfDay(options.until)
  const start = startOf(event, readTimes)
  const isSeries = event.has('rrule') || event.has('rdate')
  if (!isSeries) yield { component: event, start }
  if (!isSeries && components.length === 0) return

  const from = isEndlessSeries(event) ? firstDay(event, start, options) : ''
  const planned = isSeries ? plannedStarts(event, start, from, options) : []
  const overrides = components.map(component => parseOverride(component, start, planned, readTimes))
  const keyOf = createKeys(planned, overrides)
  const overrideByKey = new Map(overrides.map(override => [keyOf(override.planned), override]))
  const isExcluded = createIsExcluded(event, start, readTimes)
  const durations = periodDurations(event, start, readTimes)
  const series = from === '' ? {} : { from }

  for (const wall of planned.filter(wall => wall <= until || wall === start.wall)) {
    const key = keyOf(wall)
    const override = overrideByKey.get(key)
    overrideByKey.delete(key)
    if (override) {
      yield { component: override.component, start: override.start, planned: wall, key, ...series }
      continue
    }
    const occurrence = shiftedBy(overrides, wall) ?? { component: event, start: { ...start, wall } }
    const duration = durations.get(wall)
    yield { ...occurrence, planned: wall, key, isExcluded: isExcluded(wall), ...(duration && { duration }), ...series }
  }
  // Overrides of times that the series does not have: it was changed after them.
  for (const [key, { component, start, planned }] of overrideByKey)
    if (start.wall <= until && (planned >= from || start.wall >= from))
      yield { component, start, planned, key, ...series }
}

/**
 * The first day with an occurrence that has not ended yet. Endless series, which may have begun decades ago, are
 * expanded from that day.
 */
function firstDay(event: Component, start: EventTime, { now, readTimes }: OccurrenceOptions): string {
  const { nominal, exact } = durationOf(event, readTimes)
  const localNow = start.zone.fromUtc(msWall(now.getTime()))
  return dayOf(nearestWall(wallMs(localNow) - nominal - exact))
}

/** The durations of RDATEs that are periods, by wall time. */
function periodDurations(event: Component, start: EventTime, readTimes: ReadTimes): Map<string, EventDuration> {
  const durations = new Map<string, EventDuration>()
  for (const date of readTimes(event, 'rdate')) {
    const duration = periodDuration(date)
    if (duration) durations.set(wallInZoneOf(start, date), duration)
  }
  return durations
}

function createIsExcluded(event: Component, start: EventTime, readTimes: ReadTimes): (wall: string) => boolean {
  const excluded = readTimes(event, 'exdate')
  return wall =>
    excluded.some(date => (date.isDay ? dayOf(wall) === dayOf(date.wall) : wallInZoneOf(start, date) === wall))
}
