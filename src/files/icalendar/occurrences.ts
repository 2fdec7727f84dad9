import type ICAL from 'ical.js'
import { msWall, nearestWall, wallInRange, wallMs } from '../../time/dates.ts'
import type { Notice } from '../records/file-record.ts'
import type { Story } from './event-revisions.ts'
import { aDate, type Length, lengthOf, lengthOfPeriod, type Moment, type ReadMoments } from './event-times.ts'
import { inZone } from './feed-zones.ts'
import { rawOf, textOf, valuesOf, WrongValue } from './properties.ts'
import { type Followed, type Following, follow, isEndless, WrongRule, wholeDay } from './rrule.ts'

/** One time that an event takes place, or would have. */
export interface Occurrence {
  /** The event, or its change for this time. */
  readonly component: ICAL.Component
  readonly start: Moment
  /** The wall time it was planned for, where it is one of a series. */
  readonly planned?: string
  /** What tells it from the others of its series. */
  readonly key?: string
  /** How long it lasts, where that is not what the event says. */
  readonly length?: Length
  /** Of an endless series, the day from which it is followed. */
  readonly from?: string
  /** Taken out of the series. */
  readonly isOff?: boolean
}

interface SeriesOptions {
  /** How far series are followed: a day or a wall time. */
  readonly until: string
  /** Whether somebody asked for that end: then nothing that starts later is read. */
  readonly isAsked: boolean
  readonly now: Date
  readonly readMoments: ReadMoments
  readonly notice: Notice
}

/** Every time that an event takes place until a moment, with what was moved, changed or called off. */
export function* occurrencesOf(story: Story, options: SeriesOptions): Generator<Occurrence> {
  const until = wholeDay(options.until)
  for (const occurrence of allOf(story, options))
    if (!options.isAsked || occurrence.start.wall <= until) yield occurrence
}

function* allOf({ event, changes }: Story, options: SeriesOptions): Generator<Occurrence> {
  const { readMoments } = options
  const until = wholeDay(options.until)
  const start = event && startOf(event, readMoments)
  if (event && start && !isSeries(event)) yield { component: event, start }
  const from = event && start && isEndlessSeries(event) ? firstDay(event, start, options) : ''
  const planned = event && start && isSeries(event) ? plannedStarts(event, start, from, options) : []
  const read = changes.map(component => changeOf(component, start, planned, readMoments))
  const keyOf = keys(planned, read)
  const changed = new Map(read.map(change => [keyOf(change.planned), change]))
  const isOff = event && start ? takenOut(event, start, readMoments) : () => false
  const series = from === '' ? {} : { from }
  const lengths = event && start ? periodLengths(event, start, readMoments) : new Map<string, Length>()
  for (const wall of planned.filter(wall => wall <= until || wall === start?.wall)) {
    const key = keyOf(wall)
    const change = changed.get(key)
    changed.delete(key)
    if (change) yield { component: change.component, start: change.start, planned: wall, key, ...series }
    else if (event && start) {
      const { component, start: moved } = movedFrom(read, wall) ?? { component: event, start: { ...start, wall } }
      const length = lengths.get(wall)
      yield { component, start: moved, planned: wall, key, isOff: isOff(wall), ...(length && { length }), ...series }
    }
  }
  for (const [key, { component, start, planned }] of changed)
    if (start.wall <= until && (planned >= from || start.wall >= from))
      yield { component, start, planned, key, ...series }
}

const isEndlessSeries = (event: ICAL.Component): boolean => rulesOf(event).some(isEndlessRule)

function isEndlessRule(rule: string): boolean {
  try {
    return isEndless(rule)
  } catch (error) {
    if (error instanceof WrongRule) throw new WrongValue('rrule', error.expected, rule)
    throw error
  }
}

const rulesOf = (event: ICAL.Component): string[] => event.getAllProperties('rrule').flatMap(valuesOf)

/** The day on which what has not ended yet began: a feed that never ends is followed from then on. */
function firstDay(event: ICAL.Component, start: Moment, { now, readMoments }: SeriesOptions): string {
  const { wall, exact } = lengthOf(event, readMoments)
  const here = start.zone.fromUtc(msWall(now.getTime()))
  return dayOf(nearestWall(wallMs(here) - wall - exact))
}

const isSeries = (event: ICAL.Component): boolean => event.hasProperty('rrule') || event.hasProperty('rdate')

/** How long those dates last that are periods. */
function periodLengths(event: ICAL.Component, start: Moment, readMoments: ReadMoments): Map<string, Length> {
  const lengths = new Map<string, Length>()
  for (const moment of readMoments(event, 'rdate')) {
    const length = lengthOfPeriod(moment)
    if (length) lengths.set(wallIn(moment, start), length)
  }
  return lengths
}

/** What is different at one time of a series, or from that time on. */
interface Change {
  readonly component: ICAL.Component
  readonly start: Moment
  /** The wall time it was planned for, in the zone of the series. */
  readonly planned: string
  readonly isLasting: boolean
}

function changeOf(
  component: ICAL.Component,
  series: Moment | undefined,
  planned: readonly string[],
  readMoments: ReadMoments,
): Change {
  const moment = momentOf(component, 'recurrence-id', readMoments)
  const wall = series ? wallIn(moment, series) : moment.wall
  const range = String(component.getFirstProperty('recurrence-id')?.getFirstParameter('range') ?? '')
  if (!/^(thisandfuture)?$/i.test(range)) throw new WrongValue('recurrence-id', 'RANGE=THISANDFUTURE or none', range)
  const [meant, ...others] = planned.filter(start => dayOf(start) === dayOf(wall))
  return {
    component,
    start: startOf(component, readMoments),
    // A day alone means what was planned for it; so does an hour that the series has left meanwhile.
    planned: meant && (moment.isDay || others.length === 0) ? meant : wall,
    isLasting: range !== '',
  }
}

