import { readClock } from '../../time/clock-times.ts'

/** Between bare numbers a hyphen is unclear: `19-20` may be 19.20. */
const range =
  /^(?:(?=.*[h:.'’])(.+?)\s*[-–—]\s*(\D*\d.*)|(?:(?:de|from)\s+)?(.+?)\s+(?:a|fins a|hasta|to|until)\s+(\D*\d.*))$/i

/** Spreadsheet programs make `19` of `19.00`. */
export const readHour = (text: string): string | undefined => readClock(/^\d{1,2}$/.test(text) ? `${text}:00` : text)

/** The two hours of a cell such as `18-20 h` or `de 18.00 a 20.00 h`; undefined for any other. */
export function readHourRange(text: string): readonly [start: string, end: string] | undefined {
  const match = range.exec(text.trim()) ?? []
  const [first = '', second = ''] = match.slice(1).filter(part => part !== undefined)
  const [start, end] = [readHour(first), readHour(second)]
  // `7-9 pm` begins in the evening, and `11-1 pm` in the morning.
  const isUnclear = /[ap]\.?\s?m\.?$/i.test(second) && !/[ap]\.?\s?m\.?$/i.test(first)
  return start && end && !isUnclear ? [start, end] : undefined
}
