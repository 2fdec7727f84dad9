import { findIana, findWindows } from 'windows-iana'
import { memoize } from '../../base/memoize.ts'
import { foldCase } from '../../base/text/folding.ts'
import { nearestWall, readDate, wallMs } from '../../base/time/dates.ts'
import { abbreviation, fromUtc, isLegacyZone, isZone, offsetAt, offsetsBy, offsetText } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Component } from './component.ts'
import { InvalidProperty, orUndefined } from './invalid-property.ts'
import { firstValueOf, valuesOf } from './parse-components.ts'
import { datesOf, parseRule, type RuleParts } from './rule-dates.ts'

/** The zone of times in a feed: one with a name, one that only a VTIMEZONE of the feed defines, or none (`floating`). */
export interface FeedZone {
  /** An IANA name or `UTC+N`; undefined for zones that only a VTIMEZONE defines, and for floating times. */
  readonly name?: string
  readonly isFloating: boolean
  toUtc(wall: string): string
  fromUtc(utc: string): string
  /** The wall time of a moment, with its offset if that wall time occurs twice. */
  render(utc: string): string
  /** Whether a wall time occurs once. */
  isUnique(wall: string): boolean
}

/** The zone with an IANA name, or with a `UTC+N`. */
export const zoneNamed = memoize((name): FeedZone => ({ ...zoneOfOffsets(ms => offsetAt(ms, name)), name }))

/** The zone of an offset, `+0200`: it says when something is, not where. */
export const zoneWithOffset = memoize((offset): FeedZone => zoneOfOffsets(() => readOffset(offset) ?? 0))

function zoneOfOffsets(offsetAt: (ms: number) => number): FeedZone {
  const fromUtc = (utc: string) => nearestWall(wallMs(utc) + offsetAt(wallMs(utc)))
  const offsetsOf = memoize(wall => offsetsBy(wall, offsetAt))
  return {
    isFloating: false,
    // RFC 5545, 3.3.5: a time that clocks skip moves forward; if a time occurs twice, the first one counts.
    toUtc(wall) {
      const { earlier, later, exists } = offsetsOf(wall)
      return nearestWall(wallMs(wall) - (exists ? earlier : later))
    },
    fromUtc,
    isUnique(wall) {
      const { earlier, later } = offsetsOf(wall)
      return earlier === later
    },
    render(utc) {
      const wall = fromUtc(utc)
      const { earlier, later } = offsetsOf(wall)
      return earlier === later ? wall : `${wall.replace(' ', 'T')}${offsetText(wallMs(wall) - wallMs(utc))}`
    },
  }
}

/**
 * Times without a zone mean local time wherever they are read (RFC 5545, 3.3.5, form 1): here, in the zone of the calendar, which has gaps
 * and repeated hours.
 */
export const floatingIn = (local: string | undefined): FeedZone =>
  local === undefined
    ? { isFloating: true, toUtc: wall => wall, fromUtc: utc => utc, render: utc => utc, isUnique: () => true }
    : { ...zoneOfOffsets(ms => offsetAt(ms, local)), isFloating: true }

/** The same moment as wall time in another zone; floating times stay as they are. */
export function convertWall(wall: string, from: FeedZone, to: FeedZone): string {
  const isSame = from === to || (from.name !== undefined && from.name === to.name)
  return isSame || from.isFloating || to.isFloating ? wall : to.fromUtc(from.toUtc(wall))
}

interface Surroundings {
  readonly calendar: Component
  /** The zone of the calendar for which the events are read. */
  readonly preferred: string | undefined
  /** The zone that the feed names for itself. */
  readonly ownZone?: string | undefined
}

/**
 * The zone of a TZID. Programs write many names; they are tried in this order:
 * 1. an IANA name, alone or at the end of a path (`/freeassociation.sourceforge.net/Europe/Madrid`);
 * 2. a Windows name or label, which covers several zones: `preferred` if it is one of them;
 * 3. the X-LIC-LOCATION of its VTIMEZONE;
 * 4. the offsets of its VTIMEZONE; if they are invalid, each of its times throws `InvalidProperty`;
 * 5. the offset at the beginning of a label.
 * An abbreviation such as BST has several meanings: for it, only 3 and 4 count, and otherwise `ambiguousZone` decides.
 */
export function resolveTzid(tzid: string, { calendar, preferred }: Surroundings): FeedZone | undefined {
  const bare = bareName(tzid)
  const withSummerTime = zoneOfTwoOffsets(tzid, preferred)
  const vtimezone = vtimezoneOf(tzid, calendar)
  const location = vtimezone && firstValueOf(vtimezone, 'x-lic-location')
  const label = isAbbreviation(bare) ? undefined : parseZoneLabel(bare)
  const names = isAbbreviation(bare) ? [] : namesOf(bare, label, preferred)
  const name = [...names, location].find(name => name !== undefined && isZone(name))
  if (name !== undefined) return zoneNamed(name)
  if (vtimezone) return zoneOfOffsets(offsetsOfVtimezone(vtimezone, tzid))
  return withSummerTime === undefined ? label && zoneNamed(label.offset) : zoneNamed(withSummerTime)
}

