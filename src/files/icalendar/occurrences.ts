import { counted } from '../../text/words.ts'
import { msWall, nearestWall, wallInRange, wallMs } from '../../time/dates.ts'
import type { Notice } from '../records/file-record.ts'
import type { Component } from './component.ts'
import type { EventRevisions } from './event-revisions.ts'
import {
  actualStart,
  dateExample,
  durationOf,
  type EventDuration,
  type EventTime,
  periodDuration,
  type ReadTimes,
} from './event-times.ts'
import { convertWall } from './feed-zones.ts'
import { firstValueOf, InvalidProperty, optionalValueOf, valuesOf } from './properties.ts'
import { type ExpandOptions, type Expansion, endOfDay, expandRule, isEndless } from './rrule.ts'
import { InvalidRule } from './rule-parts.ts'

/** One occurrence of an event, or its cancellation. */
export interface Occurrence {
  /** The event, or the override of this occurrence. */
  readonly component: Component
  readonly start: EventTime
  /** The wall time at which the series has it; undefined for a single event. */
  readonly planned?: string
  /** Tells the occurrences of a series apart: `20261205` or `20261205t190000`. */
  readonly key?: string
  /** The duration, if it differs from the event's. */
  readonly duration?: EventDuration
  /** The day from which an endless series is expanded. */
  readonly from?: string
  /** Whether an EXDATE removes it. */
  readonly isExcluded?: boolean
}

interface OccurrenceOptions {
  /** How far series are expanded: a day or a wall time. */
  readonly until: string
  /** Whether the user gave `until`; then it ends single events too. */
  readonly isUntilGiven: boolean
  readonly now: Date
  readonly readTimes: ReadTimes
  readonly notice: Notice
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

  const from = rulesOf(event).some(isEndlessRule) ? firstDay(event, start, options) : ''
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

const rulesOf = (event: Component): string[] => event.all('rrule').flatMap(valuesOf)

function isEndlessRule(rule: string): boolean {
  return orInvalidProperty(rule, () => isEndless(rule))
}

function orInvalidProperty<T>(rule: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidRule) throw new InvalidProperty('rrule', error.expected, rule)
    throw error
  }
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

/** A VEVENT with RECURRENCE-ID: it replaces one occurrence of a series, or all from one on. */
interface Override {
  readonly component: Component
  readonly start: EventTime
  /** The wall time of the occurrence, in the zone of the series. */
  readonly planned: string
  /** RANGE=THISANDFUTURE */
  readonly isLasting: boolean
}

function parseOverride(
  component: Component,
  series: EventTime | undefined,
  planned: readonly string[],
  readTimes: ReadTimes,
): Override {
  const recurrenceId = firstTime(component, 'recurrence-id', readTimes)
  const wall = series ? wallInZoneOf(series, recurrenceId) : recurrenceId.wall
  const range = String(component.first('recurrence-id')?.parameters.get('range') ?? '')
  if (!/^(thisandfuture)?$/i.test(range))
    throw new InvalidProperty('recurrence-id', 'RANGE=THISANDFUTURE or no RANGE', range)
  const [onThatDay, ...others] = planned.filter(start => dayOf(start) === dayOf(wall))
  // A RECURRENCE-ID that is a day, or an hour that the series has since left, means the occurrence of that day.
  const isClear = onThatDay !== undefined && (recurrenceId.isDay || others.length === 0)
  return {
    component,
    start: startOf(component, readTimes),
    planned: isClear ? onThatDay : wall,
    isLasting: range !== '',
  }
}

/** What the latest THISANDFUTURE override makes of a later occurrence: its values, shifted as far as its own start. */
function shiftedBy(overrides: readonly Override[], wall: string): Pick<Override, 'component' | 'start'> | undefined {
  const [latest] = overrides
    .filter(({ isLasting, planned }) => isLasting && planned <= wall)
    .toSorted((one, other) => wallMs(other.planned) - wallMs(one.planned))
  if (!latest) return undefined
  const shift = wallMs(latest.start.wall) - wallMs(latest.planned)
  const shifted = wallInRange(wallMs(wall) + shift)
  if (shifted === undefined)
    throw new InvalidProperty('dtstart', 'a start that keeps the series before the year 10000', wall)
  return { component: latest.component, start: { ...latest.start, wall: shifted } }
}

/**
 * Creates the function that names the occurrences of a series: by the day, so that an occurrence keeps its name if its hour
 * changes; by day and hour on days with several.
 */
function createKeys(planned: readonly string[], overrides: readonly Override[]): (wall: string) => string {
  const plannedPerDay = countDays(planned)
  const overridesPerDay = countDays(new Set(overrides.map(override => override.planned)))
  return wall => {
    const count = plannedPerDay.get(dayOf(wall)) ?? overridesPerDay.get(dayOf(wall)) ?? 1
    return (count < 2 ? dayOf(wall) : wall).replace(/[-:]/g, '').replace(' ', 't')
  }
}

function countDays(walls: Iterable<string>): Map<string, number> {
  const days = new Map<string, number>()
  for (const wall of walls) days.set(dayOf(wall), (days.get(dayOf(wall)) ?? 0) + 1)
  return days
}

const dayOf = (wall: string): string => wall.slice(0, 10)

/**
 * The wall times of a series by DTSTART, RRULE and RDATE, in order, to the end of the last day. All of that day is needed for
 * the keys, even if `until` is earlier.
 */
function plannedStarts(event: Component, start: EventTime, from: string, options: OccurrenceOptions): string[] {
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
  { until, notice }: OccurrenceOptions,
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

function createIsExcluded(event: Component, start: EventTime, readTimes: ReadTimes): (wall: string) => boolean {
  const excluded = readTimes(event, 'exdate')
  return wall =>
    excluded.some(date => (date.isDay ? dayOf(wall) === dayOf(date.wall) : wallInZoneOf(start, date) === wall))
}

const wallInZoneOf = ({ zone, isDay }: EventTime, time: EventTime): string =>
  isDay || time.isDay ? time.wall : convertWall(time.wall, time.zone, zone)

/** A cancelled occurrence may have no DTSTART, only its RECURRENCE-ID. */
const startOf = (component: Component, readTimes: ReadTimes): EventTime =>
  firstTime(component, ['dtstart', 'recurrence-id'].find(name => component.has(name)) ?? 'dtstart', readTimes)

function firstTime(component: Component, property: string, readTimes: ReadTimes): EventTime {
  const [time] = readTimes(component, property)
  if (!time) throw new InvalidProperty(property, dateExample, '')
  return time
}
