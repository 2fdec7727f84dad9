import { memoize } from '../memoize.ts'
import { msWall, nearestWall, wallMs } from './dates.ts'

/**
 * The moment, in ms, of a wall time in a zone. A time that a change to summer time skips is moved forward; of a time that occurs
 * twice the second is meant.
 */
export const momentIn = (wall: string, zone: string): number => wallMs(wall) - offsetsOf(wall, zone).later

/** The wall time, `YYYY-MM-DD HH:MM:SS`, in a zone at a moment in ms. */
export const wallAt = (ms: number, zone: string): string => nearestWall(ms + offsetAt(ms, zone))

/** The UTC wall time of a wall time in a zone, as `momentIn`; both `YYYY-MM-DD HH:MM:SS`. */
export const toUtc = (wall: string, zone: string): string => nearestWall(momentIn(wall, zone))

/** The wall time in a zone of a UTC wall time; both `YYYY-MM-DD HH:MM:SS`. */
export const fromUtc = (utc: string, zone: string): string => wallAt(wallMs(utc), zone)

/**
 * The two instants, as ISO with their offsets, of a wall time that occurs twice, or not at all, because clocks change; undefined for
 * all others.
 */
export function unclearInstants(
  wall: string,
  zone: string,
): { earlier: string; later: string; exists: boolean } | undefined {
  const { earlier, later, exists } = offsetsOf(wall, zone)
  if (earlier === later) return undefined
  const instant = (offset: number) => isoAt(wallMs(wall) - offset, zone)
  return { earlier: instant(earlier), later: instant(later), exists }
}