/** What the last change from some time on makes of a later time: moved as far as the change moved its own. */
function movedFrom(changes: readonly Change[], wall: string): Pick<Change, 'component' | 'start'> | undefined {
  const [last] = changes
    .filter(({ isLasting, planned }) => isLasting && planned <= wall)
    .toSorted((one, other) => wallMs(other.planned) - wallMs(one.planned))
  if (!last) return undefined
  const shift = wallMs(last.start.wall) - wallMs(last.planned)
  const moved = wallInRange(wallMs(wall) + shift)
  if (moved === undefined) throw new WrongValue('dtstart', 'a start from which the series stays before 10000', wall)
  return { component: last.component, start: { ...last.start, wall: moved } }
}

/**
 * Makes what tells the times of a series apart: their days, which stay when the hour moves, and the hour too where there are
 * several on one day.
 */
function keys(planned: readonly string[], changes: readonly Change[]): (wall: string) => string {
  const often = countDays(planned)
  const others = countDays(new Set(changes.map(change => change.planned)))
  return wall => {
    const isAlone = (often.get(dayOf(wall)) ?? others.get(dayOf(wall)) ?? 1) < 2
    return (isAlone ? dayOf(wall) : wall).replace(/[-:]/g, '').replace(' ', 't')
  }
}

function countDays(walls: Iterable<string>): Map<string, number> {
  const days = new Map<string, number>()
  for (const wall of walls) days.set(dayOf(wall), (days.get(dayOf(wall)) ?? 0) + 1)
  return days
}

const dayOf = (wall: string): string => wall.slice(0, 10)

/** When the occurrences were planned, by the rules and single dates, in order, up to the end of the last day. */
function plannedStarts(event: ICAL.Component, start: Moment, from: string, options: SeriesOptions): string[] {
  const timezone = start.zone.name
  const lastDay = dayOf(options.until)
  const rules = rulesOf(event)
  const following = { until: lastDay, ...(timezone && { timezone }), ...(from && { from }) }
  const followed = rules.map(rule => followRule(start.wall, rule, following))
  const dates = options.readMoments(event, 'rdate').map(moment => wallIn(moment, start))
  const planned = [...new Set([start.wall, ...followed.flatMap(({ starts }) => starts), ...dates])].toSorted()
  tellRest(event, from, followed, planned, options)
  return planned.filter(wall => wall >= from && (dayOf(wall) <= lastDay || wall === start.wall))
}

function followRule(start: string, rule: string, options: Following): Followed {
  try {
    return follow(start, rule, options)
  } catch (error) {
    if (error instanceof WrongRule) throw new WrongValue('rrule', error.expected, rule)
    throw error
  }
}

/** Says what of a series is not read. */
function tellRest(
  event: ICAL.Component,
  from: string,
  followed: readonly Followed[],
  planned: readonly string[],
  { until, notice }: SeriesOptions,
): void {
  const name = textOf(event, 'summary') ?? rawOf(event, 'uid')
  const later = planned.filter(wall => wall > wholeDay(until)).length
  const cut = followed.filter(({ goesOn }) => goesOn)
  if (from !== '')
    notice(`"${name}" repeats without end: taken ${sinceWhen(from, followed, planned)}up to ${dayOf(until)}`)
  else if (cut.length > 0 || later > 0) {
    // Of a series that begins later still, the rule counts the first date, which may be read all the same.
    const isLate = planned[0] !== undefined && planned[0] > wholeDay(until)
    const left = cut.reduce((sum, { left = Number.NaN }) => sum + left, isLate ? Number.NaN : later)
    const number = Number.isNaN(left) ? '' : ` (${left})`
    notice(`"${name}" goes on after ${dayOf(until)}: later dates are left out${number}`)
  }
}

/** What is over is left as it is. */
function sinceWhen(from: string, followed: readonly Followed[], planned: readonly string[]): string {
  const isPast = planned.some(wall => wall < from)
  const known = followed.map(({ skipped }) => skipped).filter(number => number !== undefined)
  const number =
    known.length === followed.length ? ` (${known.reduce((sum, next) => sum + next, 0)} before it are left out)` : ''
  return isPast ? `from ${from}${number} ` : ''
}

function takenOut(event: ICAL.Component, start: Moment, readMoments: ReadMoments): (wall: string) => boolean {
  const off = readMoments(event, 'exdate')
  return wall =>
    off.some(moment => (moment.isDay ? dayOf(wall) === dayOf(moment.wall) : wallIn(moment, start) === wall))
}

const wallIn = (moment: Moment, { zone, isDay }: Moment): string =>
  isDay || moment.isDay ? moment.wall : inZone(moment.wall, moment.zone, zone)

/** What is called off may say no more than which time it was. */
const startOf = (component: ICAL.Component, readMoments: ReadMoments): Moment =>
  momentOf(component, ['dtstart', 'recurrence-id'].find(name => component.hasProperty(name)) ?? 'dtstart', readMoments)

function momentOf(component: ICAL.Component, property: string, readMoments: ReadMoments): Moment {
  const [moment] = readMoments(component, property)
  if (!moment) throw new WrongValue(property, `${aDate}, but ${property.toUpperCase()} is missing`, '')
  return moment
}
