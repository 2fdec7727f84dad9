import { Failure } from '../../failure.ts'
import { readDate } from '../../time/dates.ts'
import type { Notice } from '../records/file-record.ts'

/** The order of day, month and year in a date such as `05/12/2026`. */
export const dateOrders = ['mdy', 'dmy', 'ymd'] as const

export type DateOrder = (typeof dateOrders)[number]

/** The first part in each order. */
export const firstPart: Record<DateOrder, string> = { mdy: 'month', dmy: 'day', ymd: 'year' }

const numericDate = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[T ]+(.+))?$/
const clockTime = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?(?:\.\d+)?(?:\s*([ap])\.?\s?m\.?)?$/i

/** Reads `7:30:00`, `19:30`, `7:00 PM`, `7pm` as `HH:MM:SS`. */
export function readTime(text: string): string | undefined {
  const match = clockTime.exec(text.trim())
  if (!match) return undefined
  const [, hours = '', minutes, seconds = '00', half] = match
  if (minutes === undefined && !half) return undefined
  let hour = Number(hours)
  if (half) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  const time = `${String(hour).padStart(2, '0')}:${minutes ?? '00'}:${seconds}`
  return readDate(`2000-01-01 ${time}`) && time
}

/** Reads a date with or without a time as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; a date that `readDate` reads stays as it is. */
export function readSheetDate(text: string, order: DateOrder | undefined): string | undefined {
  const trimmed = text.trim()
  if (readDate(trimmed)) return trimmed
  const match = numericDate.exec(trimmed)
  if (!match) return undefined
  const [, first = '', , second = '', third = '', timeText] = match
  const actualOrder = first.length === 4 ? 'ymd' : order
  if (!actualOrder) return undefined
  const parts = { mdy: [third, first, second], dmy: [third, second, first], ymd: [first, second, third] }[actualOrder]
  const [year = '', month = '', day = ''] = parts
  const date = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (readDate(date) === undefined) return undefined
  if (timeText === undefined) return date
  const time = readTime(timeText)
  return time && `${date} ${time}`
}

/** The orders in which a date can be read; none if it is not a date, or begins with the year. */
function possibleOrders(text: string): DateOrder[] {
  const trimmed = text.trim()
  if (!numericDate.test(trimmed) || /^\d{4}/.test(trimmed)) return []
  return (['mdy', 'dmy'] as const).filter(order => readSheetDate(trimmed, order) !== undefined)
}

/** Detects the date order of a sheet from its cells. */
export interface DateOrderDetector {
  readonly order: DateOrder | undefined
  /** Whether a date can be read in two ways and no other has decided. */
  readonly isAmbiguous: boolean
  add(text: string, place: string): void
  /** The failure of a sheet that stays ambiguous to its end. */
  failure(): Failure
}

/** Without `--date-order`, the first unambiguous date decides, with a notice. */
export function createDateOrderDetector(
  name: string,
  givenOrder: DateOrder | undefined,
  notice: Notice,
): DateOrderDetector {
  let order = givenOrder
  let ambiguous: { text: string; place: string } | undefined
  return {
    get order() {
      return order
    },
    get isAmbiguous() {
      return order === undefined && ambiguous !== undefined
    },
    add(text, place) {
      if (order) return
      const [first, second] = possibleOrders(text)
      if (first && !second) {
        order = first
        notice(`${name}: dates are read ${firstPart[first]} first, because of ${place}: ${text.trim()}`)
      } else if (readSheetDate(text, first) !== readSheetDate(text, second)) ambiguous ??= { text: text.trim(), place }
    },
    failure() {
      const { text, place } = ambiguous ?? { text: '', place: '' }
      const monthFirst = readSheetDate(text, 'mdy') ?? ''
      const dayFirst = readSheetDate(text, 'dmy') ?? ''
      return new Failure('usage', `${name}: ${place}: ${text} can mean ${dayFirst} or ${monthFirst}`, {
        hint: `choose one: --date-order dmy (${dayFirst}) or --date-order mdy (${monthFirst})`,
      })
    },
  }
}