const vtimezoneOf = (tzid: string, calendar: Component): Component | undefined =>
  calendar.childrenNamed('vtimezone').find(zone => firstValueOf(zone, 'tzid') === tzid)

/** Whether the VTIMEZONE of a feed has clock changes, and describes another zone than its name says. */
export function contradictsFeed(tzid: string, named: FeedZone, calendar: Component): boolean {
  const vtimezone = vtimezoneOf(tzid, calendar)
  if (!vtimezone || vtimezone.components.length < 2) return false
  const described = zoneOfOffsets(offsetsOfVtimezone(vtimezone, tzid))
  const isOther = (utc: string) => described.fromUtc(utc) !== named.fromUtc(utc)
  return orUndefined(() => ['2027-01-15 12:00:00', '2027-07-15 12:00:00'].some(isOther)) ?? false
}

const bareName = (tzid: string): string => tzid.replace(/^"|"$/g, '')

/** The zones that a label with two offsets most likely means, from west to east. */
const largestZones = [
  ...['America/Los_Angeles', 'America/Denver', 'America/Chicago', 'America/New_York', 'America/Halifax'],
  ...['Atlantic/Azores', 'Europe/London', 'Europe/Paris', 'Europe/Athens', 'Australia/Sydney'],
]

/** `+05:30` in three parts. */
const offsetForm = String.raw`([+-])(\d{1,2})(?:[:.]?([0-5]\d))?`
const twoOffsets = new RegExp(String.raw`^\(?(?:UTC|GMT)\s*${offsetForm}\s*/\s*${offsetForm}\)?$`, 'i')
const labelForm = new RegExp(String.raw`^\(?(?:UTC|GMT)\s*(?:${offsetForm})?\)?\s*(.*)$`, 'i')

function minutesIn([sign, hours = '0', minutes = '0']: readonly (string | undefined)[]): number {
  const size = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -size : size
}

/** The zone of a label with the offsets of winter and summer, `GMT-05.00/-04.00`: that of the calendar, or the largest one with both. */
export function zoneOfTwoOffsets(tzid: string, preferred: string | undefined): string | undefined {
  const match = twoOffsets.exec(bareName(tzid))
  if (!match) return undefined
  const offsets = [minutesIn(match.slice(1, 4)), minutesIn(match.slice(4, 7))]
  const zones = preferred === undefined ? largestZones : [preferred, ...largestZones]
  return zones.find(zone => isZone(zone) && offsets.every(offset => hasOffset(zone, offset)))
}

function namesOf(bare: string, label: ZoneLabel | undefined, preferred: string | undefined) {
  const pathEnd = /(?:^|\/)([A-Za-z_]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?)$/.exec(bare)?.[1]
  const candidates: readonly string[] = [...findIana(bare), ...(label?.zones ?? [])]
  const windows = preferred !== undefined && candidates.includes(preferred) ? preferred : candidates[0]
  return [bare, pathEnd, windows]
}

/** Whether a name is an abbreviation of several zones, even if the platform accepts it as one: `BST`, `PST`, `CEST`. */
export const isAbbreviation = (name: string): boolean =>
  isLegacyZone(name) || (/^[A-Z]{3,4}$/.test(name) && !/^(UTC|GMT|UCT|ZULU)$/.test(name) && !isCountry(name))

/** Whether a name of IANA in capitals is that of a country, not an abbreviation of a time. */
const isCountry = (name: string): boolean => /^(PRC|ROK|ROC|CUBA|IRAN|EIRE)$/.test(name)

/** The zone that uses an abbreviation: that of the feed, or of the calendar for which the events are read. */
export const ambiguousZone = (name: string, { ownZone, preferred }: Surroundings): string | undefined =>
  [ownZone, preferred].find(zone => zone !== undefined && abbreviationsOf(zone).includes(name.toUpperCase()))

const abbreviationsOf = (zone: string): string[] =>
  ['2026-01-15 12:00:00', '2026-07-15 12:00:00'].map(utc => abbreviation(zone, fromUtc(utc, zone), utc))

/** A name that programs show to people: `(UTC+01:00) Brussels, Copenhagen, Madrid, Paris`, or just `GMT+0200`. */
interface ZoneLabel {
  /** The IANA names that it can mean, beginning with the most likely one. */
  readonly zones: readonly string[]
  /** Its offset as a zone: `UTC+2`, `UTC+5.5`. */
  readonly offset: string
}

