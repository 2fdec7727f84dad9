import { usage } from '../../base/failure.ts'
import { grouped } from '../../base/groups.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { daysThrough, msWall, nearestWall, wallInRange, wallMs } from '../../base/time/dates.ts'
import { knownHolidays, publicHolidays } from '../../base/time/holidays.ts'
import type { Repetition } from '../../base/time/repetitions.ts'
import { clockChange, fromUtc } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { shortDate } from '../print/record-names.ts'
import type { Notice } from '../records/file-record.ts'
import type { Component } from './component.ts'
import {
  actualStart,
  durationOf,
  type EventDuration,
  type EventTime,
  firstTime,
  periodDuration,
  type ReadTimes,
  wallInZoneOf,
} from './event-times.ts'
import type { EventRevisions } from './event-visibility.ts'
import { InvalidProperty } from './invalid-property.ts'
import { firstValueOf, optionalValueOf, valuesOf } from './parse-components.ts'
import { type ExpandOptions, type Expansion, expandRule, isEndless, lastSecondOf } from './rrule.ts'

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
  /** Whether the user gave `until`, which then limits single events, too. */
  readonly isUntilGiven: boolean
  readonly now: Date
}

/** The occurrences of an event until a moment, including overrides and cancellations. */
export function* occurrencesOf(revisions: EventRevisions, options: OccurrenceOptions): Generator<Occurrence> {
  const until = lastSecondOf(options.until)
  const { event, overrides } = revisions
  const occurrences = event ? occurrencesOfEvent(event, overrides, options) : overridesAlone(overrides, options)
  for (const occurrence of occurrences) if (!options.isUntilGiven || occurrence.start.wall <= until) yield occurrence
}

/** The occurrences for which a feed has overrides but no series. */
function* overridesAlone(
  components: readonly Component[],
  { until, readTimes }: OccurrenceOptions,
): Generator<Occurrence> {
  const overrides = components.map(component => parseOverride(component, undefined, readTimes))
  const keyOf = createKeys([], overrides)
  for (const [key, { component, start, planned }] of new Map(overrides.map(each => [keyOf(each.planned), each])))
    if (start.wall <= lastSecondOf(until)) yield { component, start, planned, key }
}

function* occurrencesOfEvent(
  event: Component,
  components: readonly Component[],
  options: OccurrenceOptions,
): Generator<Occurrence> {
  const { readTimes } = options
  const until = lastSecondOf(options.until)
  const start = startOf(event, readTimes)
  const isSeries = event.has('rrule') || event.has('rdate')
  if (!isSeries) yield { component: event, start }
  if (!isSeries && components.length === 0) return

  const from = isEndlessSeries(event) ? firstDay(event, start, options) : ''
  const planned = isSeries ? plannedStarts(event, start, from, options) : []
  const written = components.map(component => parseOverride(component, start, readTimes))
  const overrides = meantDates(written, planned)
  const keyOf = createKeys(planned, overrides)
  const overrideByKey = new Map(overrides.map(override => [keyOf(override.planned), override]))
  const isExcluded = createIsExcluded(event, start, readTimes)
  const durations = periodDurations(event, start, readTimes)
  const series = from === '' ? {} : { from }

  const unchanged = (wall: string): Omit<Occurrence, 'key'> => {
    const occurrence = shiftedBy(overrides, wall) ?? { component: event, start: { ...start, wall } }
    const duration = durations.get(wall)
    return { ...occurrence, isExcluded: isExcluded(wall), ...(duration && { duration }) }
  }

  for (const wall of planned.filter(wall => wall <= until || wall === start.wall)) {
    const key = keyOf(wall)
    const override = overrideByKey.get(key)
    overrideByKey.delete(key)
    const occurrence = override ? { component: override.component, start: override.start } : unchanged(wall)
    yield { ...occurrence, planned: wall, key, ...series }
  }
  // Overrides of times that the series does not have, because it was changed after them.
  for (const [key, { component, start, planned }] of overrideByKey)
    if (start.wall <= until && (planned >= from || start.wall >= from))
      yield { component, start, planned, key, ...series }
}

/**
 * The first day with an occurrence that has not ended yet. Endless series, which may have begun decades ago, are expanded from that day on.
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

/** A VEVENT with RECURRENCE-ID: it replaces one occurrence of a series, or all of them from one on. */
interface Override {
  readonly component: Component
  readonly start: EventTime
  /** The wall time of the occurrence, in the zone of the series. */
  readonly planned: string
  /** Whether its RECURRENCE-ID is a day. */
  readonly isOfDay: boolean
  /** RANGE=THISANDFUTURE */
  readonly isLasting: boolean
}

