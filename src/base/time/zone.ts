import { ignoreErrors } from '../attempt.ts'
import { memoize } from '../memoize.ts'
import { phrase } from '../words/phrase.ts'
import { type DateMistake, msWall, nearestWall, wallMs } from './dates.ts'

/**
 * The moment of a wall time in a zone, in ms. A time skipped by summer time is moved forward; of a repeated time, the second is
 * meant.
 */
export const momentIn = (wall: string, zone: string): number => wallMs(wall) - offsetsOf(wall, zone).later

/** The wall time, `YYYY-MM-DD HH:MM:SS`, at a moment in ms. */
export const wallAt = (ms: number, zone: string): string => nearestWall(ms + offsetAt(ms, zone))

/** Converts a wall time to UTC, like `momentIn`; both `YYYY-MM-DD HH:MM:SS`. */
export const toUtc = (wall: string, zone: string): string => nearestWall(momentIn(wall, zone))

/** Converts UTC to a wall time; both `YYYY-MM-DD HH:MM:SS`. */
export const fromUtc = (utc: string, zone: string): string => wallAt(wallMs(utc), zone)

/** What is wrong with a wall time that clocks repeat or skip, and its two instants as ISO; undefined for all other times. */
export function clockChange(wall: string, zone: string): DateMistake | undefined {
  const offsets = offsetsOf(wall, zone)
  if (offsets.earlier === offsets.later) return undefined
  const earlier = isoAt(wallMs(wall) - offsets.earlier, zone)
  const later = isoAt(wallMs(wall) - offsets.later, zone)
  const places = { time: wall.slice(0, 16), zone }
  return {
    ok: false,
    message: offsets.exists
      ? phrase('{time} occurs twice in {zone} because clocks change', places)
      : phrase('{time} does not exist in {zone} because clocks change', places),
    hint: phrase('choose one: {earlier} or {later}', { earlier, later }),
    readings: [earlier, later],
  }
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

/** Since 1997, all zones of the European Union change their clocks at the same moment. */
const unionBegins = Date.UTC(1997, 0)

/** Before 1700, every zone has a constant offset; the platform would count Julian days. */
const zonesBegin = Date.UTC(1700, 0)

/** The offset of a zone from UTC, in ms. The platform needs 12 ms for the first zone, so common zones are built in. */
export function offsetAt(ms: number, zone: string): number {
  const fixed = fixedOffset(zone)
  if (fixed !== undefined) return fixed * minute
  if (isCentralEuropean(zone) && ms >= unionBegins) return isUnionSummer(ms) ? 2 * hour : hour
  const parts = offsetFormat(zone).formatToParts(Math.max(ms, zonesBegin))
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? []
  const size = Number(hours) * hour + Number(minutes) * minute + Number(seconds) * 1000
  return sign === '-' ? -size : size
}

/** Writes an offset as `GMT+01:00`, and as `GMT` for none. */
const offsetFormat = memoize(timeZone => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }))

/**
 * The possible offsets of a zone at a wall time, in ms. For a repeated time, `earlier` and `later` are its two moments; a skipped
 * time moves back with `earlier` and forward with `later`.
 */
export const offsetsOf = (wall: string, zone: string) => offsetsIn(zone)(wall)

const offsetsIn = memoize(zone => memoize(wall => offsetsBy(wall, ms => offsetAt(ms, zone))))

/** The same for a function from moments to offsets. */
export function offsetsBy(wall: string, offsetAt: (ms: number) => number) {
  const ms = wallMs(wall)
  const before = offsetAt(ms - day)
  const after = offsetAt(ms + day)
  const isBefore = offsetAt(ms - before) === before
  const isAfter = offsetAt(ms - after) === after
  return { earlier: isBefore ? before : after, later: isAfter ? after : before, exists: isBefore || isAfter }
}