/** Parses a label that begins with an offset; undefined for other names. */
function parseZoneLabel(name: string): ZoneLabel | undefined {
  const match = labelForm.exec(name)
  if (!match) return undefined
  const [, sign, , , places = ''] = match
  const offset = minutesIn(match.slice(1, 4))
  // Without an offset only `(UTC) …` is a label: `GMT Standard Time` and `GMT` are names.
  if (Math.abs(offset) > maxOffset || (sign === undefined && !name.startsWith('('))) return undefined
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

const normalizeCity = (city: string): string => foldCase(city.replaceAll('_', ' '))

/** Whether a zone has this offset in winter or in summer, because several cities have the same name. */
const hasOffset = (zone: string, offset: number): boolean =>
  ['2026-01-15 12:00:00', '2026-07-15 12:00:00'].some(
    utc => wallMs(fromUtc(utc, zone)) - wallMs(utc) === offset * 60_000,
  )

/** The IANA zones that are one zone in Windows. */
const sameWindowsZone = (zone: string): string[] => findWindows(zone).flatMap(windows => findIana(windows))

/** A change of clocks: the offset from a moment on. All in ms. */
interface Transition {
  readonly moment: number
  readonly before: number
  readonly offset: number
}

const aYear = 366 * 86_400_000

/**
 * The offsets of a zone that a feed describes: a function from moments to offsets, both in ms, which throws `InvalidProperty` if the
 * description is invalid.
 */
function offsetsOfVtimezone(vtimezone: Component, tzid: string): (ms: number) => number {
  const observances = vtimezone.components.map(readObservance)
  let covered = -Infinity
  let transitions: readonly Transition[] = []
  const cover = (ms: number) => {
    covered = ms + 10 * aYear
    transitions = observances.flatMap(changesTo => changesTo?.(covered) ?? []).toSorted(byMoment)
  }
  return ms => {
    if (observances.length === 0 || observances.includes(undefined))
      throw new InvalidProperty('tzid', phrase('the name of a time zone, or one that has a valid VTIMEZONE'), tzid)
    if (ms > covered - aYear) cover(ms)
    const index = transitions.findLastIndex(({ moment }) => moment <= ms)
    return index === -1 ? (transitions[0]?.before ?? 0) : (transitions[index]?.offset ?? 0)
  }
}

const byMoment = (one: Transition, other: Transition): number => one.moment - other.moment

/**
 * One STANDARD or DAYLIGHT of a VTIMEZONE (RFC 5545, 3.6.5): its changes until a moment. Undefined if it is invalid, or has changes every
 * day.
 */
function readObservance(component: Component): ((end: number) => Transition[]) | undefined {
  const start = wallOf(firstValueOf(component, 'dtstart'))
  const before = readOffset(firstValueOf(component, 'tzoffsetfrom'))
  const offset = readOffset(firstValueOf(component, 'tzoffsetto'))
  const dates = component.all('rdate').flatMap(valuesOf).map(wallOf)
  const rules = component.all('rrule').flatMap(valuesOf).map(readYearlyRule)
  if (start === undefined || before === undefined || offset === undefined) return undefined
  if (dates.includes(undefined) || rules.includes(undefined) || component.unreadable.length > 0) return undefined
  const datesTo = (end: number) => rules.flatMap(rule => (rule ? datesOfRule(rule, { start, before, end }) : []))
  return end =>
    [start, ...dates, ...datesTo(end)].flatMap(wall =>
      wall === undefined ? [] : [{ moment: wall - before, before, offset }],
    )
}

function readYearlyRule(text: string): RuleParts | undefined {
  const parts = orUndefined(() => parseRule(text))
  return parts?.frequency === 'YEARLY' || parts?.frequency === 'MONTHLY' ? parts : undefined
}

/** The wall times of changes, in the offset before them. */
function datesOfRule(rule: RuleParts, { start, before, end }: Readonly<Record<'start' | 'before' | 'end', number>>) {
  const { until, count = Infinity } = rule
  const last = until === undefined ? Infinity : wallMs(until.wall) + (until.isUtc ? before : 0)
  const changes: number[] = []
  for (const wall of datesOf(rule, start, { to: end })) {
    if (wall > last || changes.length >= count) break
    changes.push(wall)
  }
  return changes
}

function wallOf(text: string): number | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z?)?/i.exec(text) ?? []
  const wall = readDate(`${year}-${month}-${day} ${hour}:${minute}:${second}`)?.wall
  return wall === undefined ? undefined : wallMs(wall)
}

/** `+0100` or `-044430`, in ms. */
function readOffset(text: string): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-]?)(\d{2}):?([0-5]\d):?([0-5]\d)?$/.exec(text) ?? []
  if (hours === undefined || Number(hours) > 23) return undefined
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}
