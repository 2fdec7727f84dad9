import { memoize } from '../../base/memoize.ts'
import { dayLength, readDate, wallInRange, wallMs } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Notice } from '../records/file-record.ts'
import type { Component, Property } from './component.ts'
import {
  ambiguousZone,
  contradictsFeed,
  convertWall,
  type FeedZone,
  floatingIn,
  isAbbreviation,
  resolveTzid,
  zoneNamed,
  zoneOfTwoOffsets,
  zoneWithOffset,
} from './feed-zones.ts'
import { InvalidProperty } from './invalid-property.ts'
import { firstValueOf, valuesOf } from './parse-components.ts'

/** A DATE-TIME or DATE of a feed: a wall time `YYYY-MM-DD HH:MM:SS` in a zone. */
export interface EventTime {
  readonly wall: string
  readonly zone: FeedZone
  /** Whether it is a DATE, a day without a time. */
  readonly isDay: boolean
  /** For a PERIOD, what comes after the slash: its end or its duration, not parsed. */
  readonly period?: string
}

/** Parses the dates of a component's property; throws `InvalidProperty`. */
export type ReadTimes = (component: Component, property: string) => EventTime[]

/**
 * Creates the date parser for a calendar, with the zone that the feed names for itself, and that of the calendar for which it is read. It
 * reports each unknown time zone once.
 */
export function createReadTimes(
  calendar: Component,
  own: FeedZone | undefined,
  preferred: string | undefined,
  notice: Notice,
): ReadTimes {
  const defaultZone = own ?? floatingIn(preferred)
  const zoneOf = memoize((tzid): FeedZone => {
    const surroundings = { calendar, preferred, ownZone: own?.name }
    const zone = resolveTzid(tzid, surroundings)
    const assumed = zoneOfTwoOffsets(tzid, preferred)
    if (assumed !== undefined && zone?.name === assumed)
      notice(phrase('time zone "{tzid}" is read as {zone}, which has these offsets', { tzid, zone: assumed }))
    if (zone?.name && contradictsFeed(tzid, zone, calendar))
      notice(
        phrase('time zone "{tzid}" is read as {zone}, whose hours differ from those of its VTIMEZONE', {
          tzid,
          zone: zone.name,
        }),
      )
    if (zone) return zone
    if (!isAbbreviation(tzid)) {
      notice(phrase('unknown time zone "{tzid}": its times are read as local times', { tzid }))
      return floatingIn(preferred)
    }
    const certain = ambiguousZone(tzid, surroundings)
    if (certain === undefined)
      throw new InvalidProperty(
        'tzid',
        phrase('the name of a time zone such as Europe/Madrid, not an abbreviation'),
        tzid,
      )
    notice(phrase('time zone "{tzid}" is read as {zone}, where clocks show {tzid}', { tzid, zone: certain }))
    return zoneNamed(certain)
  })
  return (component, name) =>
    component.all(name).flatMap(property => {
      const tzid = property.parameters.get('tzid')
      const zone = tzid ? () => zoneOf(tzid) : () => defaultZone
      return valuesOf(property).map(text => asMeant(parseTime(text, name, zone), { component, property, zone }))
    })
}

/** Whether programs mark an event as one of whole days, though its times are those of midnight. */
const saysAllDay = (component: Component): boolean =>
  ['x-microsoft-cdo-alldayevent', 'x-microsoft-msncalendar-alldayevent', 'x-funambol-allday'].some(name =>
    /^(true|1)$/i.test(firstValueOf(component, name)),
  )

/** A midnight of an event of whole days as a day, and a day whose end has an hour as the midnight at which it begins. */
function asMeant(
  time: EventTime,
  { component, property, zone }: { component: Component; property: Property; zone: () => FeedZone },
): EventTime {
  const isDay = /^date$/i.test(property.parameters.get('value') ?? '') || saysAllDay(component)
  if (isDay && time.wall.endsWith('00:00:00')) return { ...time, zone: zone(), isDay }
  const endsAtHour = time.isDay && property.name === 'dtstart' && /T(?!0000)/i.test(firstValueOf(component, 'dtend'))
  return endsAtHour ? { ...time, isDay: false } : time
}

/** Completes "expected …". */
const dateExample = (): string => phrase('a date such as {example}', { example: '20261205T190000' })

function parseTime(text: string, property: string, zone: () => FeedZone): EventTime {
  const written = readWritten(text)
  if (!written) throw new InvalidProperty(property, dateExample(), text)
  const { wall, offset, isDay, period } = written
  return { wall, zone: offset === undefined ? zone() : zoneAt(offset), isDay, period }
}

/** A date as written in a feed, before its zone is known; undefined if the text is not a date. */
const readWritten = memoize(text => {
  const match = dateForm.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute = '00', second = '00', offset, period] = match
  const wall = readDate(`${year}-${month}-${day} ${hour ?? '00'}:${minute}:${second}`)?.wall
  return wall === undefined ? undefined : { wall, offset, isDay: hour === undefined, period }
})

