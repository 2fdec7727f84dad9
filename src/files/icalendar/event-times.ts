import ICAL from 'ical.js'
import { readDate, wallInRange, wallMs } from '../../time/dates.ts'
import type { Notice } from '../records/file-record.ts'
import { floating, inZone, named, type Zone, zoneOf } from './feed-zones.ts'
import { valuesOf, WrongValue } from './properties.ts'

/** A property's date: a wall time `YYYY-MM-DD HH:MM:SS` in a zone, or a whole day. */
export interface Moment {
  readonly wall: string
  readonly zone: Zone
  readonly isDay: boolean
  /** Of a period, its end or how long it is, as it stands there. */
  readonly period?: string
}

/** Reads the dates of a component's property. */
export type ReadMoments = (component: ICAL.Component, property: string) => Moment[]

/** The zones of a calendar. */
interface CalendarZones {
  /** Where times stand that name no zone. */
  readonly own: Zone
  /** The zone of the calendar that the records are for. */
  readonly preferred: string | undefined
}

/** Makes what reads the dates of a calendar's components; says once of each zone that it is not known. */
export function momentReader(calendar: ICAL.Component, { own, preferred }: CalendarZones, notice: Notice): ReadMoments {
  const zones = new Map<string, Zone>()
  const known = (id: string): Zone => {
    const before = zones.get(id)
    if (before) return before
    const zone = zoneOf(id, calendar, preferred)
    if (!zone) notice(`the time zone "${id}" is not known: its times are taken as they stand`)
    zones.set(id, zone ?? floating)
    return zone ?? floating
  }
  return (component, property) =>
    component.getAllProperties(property).flatMap(read => {
      const id = read.getFirstParameter('tzid')
      return valuesOf(read).map(text => momentIn(text, property, id ? known(id) : own))
    })
}

/** What a date of a feed is to look like. */
export const aDate = 'a date such as 20261205T190000'

function momentIn(text: string, property: string, zone: Zone): Moment {
  const [, year, month, day, hour, minute = '00', second = '00', isUtc, period] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?)(?:\/(.*))?)?$/i.exec(text) ?? []
  const wall = readDate(`${year}-${month}-${day} ${hour ?? '00'}:${minute}:${second}`)?.wall
  if (wall === undefined) throw new WrongValue(property, aDate, text)
  return { wall, zone: isUtc ? utc : zone, isDay: hour === undefined, ...(period !== undefined && { period }) }
}

const utc = named('UTC')

const day = 86_400_000

/** How long an event lasts, in ms: by the clock on the wall, and beyond that by what really passes. */
export interface Length {
  readonly wall: number
  readonly exact: number
  /** As the event says it, where it does. */
  readonly said?: string
}

/** How long an event lasts: to DTEND, or for DURATION; a whole day, or nothing, where neither is said. */
export function lengthOf(component: ICAL.Component, readMoments: ReadMoments): Length {
  const [start] = readMoments(component, 'dtstart')
  if (!start) return { wall: 0, exact: 0 }
  const length = lengthToEnd(component, start, readMoments) ?? lengthSaid(component)
  return start.isDay ? { ...length, wall: Math.max(day, length.wall + length.exact), exact: 0 } : length
}

function lengthToEnd(component: ICAL.Component, start: Moment, readMoments: ReadMoments): Length | undefined {
  const [end] = readMoments(component, 'dtend')
  return end && between(start, end, 'dtend')
}

function between(start: Moment, end: Moment, property: string): Length {
  const wall = wallMs(inZone(end.wall, end.zone, start.zone)) - wallMs(start.wall)
  if (wall >= 0) return { wall, exact: 0 }
  const expected = `an end after ${start.wall.slice(0, 16)} (the event would end before it starts)`
  throw new WrongValue(property, expected, end.wall.slice(0, 16))
}

function lengthSaid(component: ICAL.Component): Length {
  const [text] = component.getAllProperties('duration').flatMap(valuesOf)
  return text === undefined ? { wall: 0, exact: 0 } : lengthIn(text)
}

/** How long a date of a series lasts that is a period; undefined for one that is none. */
export function lengthOfPeriod(start: Moment): Length | undefined {
  if (start.period === undefined) return undefined
  if (/^[+-]?P/i.test(start.period)) return lengthIn(start.period)
  return between(start, momentIn(start.period, 'rdate', start.zone), 'rdate')
}

/** Days and weeks keep the hour when clocks change; hours, minutes and seconds are what they are. */
function lengthIn(text: string): Length {
  const { weeks, days, hours, minutes, seconds, isNegative } = durationIn(text)
  if (isNegative)
    throw new WrongValue('duration', 'a duration without a minus (the event would end before it starts)', text)
  return { wall: (weeks * 7 + days) * day, exact: ((hours * 60 + minutes) * 60 + seconds) * 1000, said: text }
}

/** ical.js takes texts for durations that it then cannot read. */
function durationIn(text: string): ICAL.Duration {
  try {
    if (ICAL.Duration.isValueString(text) && /\d/.test(text) && !/.-/.test(text)) return ICAL.Duration.fromString(text)
  } catch {}
  throw new WrongValue('duration', 'a duration such as PT1H30M', text)
}

/** When an event begins that is planned for a time: later where clocks skip that time. */
export const beginning = (planned: Moment): Moment =>
  planned.isDay ? planned : { ...planned, wall: planned.zone.fromUtc(planned.zone.toUtc(planned.wall)) }

/** The last moment of an event: whole days end with their last second, not with the next day. */
export function endOf(start: Moment, { wall, exact, said = '' }: Length): Moment {
  const after = (from: string, length: number): string => {
    const end = wallInRange(wallMs(from) + length)
    if (end === undefined) throw new WrongValue('duration', 'an end before the year 10000', said)
    return end
  }
  const end = after(start.wall, wall - (start.isDay ? 1000 : 0))
  if (exact === 0) return { ...start, wall: end }
  return { ...start, wall: after(start.zone.toUtc(end), exact), zone: start.zone.isFloating ? floating : utc }
}
