import { findIana, findWindows } from 'windows-iana'
import { wallMs } from '../../time/dates.ts'
import { fromUtc } from '../../time/zone.ts'

/** What a name says that programs show people: `(UTC+01:00) Brussels, Copenhagen, Madrid, Paris`, or `GMT+0200` alone. */
interface DisplayName {
  /** IANA names that it can mean, the likeliest first. */
  readonly zones: readonly string[]
  /** Its offset, as a zone: `UTC+2`, `UTC+5.5`. */
  readonly fixed: string
}

/** Reads a name of a time zone that begins with an offset; undefined for any other. */
export function displayName(name: string): DisplayName | undefined {
  const [whole, sign, hours = '0', minutes = '0', places = ''] =
    /^\(?(?:UTC|GMT)\s*(?:([+-])(\d{1,2})(?:[:.]?([0-5]\d))?)?\)?\s*(.*)$/i.exec(name) ?? []
  const size = Number(hours) * 60 + Number(minutes)
  if (whole === undefined || size > furthest || (sign === undefined && !name.startsWith('('))) return undefined
  const offset = sign === '-' ? -size : size
  const [, clock] = /^(\w[\w. -]*) Time\b/.exec(places) ?? []
  const zones = (clock ? findIana(`${clock} Standard Time`) : citiesIn(places)).filter(zone => has(zone, offset))
  return { zones: [...new Set(zones.flatMap(zone => [zone, ...alike(zone)]))], fixed: named(offset) }
}

const furthest = 14 * 60

const named = (offset: number): string => (offset === 0 ? 'UTC' : `UTC${offset < 0 ? '' : '+'}${offset / 60}`)

/** The zones that have one of these cities in their names. */
function citiesIn(places: string): string[] {
  const cities = places.split(/\s*[,/]\s*/).map(folded)
  const cityOf = (zone: string) => folded(zone.replace(/^.*\//, ''))
  return Intl.supportedValuesOf('timeZone')
    .filter(zone => cities.includes(cityOf(zone)))
    .toSorted((one, other) => cities.indexOf(cityOf(one)) - cities.indexOf(cityOf(other)))
}

const folded = (city: string): string => city.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('_', ' ').toLowerCase()

/** Whether clocks show this offset there in one half of the year: there are cities of one name. */
const has = (zone: string, offset: number): boolean =>
  ['2026-01-15 12:00:00', '2026-07-15 12:00:00'].some(
    utc => wallMs(fromUtc(utc, zone)) - wallMs(utc) === offset * 60_000,
  )

/** Windows has one zone for many of IANA's. */
const alike = (zone: string): string[] => findWindows(zone).flatMap(windows => findIana(windows))
