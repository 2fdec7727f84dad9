import ICAL from 'ical.js'
import { findIana, findWindows } from 'windows-iana'
import { nearestWall, wallMs } from '../../time/dates.ts'
import { fromUtc, offsetsOf, offsetText } from '../../time/zone.ts'
import { isZone } from '../../time/zone-name.ts'
import { invalidLine } from './parse-components.ts'
import { firstValueOf, InvalidProperty } from './properties.ts'

/** The zone of a feed's times: a named one, one that only a VTIMEZONE of the feed defines, or none (`floating`). */
export interface FeedZone {
  /** An IANA name or a `UTC+N`; undefined for zones that only a VTIMEZONE defines, and for floating times. */
  readonly name?: string
  readonly isFloating: boolean
  toUtc(wall: string): string
  fromUtc(utc: string): string
}

/** The zone with an IANA name, or with a `UTC+N`. */
export const zoneNamed = (name: string): FeedZone => ({
  name,
  isFloating: false,
  toUtc: wall => utcOf(wall, name),
  fromUtc: utc => fromUtc(utc, name),
})

/** RFC 5545, 3.3.5: a time that clocks skip moves forward; of a time that occurs twice, the first one counts. */
function utcOf(wall: string, name: string): string {
  const { earlier, later, exists } = offsetsOf(wall, name)
  return nearestWall(wallMs(wall) - (exists ? earlier : later))
}

/** Times without a zone, which mean local time wherever they are read (RFC 5545, 3.3.5, form 1). */
export const floating: FeedZone = { isFloating: true, toUtc: wall => wall, fromUtc: utc => utc }

/** The same moment as wall time of another zone; floating times stay as they are. */
export function convertWall(wall: string, from: FeedZone, to: FeedZone): string {
  const isSame = from === to || (from.name !== undefined && from.name === to.name)
  return isSame || from.isFloating || to.isFloating ? wall : to.fromUtc(from.toUtc(wall))
}

/** The wall time of a moment in a zone, with its offset if that wall time occurs twice. */
export function renderWall(utc: string, zone: FeedZone): string {
  const wall = zone.fromUtc(utc)
  if (zone.name === undefined) return wall
  const { earlier, later } = offsetsOf(wall, zone.name)
  return earlier === later ? wall : `${wall.replace(' ', 'T')}${offsetText(wallMs(wall) - wallMs(utc))}`
}

/**
 * The zone of a TZID. Programs write many names; in this order:
 * 1. an IANA name, alone or at the end of a path (`/freeassociation.sourceforge.net/Europe/Madrid`);
 * 2. a Windows name or label; of the zones it covers, `preferred` if it is one of them;
 * 3. the X-LIC-LOCATION of its VTIMEZONE;
 * 4. the offsets of its VTIMEZONE; if they are invalid, each of its times throws `InvalidProperty`;
 * 5. the offset at the beginning of a label.
 */
export function resolveTzid(
  tzid: string,
  calendar: ICAL.Component,
  preferred: string | undefined,
): FeedZone | undefined {
  const bare = tzid.replace(/^"|"$/g, '')
  const vtimezone = calendar.getAllSubcomponents('vtimezone').find(zone => firstValueOf(zone, 'tzid') === tzid)
  const location = vtimezone && firstValueOf(vtimezone, 'x-lic-location')
  const pathEnd = /(?:^|\/)([A-Za-z_]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?)$/.exec(bare)?.[1]
  const label = parseZoneLabel(bare)
  const candidates: readonly string[] = [...findIana(bare), ...(label?.zones ?? [])]
  const windows = preferred !== undefined && candidates.includes(preferred) ? preferred : candidates[0]
  const name = [bare, pathEnd, windows, location].find(name => name !== undefined && isZone(name))
  if (name !== undefined) return zoneNamed(name)
  if (vtimezone) return zoneOfVtimezone(vtimezone, tzid)
  return label && zoneNamed(label.offset)
}

/** A name that programs show people: `(UTC+01:00) Brussels, Copenhagen, Madrid, Paris`, or only `GMT+0200`. */
interface ZoneLabel {
  /** The IANA names that it can mean, the most likely first. */
  readonly zones: readonly string[]
  /** Its offset as a zone: `UTC+2`, `UTC+5.5`. */
  readonly offset: string
}