/** `+01:00` */
export const offsetText = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${msWall(Math.abs(offset)).slice(11, 16)}`

/** A wall time with its offset, which means the same moment everywhere. */
export const withOffset = (wall: string, utc: string): string => `${wall}${offsetText(wallMs(wall) - wallMs(utc))}`

/** Adds the offset only if the zone repeats this wall time. */
export function withOffsetIfAmbiguous(wall: string, utc: string, zone: string): string {
  const { earlier, later, exists } = offsetsOf(wall, zone)
  return exists && earlier !== later ? withOffset(wall, utc) : wall
}

/** From the last Sunday of March to the last Sunday of October, 01:00 UTC. */
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

/** `UTC+1`, `UTC-3`, `UTC+5.5`, `UTC+5:30` as WordPress writes fixed offsets, and `+02:00` as PHP does. */
const fixed = /^(?:UTC(?=[+-])|(?=[+-]\d\d:\d\d$))(?:([+-])(\d{1,2})(?:\.(\d{1,2})|:([0-5]\d))?)$/i

/** In minutes; undefined for other names, even wrong ones. */
export function fixedOffset(name: string): number | undefined {
  if (name === 'UTC') return 0
  const match = fixed.exec(name)
  if (!match) return undefined
  const [, sign, hours, decimal = '0', minutes] = match
  const size = Number(hours) * 60 + Number(minutes ?? Math.round(Number(`0.${decimal}`) * 60))
  return sign === '-' ? -size : size
}

const furthest = 14 * 60

/** Whether a zone is an offset in PHP's form: `+02:00`. */
export const isOffset = (name: string): boolean => /^[+-]/.test(name) && isNear(fixedOffset(name))

const isNear = (offset: number | undefined): boolean => offset !== undefined && Math.abs(offset) <= furthest

/** Names that V8 takes from ICU and no other program knows: there, `BST` is Bangladesh and `IST` is India. */
const legacy =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i

export const isLegacyZone = (name: string): boolean => legacy.test(name)

/** Whether this is an IANA name in any case, or a `UTC+N`. */
export function isZone(name: string): boolean {
  if (/^[+-]/.test(name) || isLegacyZone(name)) return false
  const offset = fixedOffset(name)
  if (offset !== undefined) return isNear(offset)
  return isIana(name)
}

/** Whether the platform knows this zone, even by a name that no site should use. Offsets of unknown zones throw. */
export const hasClocks = (name: string): boolean =>
  fixedOffset(name) !== undefined || isLegacyZone(name) || isZone(name)

const isIana = memoize(name => ignoreErrors(() => new Intl.DateTimeFormat('en', { timeZone: name })) !== undefined)

/** The platform needs 20 ms for the first date in a zone, so the zones of most calendars are built in. */
const central = /^Europe\/(Madrid|Andorra|Paris|Rome|Berlin|Brussels|Amsterdam|Vienna|Zurich|Monaco|Malta)$/i

const isCentralEuropean = (zone: string): boolean => central.test(zone)

const centralNames: Readonly<Record<number, string>> = { 60: 'CET', 120: 'CEST' }

/** A locale knows the abbreviations of its own region, and writes `GMT+1` for other zones. */
const locales = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'ja']

const abbreviations = new Map<string, string>()

/** The abbreviation of a zone at a moment, given as wall time and UTC: `CET`, `CEST`, `UTC+1`; `-03` if no locale has one. */
export function abbreviation(zone: string, wall: string, utc: string): string {
  if (fixedOffset(zone) !== undefined) return zone
  const offset = Math.round((wallMs(wall) - wallMs(utc)) / 60_000)
  const name = isCentralEuropean(zone) ? centralNames[offset] : undefined
  if (name) return name
  const key = `${zone} ${offset}`
  const cached = abbreviations.get(key)
  if (cached !== undefined) return cached
  const abbreviated = nameInLocales(zone, wallMs(utc)) ?? offsetText(offset * minute).replace(/:(?:00)?/, '')
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
