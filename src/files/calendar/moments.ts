import ICAL from 'ical.js'
import { msWall, readDate, wallMs } from '../../time/dates.ts'
import type { Notice } from '../record.ts'
import { rawOf, valuesOf, WrongValue } from './values.ts'
import { floating, inZone, named, type Zone, zoneOf } from './zones.ts'

/** A property's date: a wall time `YYYY-MM-DD HH:MM:SS` in a zone, or a whole day. */
export interface Moment {
  readonly wall: string
  readonly zone: Zone
  readonly isDay: boolean
}

/** Reads the dates of a component's property. */
export type ReadMoments = (component: ICAL.Component, property: string) => Moment[]

/** Makes what reads the dates of a calendar's components; says once of each zone that it is not known. */
export function momentReader(calendar: ICAL.Component, preferred: string | undefined, notice: Notice): ReadMoments {
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
      return timesOf(read).map(time => momentOf(time, property, id ? known(id) : floating))
    })
}

const expected = 'a date such as 20261205T190000'

function timesOf(property: ICAL.Property): ICAL.Time[] {
  // A day that does not say it is one, as many feeds have it.
  const [, day] = /^(\d{4}-\d{2}-\d{2})T::$/.exec(rawOf(property)) ?? []
  if (day) return [ICAL.Time.fromDateString(day)]
  return valuesOf(property, expected).flatMap(value =>
    value instanceof ICAL.Time ? value : value instanceof ICAL.Period ? value.start : [],
  )
}

function momentOf(time: ICAL.Time, property: string, zone: Zone): Moment {
  const wall = readDate(time.toString())?.wall
  if (wall === undefined) throw new WrongValue(property, expected, time.toString())
  const isUtc = time.zone === ICAL.Timezone.utcTimezone
  return { wall, zone: isUtc ? utc : zone, isDay: time.isDate }
}

const utc = named('UTC')

const day = 86_400_000

/** How long an event lasts in ms: to DTEND, or for DURATION; a whole day, or nothing, where neither is said. */
export function lengthOf(component: ICAL.Component, readMoments: ReadMoments): number {
  const [start] = readMoments(component, 'dtstart')
  const [end] = readMoments(component, 'dtend')
  if (!start) return 0
  const [duration] = component
    .getAllProperties('duration')
    .flatMap(read => valuesOf(read, 'a duration such as PT1H30M'))
  const ms = end
    ? wallMs(inZone(end.wall, end.zone, start.zone)) - wallMs(start.wall)
    : duration instanceof ICAL.Duration
      ? duration.toSeconds() * 1000
      : 0
  return start.isDay ? Math.max(day, ms) : Math.max(0, ms)
}

/** The last moment of an event: whole days end with their last second, not with the next day. */
export const endOf = (start: string, length: number, isDay: boolean): string =>
  msWall(wallMs(start) + length - (isDay ? 1000 : 0))
