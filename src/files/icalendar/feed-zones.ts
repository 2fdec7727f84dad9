import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { nearestWall, wallMs } from '../../time/dates.ts'
import { fromUtc, offsetsOf, offsetText } from '../../time/zone.ts'
import { isZone } from '../../time/zone-name.ts'
import { displayName } from './display-name.ts'
import { unreadable } from './parse-components.ts'
import { rawOf, WrongValue } from './properties.ts'

/** What wall times stand in: a zone with a name of its own, one that only the file describes, or none at all. */
export interface Zone {
  /** An IANA name; none for zones that only the file describes, and for times that stand in no zone. */
  readonly name?: string
  readonly isFloating: boolean
  toUtc(wall: string): string
  fromUtc(utc: string): string
}

/** The zone of an IANA name, or of a `UTC+N`. */
export const named = (name: string): Zone => ({
  name,
  isFloating: false,
  toUtc: wall => firstUtc(wall, name),
  fromUtc: utc => fromUtc(utc, name),
})

/** As RFC 5545 (3.3.5) has it: a time that clocks skip is moved forward, of one that comes twice the first is meant. */
function firstUtc(wall: string, name: string): string {
  const { earlier, later, exists } = offsetsOf(wall, name)
  return nearestWall(wallMs(wall) - (exists ? earlier : later))
}

/** No zone: times that mean the clock of whoever looks. */
export const floating: Zone = { isFloating: true, toUtc: wall => wall, fromUtc: utc => utc }

/** The same moment as wall time of another zone; times that stand in no zone stay as they are. */
export function inZone(wall: string, from: Zone, to: Zone): string {
  const isSame = from === to || (from.name !== undefined && from.name === to.name)
  return isSame || from.isFloating || to.isFloating ? wall : to.fromUtc(from.toUtc(wall))
}

/** The wall time of a moment in a zone, with its offset where that wall time comes twice. */
export function shownIn({ name, fromUtc }: Zone, utc: string): string {
  const wall = fromUtc(utc)
  const { earlier, later } = name === undefined ? { earlier: 0, later: 0 } : offsetsOf(wall, name)
  return earlier === later ? wall : `${wall.replace(' ', 'T')}${offsetText(wallMs(wall) - wallMs(utc))}`
}

/**
 * The zone that a TZID means: an IANA name, also at the end of a path, or where a program kept it beside its own name; one of
 * Windows' names, or what Windows shows, of which the `preferred` zone is taken if it is one of its; otherwise what the file
 * describes, whose times are mistakes where that cannot be followed; otherwise the offset that it begins with.
 */
export function zoneOf(id: string, calendar: ICAL.Component, preferred: string | undefined): Zone | undefined {
  const bare = id.replace(/^"|"$/g, '')
  const described = calendar.getAllSubcomponents('vtimezone').find(zone => rawOf(zone, 'tzid') === id)
  const location = described && rawOf(described, 'x-lic-location')
  const path = /(?:^|\/)([A-Za-z_]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?)$/.exec(bare)?.[1]
  const shown = displayName(bare)
  const windows: readonly string[] = [...findIana(bare), ...(shown?.zones ?? [])]
  const ours = preferred !== undefined && windows.includes(preferred) ? preferred : windows[0]
  const name = [bare, path, ours, location].find(name => name !== undefined && isZone(name))
  if (name === undefined && described) return describedBy(described, id)
  return name === undefined ? shown && named(shown.fixed) : named(name)
}

function describedBy(description: ICAL.Component, id: string): Zone {
  const zone = new ICAL.Timezone({ component: description, tzid: id })
  const observances = description.getAllSubcomponents()
  const isSound = observances.length > 0 && observances.every(isFollowed)
  const convert = (wall: string, from: ICAL.Timezone, to: ICAL.Timezone) => {
    const wrong = new WrongValue('tzid', 'a time zone with a known name, or one that is described as it should be', id)
    if (!isSound) throw wrong
    try {
      return converted(wall, from, to)
    } catch {
      throw wrong
    }
  }
  return {
    isFloating: false,
    toUtc: wall => convert(wall, zone, ICAL.Timezone.utcTimezone),
    fromUtc: utc => convert(utc, ICAL.Timezone.utcTimezone, zone),
  }
}

/** Whether it says when clocks change and how far; such that change every second would be followed for ever. */
const isFollowed = (observance: ICAL.Component): boolean => {
  const [rule] = observance.getAllProperties('rrule')
  const says = (property: string) => observance.hasProperty(property)
  return (
    ['dtstart', 'tzoffsetfrom', 'tzoffsetto'].every(says) &&
    !says(unreadable) &&
    (rule === undefined || /\bFREQ=(YEARLY|MONTHLY)\b/i.test(rule.toICALString()))
  )
}

function converted(wall: string, from: ICAL.Timezone, to: ICAL.Timezone): string {
  const time = ICAL.Time.fromDateTimeString(wall.replace(' ', 'T'))
  time.zone = from
  return time.convertToZone(to).toString().slice(0, 19).replace('T', ' ')
}
