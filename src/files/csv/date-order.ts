import { Failure } from '../../failure.ts'
import { readDate } from '../../time/dates.ts'
import type { Notice } from '../records/file-record.ts'

/** The order of day, month and year in a date such as `05/12/2026`. */
export const dateOrders = ['mdy', 'dmy', 'ymd'] as const

/** One of the orders. */
export type DateOrder = (typeof dateOrders)[number]

const inWords: Record<DateOrder, string> = { mdy: 'month first', dmy: 'day first', ymd: 'year first' }

const numbers = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[T ]+(.+))?$/
const clock = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?(?:\.\d+)?(?:\s*([ap])\.?\s?m\.?)?$/i

/** Reads `7:30:00`, `19:30`, `7:00 PM`, `7pm` as `HH:MM:SS`. */
export function readTime(text: string): string | undefined {
  const match = clock.exec(text.trim())
  if (!match) return undefined
  const [, hours = '', minutes = '00', seconds = '00', half] = match
  if (match[2] === undefined && !half) return undefined
  if (half && (Number(hours) < 1 || Number(hours) > 12)) return undefined
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  const time = `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
  return readDate(`2000-01-01 ${time}`) && time
}

/** Reads a date, with a time or without, as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; one that `readDate` reads stays as it is. */
export function readSheetDate(text: string, order: DateOrder | undefined): string | undefined {
  const trimmed = text.trim()
  if (readDate(trimmed)) return trimmed
  const match = numbers.exec(trimmed)
  if (!match) return undefined
  const [, first = '', , second = '', third = '', rest] = match
  const actual = first.length === 4 ? 'ymd' : order
  if (!actual) return undefined
  const inOrder = { mdy: [third, first, second], dmy: [third, second, first], ymd: [first, second, third] }[actual]
  const [year = '', month = '', day = ''] = inOrder
  const date = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (readDate(date) === undefined) return undefined
  if (rest === undefined) return date
  const time = readTime(rest)
  return time && `${date} ${time}`
}

/** The orders in which a date can be read; none where the order does not matter or it is no date. */
const readings = (text: string): DateOrder[] => {
  const trimmed = text.trim()
  if (!numbers.test(trimmed) || /^\d{4}/.test(trimmed)) return []
  return (['mdy', 'dmy'] as const).filter(order => readSheetDate(trimmed, order) !== undefined)
}

/** Finds out in which order a file writes its dates. */
export interface OrderFinder {
  readonly order: DateOrder | undefined
  /** Whether a date was met that can be read both ways, and none that decides. */
  readonly isOpen: boolean
  see(text: string, place: string): void
  /** The failure that a file ends with when nothing decided. */
  refusal(): Failure
}

/** An order that is given holds; otherwise the first date that can be read in one way only decides, and that is said. */
export function orderFinder(name: string, given: DateOrder | undefined, notice: Notice): OrderFinder {
  let order = given
  let open: { text: string; place: string } | undefined
  return {
    get order() {
      return order
    },
    get isOpen() {
      return order === undefined && open !== undefined
    },
    see(text, place) {
      if (order) return
      const [first, second] = readings(text)
      if (first && !second) {
        order = first
        notice(`${name}: dates are read ${inWords[first]}, as ${place} shows: ${text.trim()}`)
      } else if (readSheetDate(text, first) !== readSheetDate(text, second)) open ??= { text: text.trim(), place }
    },
    refusal() {
      const { text, place } = open ?? { text: '', place: '' }
      const [monthFirst = '', dayFirst = ''] = [readSheetDate(text, 'mdy'), readSheetDate(text, 'dmy')]
      return new Failure('usage', `${name}: ${place}: ${text} can be ${dayFirst} or ${monthFirst}`, {
        hint: `say which: --date-order dmy (${dayFirst}) or --date-order mdy (${monthFirst})`,
      })
    },
  }
}