/** Dates as in RFC 5545, and with the signs of ISO 8601, which programs write instead. */
const dateForm = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(Z|[+-]\d\d:?\d\d)?(?:\/(.*))?)?$/i

const utc = zoneNamed('UTC')

const zoneAt = (offset: string): FeedZone => (/^z$/i.test(offset) ? utc : zoneWithOffset(offset))

/**
 * A duration in ms. By RFC 5545, 3.3.6, days and weeks are nominal, so that an event keeps its hour when clocks change; hours, minutes and
 * seconds are exact.
 */
export interface EventDuration {
  readonly nominal: number
  readonly exact: number
  /** The DURATION as written in the feed. */
  readonly text?: string
}

/**
 * The duration of an event by its DTEND or DURATION; without them, one day for a DATE and none for a DATE-TIME (RFC 5545, 3.6.1). Not a
 * question for `readWhen`: these are exact values with one meaning each, in two zones, of which a last DATE is not part of the event
 * (3.6.1), and the answer is a length, which the other dates of a series need, too.
 */
export function durationOf(component: Component, readTimes: ReadTimes): EventDuration {
  const [start] = readTimes(component, 'dtstart')
  if (!start) return { nominal: 0, exact: 0 }
  const [end] = readTimes(component, 'dtend')
  const duration = end ? durationBetween(start, end, 'dtend') : durationProperty(component)
  return start.isDay
    ? { ...duration, nominal: Math.max(dayLength, duration.nominal + duration.exact), exact: 0 }
    : duration
}

function durationBetween(start: EventTime, end: EventTime, property: string): EventDuration {
  const nominal = wallMs(convertWall(end.wall, end.zone, start.zone)) - wallMs(start.wall)
  if (nominal >= 0) return { nominal, exact: 0 }
  const expected = phrase('an end after {start} (the event would end before it starts)', {
    start: start.wall.slice(0, 16),
  })
  throw new InvalidProperty(property, expected, end.wall.slice(0, 16))
}

function durationProperty(component: Component): EventDuration {
  const [text] = component.all('duration').flatMap(valuesOf)
  return text === undefined ? { nominal: 0, exact: 0 } : parseDuration(text)
}

/** The duration of an RDATE that is a PERIOD; undefined for other dates. */
export function periodDuration(start: EventTime): EventDuration | undefined {
  if (start.period === undefined) return undefined
  if (/^[+-]?P/i.test(start.period)) return parseDuration(start.period)
  const end = parseTime(start.period, 'rdate', () => start.zone)
  return durationBetween(start, end, 'rdate')
}

/** RFC 5545, 3.3.6 */
const durationForm = /^([+-]?)P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i

function parseDuration(text: string): EventDuration {
  const match = durationForm.exec(text)
  if (!match)
    throw new InvalidProperty('duration', phrase('a duration such as {example}', { example: 'PT1H30M' }), text)
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(2).map(digits => Number(digits ?? 0))
  if (match[1] === '-')
    throw new InvalidProperty(
      'duration',
      phrase('a duration without a minus (the event would end before it starts)'),
      text,
    )
  return { nominal: (weeks * 7 + days) * dayLength, exact: ((hours * 60 + minutes) * 60 + seconds) * 1000, text }
}

/** The start of an event; later than planned if clocks skip that time. */
export const actualStart = (planned: EventTime): EventTime =>
  planned.isDay || planned.zone.isUnique(planned.wall)
    ? planned
    : { ...planned, wall: planned.zone.fromUtc(planned.zone.toUtc(planned.wall)) }

/** The end of an event. All-day events end with the last second of a day in the API, and with the next day in iCalendar. */
export function endTime(start: EventTime, { nominal, exact, text = '' }: EventDuration): EventTime {
  const add = (wall: string, duration: number): string => {
    const end = wallInRange(wallMs(wall) + duration)
    if (end === undefined) throw new InvalidProperty('duration', phrase('an end before the year 10000'), text)
    return end
  }
  const end = add(start.wall, nominal - (start.isDay ? 1000 : 0))
  if (exact === 0) return { ...start, wall: end }
  return { ...start, wall: add(start.zone.toUtc(end), exact), zone: utc }
}

/** A time as wall time in the zone of this one; a day is the same day anywhere. */
export const wallInZoneOf = ({ zone, isDay }: EventTime, time: EventTime): string =>
  isDay || time.isDay ? time.wall : convertWall(time.wall, time.zone, zone)

/** The first date of a property. */
export function firstTime(component: Component, property: string, readTimes: ReadTimes): EventTime {
  const [time] = readTimes(component, property)
  if (!time) throw new InvalidProperty(property, dateExample(), '')
  return time
}
