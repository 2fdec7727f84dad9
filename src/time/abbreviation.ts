import { wallMs } from './dates.ts'
import { fixedOffset, isCentralEuropean } from './zone-name.ts'

const centralNames: Readonly<Record<number, string>> = { 60: 'CET', 120: 'CEST' }

/** Each knows the abbreviations of its own part of the world, and writes `GMT+1` for the others. */
const locales = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'ja']

const cache = new Map<string, string>()

/** What a zone is called at a moment, given in UTC and in the zone: `CET`, `CEST`, `UTC+1`, `-03` where it has no name. */
export function abbreviation(zone: string, wall: string, utc: string): string {
  if (fixedOffset(zone) !== undefined) return zone
  const offset = Math.round((wallMs(wall) - wallMs(utc)) / 60_000)
  const name = isCentralEuropean(zone) ? centralNames[offset] : undefined
  if (name) return name
  const key = `${zone} ${offset}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const abbreviated = nameInLocales(zone, wallMs(utc)) ?? offsetText(offset)
  if (cache.size < 10_000) cache.set(key, abbreviated)
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
