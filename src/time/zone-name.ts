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

const cache = new Map<string, boolean>()

/** Whether this names a time zone: an IANA name in any case, or a `UTC+N`. */
export function isZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false
  const offset = fixedOffset(name)
  if (offset !== undefined) return isNear(offset)
  const cached = cache.get(name)
  if (cached !== undefined) return cached
  const isKnown = isIana(name)
  if (cache.size < 1000) cache.set(name, isKnown)
  return isKnown
}

function isIana(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The first time that a process formats a date in a zone costs 20 ms, so the zones of most calendars are known here. */
const central = /^Europe\/(Madrid|Andorra|Paris|Rome|Berlin|Brussels|Amsterdam|Vienna|Zurich|Monaco|Malta)$/i

/** Whether a zone has the clocks of Madrid. */
export const isCentralEuropean = (zone: string): boolean => central.test(zone)