/** Parses a label that begins with an offset; undefined for other names. */
function parseZoneLabel(name: string): ZoneLabel | undefined {
  const match = /^\(?(?:UTC|GMT)\s*(?:([+-])(\d{1,2})(?:[:.]?([0-5]\d))?)?\)?\s*(.*)$/i.exec(name)
  if (!match) return undefined
  const [, sign, hours = '0', minutes = '0', places = ''] = match
  const size = Number(hours) * 60 + Number(minutes)
  // Without an offset only `(UTC) …` is a label: `GMT Standard Time` and `GMT` are names.
  if (size > maxOffset || (sign === undefined && !name.startsWith('('))) return undefined
  const offset = sign === '-' ? -size : size
  const windowsName = /^(\w[\w. -]*) Time\b/.exec(places)?.[1]
  const candidates = windowsName ? findIana(`${windowsName} Standard Time`) : zonesOfCities(places)
  const zones = candidates.filter(zone => hasOffset(zone, offset))
  return { zones: [...new Set(zones.flatMap(zone => [zone, ...sameWindowsZone(zone)]))], offset: offsetName(offset) }
}

const maxOffset = 14 * 60

function offsetName(offset: number): string {
  if (offset === 0) return 'UTC'
  return `UTC${offset < 0 ? '' : '+'}${offset / 60}`
}

/** The zones named after one of these cities: `Brussels, Copenhagen, Madrid, Paris`. */
function zonesOfCities(places: string): string[] {
  const cities = places.split(/\s*[,/]\s*/).map(normalizeCity)
  const cityOf = (zone: string) => normalizeCity(zone.replace(/^.*\//, ''))
  return Intl.supportedValuesOf('timeZone')
    .filter(zone => cities.includes(cityOf(zone)))
    .toSorted((one, other) => cities.indexOf(cityOf(one)) - cities.indexOf(cityOf(other)))
}

const normalizeCity = (city: string): string =>
  city.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('_', ' ').toLowerCase()

/** Whether a zone has this offset in winter or in summer: some cities share a name. */
const hasOffset = (zone: string, offset: number): boolean =>
  ['2026-01-15 12:00:00', '2026-07-15 12:00:00'].some(
    utc => wallMs(fromUtc(utc, zone)) - wallMs(utc) === offset * 60_000,
  )

/** Windows has one zone for several of IANA's. */
const sameWindowsZone = (zone: string): string[] => findWindows(zone).flatMap(windows => findIana(windows))

function zoneOfVtimezone(vtimezone: ICAL.Component, tzid: string): FeedZone {
  const zone = new ICAL.Timezone({ component: vtimezone, tzid })
  const observances = vtimezone.getAllSubcomponents()
  const isValid = observances.length > 0 && observances.every(isValidObservance)
  const convert = (wall: string, from: ICAL.Timezone, to: ICAL.Timezone) => {
    const invalid = new InvalidProperty('tzid', 'the name of a time zone, or one that has a valid VTIMEZONE', tzid)
    if (!isValid) throw invalid
    try {
      return convertTime(wall, from, to)
    } catch {
      throw invalid
    }
  }
  return {
    isFloating: false,
    toUtc: wall => convert(wall, zone, ICAL.Timezone.utcTimezone),
    fromUtc: utc => convert(utc, ICAL.Timezone.utcTimezone, zone),
  }
}

/** Whether ical.js can compute offsets from it; with a rule such as FREQ=SECONDLY it would not return. */
function isValidObservance(observance: ICAL.Component): boolean {
  const [rule] = observance.getAllProperties('rrule')
  const has = (property: string) => observance.hasProperty(property)
  return (
    ['dtstart', 'tzoffsetfrom', 'tzoffsetto'].every(has) &&
    !has(invalidLine) &&
    (rule === undefined || /\bFREQ=(YEARLY|MONTHLY)\b/i.test(rule.toICALString()))
  )
}

function convertTime(wall: string, from: ICAL.Timezone, to: ICAL.Timezone): string {
  const time = ICAL.Time.fromDateTimeString(wall.replace(' ', 'T'))
  time.zone = from
  return time.convertToZone(to).toString().slice(0, 19).replace('T', ' ')
}