function parseOverride(component: Component, series: EventTime | undefined, readTimes: ReadTimes): Override {
  const recurrenceId = firstTime(component, 'recurrence-id', readTimes)
  const wall = series ? wallInZoneOf(series, recurrenceId) : recurrenceId.wall
  const range = String(component.first('recurrence-id')?.parameters.get('range') ?? '')
  if (!/^(thisandfuture)?$/i.test(range))
    throw new InvalidProperty('recurrence-id', phrase('RANGE=THISANDFUTURE or no RANGE'), range)
  const start = startOf(component, readTimes)
  return { component, start, planned: wall, isOfDay: recurrenceId.isDay, isLasting: range !== '' }
}

/**
 * The overrides, with the dates of the series that they replace. A RECURRENCE-ID that is a day means the occurrence on that day; so does
 * the only one on a day with an hour that the series no longer has. If a day has several such hours, they are separate events.
 */
function meantDates(overrides: readonly Override[], planned: readonly string[]): Override[] {
  const perDay = grouped(new Set(overrides.map(override => override.planned)), dayOf)
  return overrides.map(override => {
    const { planned: wall, isOfDay } = override
    const [onThatDay, ...others] = planned.filter(start => dayOf(start) === dayOf(wall))
    const isOnlyOne = others.length === 0 && perDay.get(dayOf(wall))?.length === 1
    return onThatDay !== undefined && (isOfDay || isOnlyOne) ? { ...override, planned: onThatDay } : override
  })
}

/** What the latest THISANDFUTURE override makes of a later occurrence: its values, moved as far as its own start. */
function shiftedBy(overrides: readonly Override[], wall: string): Pick<Override, 'component' | 'start'> | undefined {
  const [latest] = overrides
    .filter(({ isLasting, planned }) => isLasting && planned <= wall)
    .toSorted((one, other) => wallMs(other.planned) - wallMs(one.planned))
  if (!latest) return undefined
  const shift = wallMs(latest.start.wall) - wallMs(latest.planned)
  const shifted = wallInRange(wallMs(wall) + shift)
  if (shifted === undefined)
    throw new InvalidProperty('dtstart', phrase('a start that keeps the series before the year 10000'), wall)
  return { component: latest.component, start: { ...latest.start, wall: shifted } }
}

/**
 * Creates the function that names the occurrences of a series: by day, so that an occurrence keeps its name if its hour changes; by day and
 * hour on days with several.
 */
function createKeys(planned: readonly string[], overrides: readonly Override[]): (wall: string) => string {
  const plannedPerDay = grouped(planned, dayOf)
  const overridesPerDay = grouped(new Set(overrides.map(override => override.planned)), dayOf)
  const ofSeries = new Set(planned)
  return wall => {
    const isDetached = plannedPerDay.has(dayOf(wall)) && !ofSeries.has(wall)
    const ofDay = plannedPerDay.get(dayOf(wall)) ?? overridesPerDay.get(dayOf(wall)) ?? [wall]
    return (isDetached || ofDay.length > 1 ? wall : dayOf(wall)).replace(/[-:]/g, '').replace(' ', 't')
  }
}

/** The start; a cancelled occurrence may have no DTSTART, only its RECURRENCE-ID. */
const startOf = (component: Component, readTimes: ReadTimes): EventTime =>
  firstTime(component, ['dtstart', 'recurrence-id'].find(name => component.has(name)) ?? 'dtstart', readTimes)

/** The day of a wall time, `YYYY-MM-DD`. */
const dayOf = (wall: string): string => wall.slice(0, 10)

/** How far a series is expanded, and where to report what is left out. */
interface SeriesOptions {
  /** A day or a wall time. */
  readonly until: string
  readonly readTimes: ReadTimes
  readonly notice: Notice
}

/**
 * The wall times of a series by DTSTART, RRULE and RDATE, in order, until the end of the last day. The whole day is needed for the names of
 * occurrences, even if `until` is earlier.
 */
