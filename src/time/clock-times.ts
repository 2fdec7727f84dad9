import { dayAfter } from './day-arithmetic.ts'

/** `19:30`, `7:30:00 PM`, `19.30 h`, `21h30`, `19 h`, `7 pm`; Catalan and Spanish sheets have points, and an h behind. */
const clock =
  /^(?:(?:at|a) )?(?:(?:les|las|la) )?(\d{1,2})(?:\s*([:.,h'’])\s*(\d{1,2})(?::(\d{2})(?:\.\d+)?)?)?\s*(?:(h|hs|hrs?|hores|horas|hours?)\.?|([ap])\.?\s?m\.?|min\.?)?$/i

const before = '(?:(?:at|a|al|a la) )?(?:(?:(?:les|las|the) )?12 (?:del? (?:la )?)?)?'
const noon = new RegExp(`^${before}(?:noon|midday|migdia|mediod[ií]a)$`, 'i')
const midnight = new RegExp(`^${before}(?:midnight|mitja ?nit|medianoche)$`, 'i')

/** The end of a day, as some write it: 0:00 of the next one. */
export const endOfDay = '24:00:00'

/** Whether a text says midnight, which may be the beginning of a day or its end. */
export const isMidnight = (text: string): boolean => midnight.test(text.trim())

/** A wall time of a day, of which `24:00:00` is the end. */
export const wallOn = (day: string, time: string): string =>
  time === endOfDay ? `${dayAfter(day)} 00:00:00` : `${day} ${time}`

/** Reads a time of day as `HH:MM:SS`, up to `24:00:00`; undefined for anything else. */
export function readClock(text: string): string | undefined {
  if (noon.test(text.trim())) return '12:00:00'
  const match = clock.exec(text.trim().replace(/\s+/g, ' '))
  if (!match) return undefined
  const [, hours = '', sign, minutes, seconds = '00', unit, half] = match
  const minute = minutes === undefined ? '00' : wholeMinutes(minutes, hours, sign)
  if (minute === undefined || (minutes === undefined && !unit && !half)) return undefined
  let hour = Number(hours)
  if (half) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hour === 24 && Number(minute) === 0 && Number(seconds) === 0) return endOfDay
  if (hour > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${minute}:${seconds}`
}

/** The two times that `19.5` may be: half past, or 19.50 as a spreadsheet program writes it; undefined for any other text. */
export function halfHours(text: string): readonly [half: string, fifty: string] | undefined {
  const [, hours, unit = ''] = /^(\d{1,2})[.,]5(?:\s*([ap]\.?\s?m\.?|h))?$/i.exec(text.trim()) ?? []
  const half = `${hours}:30${unit && ` ${unit}`}`
  return Number(hours) > 0 && readClock(half) !== undefined ? [half, half.replace(':30', ':50')] : undefined
}

/**
 * Spreadsheet programs take `19.30` for a number and write `19.3` or `19,3`. `19.5` may be half past, and what begins with 0 a part
 * of a day (`0.5` is noon): they stay unread.
 */
function wholeMinutes(minutes: string, hours: string, sign = ':'): string | undefined {
  if (minutes.length === 2) return minutes
  return /[.,]/.test(sign) && Number(hours) > 0 && minutes !== '5' ? `${minutes}0` : undefined
}
