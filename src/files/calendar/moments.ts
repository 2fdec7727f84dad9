import ICAL from 'ical.js'
import { msWall, readDate, wallMs } from '../../time/dates.ts'
import type { Notice } from '../record.ts'
import { floating, inZone, named, type Zone, zoneOf } from './zones.ts'

/** A property's date: a wall time `YYYY-MM-DD HH:MM:SS` in a zone, or a whole day. */
export interface Moment {
  readonly wall: string
  readonly zone: Zone
  readonly isDay: boolean
}

/** A date of the feed that cannot be read. */
export class WrongDate extends Error {
  constructor(
    readonly property: string,
    readonly given: string,
  ) {
    super(`${property}: ${given}`)
  }
}

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
      return valuesOf(read).map(time => momentOf(time, property, id ? known(id) : floating))
    })
}

function valuesOf(property: ICAL.Property): ICAL.Time[] {
  try {
    return property.getValues().map(value => (value instanceof ICAL.Period ? value.start : value)) as ICAL.Time[]
  } catch {
    const [, , , given] = property.toJSON().map(String)
    // A day that does not say it is one, as many feeds have it.
    if (given && /^\d{4}-\d{2}-\d{2}T::$/.test(given)) return [ICAL.Time.fromDateString(given.slice(0, 10))]
    throw new WrongDate(property.name, given ?? '')
  }
}

function momentOf(time: ICAL.Time, property: string, zone: Zone): Moment {
  const wall = readDate(time.toString())?.wall
  if (wall === undefined) throw new WrongDate(property, time.toString())
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
  const duration = component.getFirstPropertyValue('duration')
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