function plannedStarts(event: Component, start: EventTime, from: string, options: SeriesOptions): string[] {
  const lastDay = dayOf(options.until)
  const expandOptions: ExpandOptions = {
    until: lastDay,
    isAllDay: start.isDay,
    fromUtc: start.zone.fromUtc,
    exists: wall => actualStart({ ...start, wall }).wall === wall,
    from: from || undefined,
  }
  const expansions = rulesOf(event).map(rule => expandRule(start.wall, rule, expandOptions))
  const dates = options.readTimes(event, 'rdate').map(date => wallInZoneOf(start, date))
  const planned = [...new Set([start.wall, ...expansions.flatMap(({ starts }) => starts), ...dates])].toSorted()
  noticeOmittedDates(event, { from, expansions, planned }, options)
  return planned.filter(wall => wall >= from && (dayOf(wall) <= lastDay || wall === start.wall))
}

interface ExpandedSeries {
  /** The first date to read; empty to read all. */
  readonly from: string
  readonly expansions: readonly Expansion[]
  readonly planned: readonly string[]
}

/** Reports the dates of a series that are not read. */
function noticeOmittedDates(
  event: Component,
  { from, expansions, planned }: ExpandedSeries,
  { until, notice }: SeriesOptions,
): void {
  const places = { name: optionalValueOf(event, 'summary') ?? firstValueOf(event, 'uid'), until: dayOf(until) }
  if (from !== '') {
    notice(
      planned.some(wall => wall < from)
        ? phrase('"{name}" repeats without end: read from {from} up to {until}', { ...places, from })
        : phrase('"{name}" repeats without end: read up to {until}', places),
    )
    return
  }
  const later = planned.filter(wall => wall > lastSecondOf(until)).length
  const unfinished = expansions.filter(({ hasMore }) => hasMore)
  if (unfinished.length === 0 && later === 0) return
  // If a series begins after `until`, its first date is counted by the rule, but read anyway.
  const isLate = planned[0] !== undefined && planned[0] > lastSecondOf(until)
  const counts = unfinished.map(({ remaining }) => remaining)
  const isCountKnown = !isLate && counts.every(count => count !== undefined)
  notice(
    isCountKnown
      ? phrase('"{name}" continues after {until}: later dates are skipped ({count})', {
          ...places,
          count: counts.reduce<number>((sum, next) => sum + (next ?? 0), later),
        })
      : phrase('"{name}" continues after {until}: later dates are skipped', places),
  )
}

const rulesOf = (event: Component): string[] => event.all('rrule').flatMap(valuesOf)

/** Whether an event repeats without end. */
const isEndlessSeries = (event: Component): boolean => rulesOf(event).some(isEndless)

/** What messages call the texts that say how an event repeats. */
export const optionNames = { repeat: '--repeat', until: '--repeat-until', except: '--except' } as const

export type RepetitionNames = Readonly<Record<keyof typeof optionNames, string>>

/** The options of `create --repeat`. All times are wall times, `YYYY-MM-DD HH:MM:SS`. */
export interface RepeatOptions extends Pick<ExpandOptions, 'until'>, Pick<Repetition, 'from' | 'except' | 'holidays'> {
  /** The zone of the wall times, needed for an UNTIL in UTC. */
  readonly timezone?: string
  /** The duration of each event, in ms. */
  readonly length?: number
  readonly names?: RepetitionNames
  /** How the rule was written. */
  readonly written?: string
}

/**
 * The wall times at which the events of `create --repeat RULE` start, and those that are left out. Throws `usage` for a rule that is invalid,
 * has no end or does not include the start, and for hours that clocks skip or repeat.
 */
export function repeatDates(start: string, rule: string, options: RepeatOptions = {}) {
  const { until, except = [], holidays, from = '' } = options
  if (until !== undefined && lastSecondOf(until) < start)
    throw usage(
      phrase('{end} is before the start, {start}', { end: until, start }),
      phrase('give the last day of the series, or end the rule with COUNT'),
    )
  const ofRule = expandOrFail(start, rule, options).filter(wall => wall >= from)
  const known = holidays && knownHolidays(options.timezone, '--except "25 December"')
  const isHoliday = (day: string) => known?.has(day) === true
  const planned =
    holidays === 'besides'
      ? withDays(start, ofRule, daysThrough(dayOf(start), dayOf(until ?? ofRule.at(-1) ?? start)).filter(isHoliday))
      : ofRule
  const [first] = planned
  if (first === undefined)
    throw usage(phrase('"{repeat}" has no date', { repeat: options.written ?? rule }), phrase('keep at least one date'))
  if (first !== start)
    throw usage(
      phrase('the rule "{rule}" does not match the start, {start}', { rule, start }),
      phrase('its first date is {first}', { first }),
    )
  const isLeftOut = (wall: string) =>
    except.some(excluded => isExcludedBy(wall, excluded)) || (holidays === 'without' && isHoliday(dayOf(wall)))
  const starts = planned.filter(wall => !isLeftOut(wall))
  if (starts.length === 0) throw usage(phrase('no date of the series is left'), phrase('keep at least one date'))
  checkClockChanges(starts, options)
  const needless = except.filter(excluded => !planned.some(wall => isExcludedBy(wall, excluded)))
  return { starts, leftOut: planned.filter(isLeftOut), needless, missingDay: missingDay(rule, start) }
}