/** `2026-12-05T19:00+01:00` */
const isoAt = (ms: number, zone: string): string => {
  const offset = offsetAt(ms, zone)
  return `${msWall(ms + offset)
    .slice(0, 16)
    .replace(' ', 'T')}${offsetText(offset)}`
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Since then the European Union changes its clocks at one moment. */
const unionBegins = Date.UTC(1997, 0)

/** Before that, every zone had a constant offset, and the platform, which would count Julian days, need not be asked. */
const zonesBegin = Date.UTC(1700, 0)

/** The offset of a zone from UTC, in ms. Asking the platform costs 12 ms the first time, so common zones are known. */
export function offsetAt(ms: number, zone: string): number {
  const fixed = fixedOffset(zone)
  if (fixed !== undefined) return fixed * minute
  if (isCentralEuropean(zone) && ms >= unionBegins) return isUnionSummer(ms) ? 2 * hour : hour
  const clamped = Math.max(ms, zonesBegin)
  const { year, month, day, hour: hours, minute: minutes, second } = partsAt(clamped, zone)
  const wall = new Date(0)
  wall.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  wall.setUTCHours(Number(hours), Number(minutes), Number(second))
  return wall.getTime() - Math.floor(clamped / 1000) * 1000
}

/**
 * The possible offsets of a zone from UTC at a wall time, in ms. `earlier` and `later` name the two moments that a repeated
 * time means; a skipped time does not exist, and moves back with `earlier` and forward with `later`.
 */
export const offsetsOf = (wall: string, zone: string): Offsets => offsetsIn(zone)(wall)

const offsetsIn = memoize(zone => memoize(wall => offsetsBy(wall, ms => offsetAt(ms, zone))))

interface Offsets {
  readonly earlier: number
  readonly later: number
  readonly exists: boolean
}

/** The same by the offset at each moment. */
export function offsetsBy(wall: string, offsetAt: (ms: number) => number): Offsets {
  const ms = wallMs(wall)
  const before = offsetAt(ms - day)
  const after = offsetAt(ms + day)
  const isBefore = offsetAt(ms - before) === before
  const isAfter = offsetAt(ms - after) === after
  return { earlier: isBefore ? before : after, later: isAfter ? after : before, exists: isBefore || isAfter }
}

/** An offset in ms as ISO dates have it: `+01:00`. */
export const offsetText = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${msWall(Math.abs(offset)).slice(11, 16)}`

/** The wall time of a moment, with its offset: the same moment wherever it is read. */
export const withOffset = (wall: string, utc: string): string => `${wall}${offsetText(wallMs(wall) - wallMs(utc))}`

/**
 * The wall time of a moment, with its offset where that wall time occurs twice in a zone and only the offset tells
 * which is meant.
 */
export function withOffsetIfAmbiguous(wall: string, utc: string, zone: string): string {
  const { earlier, later, exists } = offsetsOf(wall, zone)
  return exists && earlier !== later ? withOffset(wall, utc) : wall
}

/** Summer time lasts from the last Sunday of March to the last Sunday of October, 01:00 UTC. */
function isUnionSummer(ms: number): boolean {
  const date = new Date(ms)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (month !== 2 && month !== 9) return month > 2 && month < 9
  return ms >= lastSunday(year, 2) && ms < lastSunday(year, 9)
}

const lastSunday = (year: number, month: number): number => {
  const lastDay = new Date(Date.UTC(year, month + 1, 0, 1))
  return lastDay.getTime() - lastDay.getUTCDay() * day
}

const formats = new Map<string, Intl.DateTimeFormat>()

function partsAt(ms: number, timeZone: string): Readonly<Record<string, string>> {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-u-ca-iso8601', { timeZone, hourCycle: 'h23', ...numeric })
  formats.set(timeZone, format)
  return Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
}

const numeric = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** `UTC+1`, `UTC-3`, `UTC+5.5`, `UTC+5:30`: fixed offsets, written as WordPress does; and `+02:00` as PHP does. */
const fixed = /^(?:UTC(?=[+-])|(?=[+-]\d\d:\d\d$))(?:([+-])(\d{1,2})(?:\.(\d{1,2})|:([0-5]\d))?)$/i

/** The offset in minutes of `UTC` or a `UTC+N`; undefined for other names, even wrong ones. */
export function fixedOffset(name: string): number | undefined {
  if (name === 'UTC') return 0
  const match = fixed.exec(name)
  if (!match) return undefined
  const [, sign, hours, decimal = '0', minutes] = match
  const size = Number(hours) * 60 + Number(minutes ?? Math.round(Number(`0.${decimal}`) * 60))
  return sign === '-' ? -size : size
}

const furthest = 14 * 60

/** Whether a zone is an offset as PHP writes it: `+02:00`. */
export const isOffset = (name: string): boolean => /^[+-]/.test(name) && isNear(fixedOffset(name))

const isNear = (offset: number | undefined): boolean => offset !== undefined && Math.abs(offset) <= furthest

const knownZones = new Map<string, boolean>()

/** Names that V8 has from ICU and nobody else knows; with one of them, `BST` is Bangladesh and `IST` is India. */
const legacy =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i

export const isLegacyZone = (name: string): boolean => legacy.test(name)

/** Whether this names a time zone: an IANA name in any case, or a `UTC+N`. */
export function isZone(name: string): boolean {
  if (/^[+-]/.test(name) || isLegacyZone(name)) return false
  const offset = fixedOffset(name)
  if (offset !== undefined) return isNear(offset)
  const cached = knownZones.get(name)
  if (cached !== undefined) return cached
  const isKnown = isIana(name)
  if (knownZones.size < 1000) knownZones.set(name, isKnown)
  return isKnown
}

/** Whether the clocks of a zone are known, also if it is named as no site should name it. Asking for those of another one throws. */
export const hasClocks = (name: string): boolean =>
  fixedOffset(name) !== undefined || isLegacyZone(name) || isZone(name)

function isIana(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Formatting the first date in a zone takes 20 ms, so the zones of most calendars are known here. */
const central = /^Europe\/(Madrid|Andorra|Paris|Rome|Berlin|Brussels|Amsterdam|Vienna|Zurich|Monaco|Malta)$/i

/** Whether a zone has the clocks of Madrid. */
const isCentralEuropean = (zone: string): boolean => central.test(zone)

const centralNames: Readonly<Record<number, string>> = { 60: 'CET', 120: 'CEST' }

/** Each locale has the abbreviations of its own part of the world, and `GMT+1` for other zones. */
const locales = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'ja']

const abbreviations = new Map<string, string>()

/**
 * The abbreviation of a zone at a moment, which is given in UTC and in the zone's time: `CET`, `CEST`, `UTC+1`; `-03` if no locale has
 * one.
 */
export function abbreviation(zone: string, wall: string, utc: string): string {
  if (fixedOffset(zone) !== undefined) return zone
  const offset = Math.round((wallMs(wall) - wallMs(utc)) / 60_000)
  const name = isCentralEuropean(zone) ? centralNames[offset] : undefined
  if (name) return name
  const key = `${zone} ${offset}`
  const cached = abbreviations.get(key)
  if (cached !== undefined) return cached
  const abbreviated = nameInLocales(zone, wallMs(utc)) ?? compactOffset(offset)
  if (abbreviations.size < 10_000) abbreviations.set(key, abbreviated)
  return abbreviated
}

const nameInLocales = (zone: string, ms: number): string | undefined => {
  for (const locale of locales) {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(ms)
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value
    if (name && !/\d/.test(name)) return name
  }
  return undefined
}

const compactOffset = (offset: number): string => {
  const size = Math.abs(offset)
  const hours = String(Math.floor(size / 60)).padStart(2, '0')
  const minutes = size % 60 === 0 ? '' : String(size % 60).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${hours}${minutes}`
}
