import { wallMs } from './dates.ts'

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
export const isCentralEuropean = (zone: string): boolean => central.test(zone)

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
  const abbreviated = nameInLocales(zone, wallMs(utc)) ?? offsetText(offset)
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

const offsetText = (offset: number): string => {
  const size = Math.abs(offset)
  const hours = String(Math.floor(size / 60)).padStart(2, '0')
  const minutes = size % 60 === 0 ? '' : String(size % 60).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${hours}${minutes}`
}