/** What to know of a series before it is created. */
export function repetitionNotes(
  { starts, leftOut, needless, missingDay: day }: ReturnType<typeof repeatDates>,
  timezone?: string,
): string[] {
  const year = starts[0]?.slice(0, 4)
  const days = (walls: readonly string[]) =>
    listOfFirst(
      walls.map(wall => shortDate(wall, year, true)),
      10,
    )
  const known = publicHolidays(timezone)
  const onHolidays = known ? starts.filter(wall => known.has(wall.slice(0, 10))) : []
  const [first = '', last = ''] = [starts.at(0), starts.at(-1)].map(wall => shortDate(wall ?? '', undefined, true))
  return [
    phrase('{count, plural, one {# date} other {# dates}}, from {first} to {last}', {
      count: starts.length,
      first,
      last,
    }),
    leftOut.length > 0 ? phrase('left out: {days}', { days: days(leftOut) }) : [],
    needless.length > 0
      ? phrase('nothing to leave out on {days}: the series has no date there', { days: days(needless) })
      : [],
    day === undefined ? [] : phrase('months without a day {day} have no event', { day }),
    onHolidays.length > 0 && known
      ? phrase(
          'public holidays in {region, select, catalonia {Catalonia} spain {Spain} andorra {Andorra} other {France}}: {days}',
          { region: known.region, days: days(onHolidays) },
        )
      : [],
  ].flat()
}

/** The day of the month that a rule needs and not every month has; undefined for other rules. */
function missingDay(rule: string, start: string): string | undefined {
  const needsDay = /FREQ=MONTHLY/.test(rule) || start.slice(5, 10) === '02-29'
  return needsDay && /FREQ=(?:MONTH|YEAR)LY/.test(rule) && !/BYDAY|BYMONTHDAY=-/.test(rule) && start.slice(8, 10) > '28'
    ? start.slice(8, 10)
    : undefined
}

const isExcludedBy = (wall: string, excluded: string): boolean => {
  const [first = '', last] = excluded.split('/')
  return last === undefined ? wall.startsWith(first) : dayOf(wall) >= first && dayOf(wall) <= last
}

/** The dates of a rule, and further days at the same time. */
const withDays = (start: string, ofRule: readonly string[], days: readonly string[]): string[] =>
  [...new Set([...ofRule, ...days.map(day => day + start.slice(10))])].toSorted()

function expandOrFail(start: string, rule: string, options: RepeatOptions): readonly string[] {
  const { timezone, names = optionNames } = options
  try {
    if (options.until === undefined && isEndless(rule))
      throw usage(
        phrase('"{repeat}" has no end', { repeat: options.written ?? rule }),
        phrase('add the last day: {option}', { option: `${names.until} 2027-06-30` }),
      )
    return expandRule(
      start,
      rule,
      timezone === undefined ? options : { ...options, fromUtc: utc => fromUtc(utc, timezone) },
    ).starts
  } catch (error) {
    if (!(error instanceof InvalidProperty)) throw error
    const mistake = phrase('expected {expected}, got "{text}"', { expected: error.expected, text: error.value })
    throw usage(
      `${names.repeat}: ${mistake}`,
      phrase('for example: {one} or {other}', {
        one: 'FREQ=WEEKLY;COUNT=10',
        other: 'FREQ=MONTHLY;BYDAY=1SA;UNTIL=20271231',
      }),
    )
  }
}

/** Throws for a skipped or repeated hour: the API takes wall times, and the event would be at a moment that nobody chose. */
function checkClockChanges(
  starts: readonly string[],
  { timezone, length = 0, names = optionNames }: RepeatOptions,
): void {
  if (timezone === undefined) return
  for (const start of starts)
    for (const wall of new Set([start, msWall(wallMs(start) + length)])) {
      const unclear = clockChange(wall, timezone)
      if (!unclear) continue
      throw usage(unclear.message, phrase('leave it out with: {option}', { option: `${names.except} ${dayOf(start)}` }))
    }
}
