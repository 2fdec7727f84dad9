import { Failure } from '../../base/failure.ts'
import { type DateOrder, readDayAndTime } from '../../base/time/date-grammar.ts'
import { readDate } from '../../base/time/dates.ts'
import type { Notice } from '../records/file-record.ts'
import type { RecordEntry } from '../records/record-builder.ts'

/** The first part in each order. */
const firstPart: Record<DateOrder, string> = { mdy: 'month', dmy: 'day', ymd: 'year' }

/** Reads a date with or without a time as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; a date that `readDate` reads stays as it is. */
export function readSheetDate(text: string, order: DateOrder | undefined): string | undefined {
  const trimmed = text.trim()
  if (readDate(trimmed)) return trimmed
  const reading = readDayAndTime(trimmed, { order })
  if (!reading?.ok || reading.day === undefined) return undefined
  const { day, time } = reading
  return time === undefined ? day : `${day} ${time}`
}

/** The entry of a cell with a date. Dates such as 05/05/2026, the same in either order, are read without one. */
export function dateEntry(name: string, value: unknown, column: string, order: DateOrder | undefined): RecordEntry {
  if (typeof value !== 'string') return { name, value, column }
  const date = readSheetDate(value, order ?? 'dmy')
  if (date !== undefined) return { name, value: date, column }
  const reading = readDayAndTime(value, { order })
  if (reading && 'expected' in reading) return { name, value, column, expected: reading.expected }
  return {
    name,
    value,
    column,
    ...(order && { expected: `a date and time, ${firstPart[order]} first or YYYY-MM-DD` }),
  }
}

/** The orders in which a date can be read; none if it is not a date, or begins with the year. */
function possibleOrders(text: string): DateOrder[] {
  const trimmed = text.trim()
  if (!/^\d{1,3}[/.-]\d/.test(trimmed)) return []
  return (['mdy', 'dmy'] as const).filter(order => readSheetDate(trimmed, order) !== undefined)
}

/** Detects the date order of a sheet from its cells. */
export interface DateOrderDetector {
  readonly order: DateOrder | undefined
  /** Whether a date can be read in two ways and no other has decided. */
  readonly isAmbiguous: boolean
  /** Throws `usage` if a date can only be read in the other order. `isTyped`: the cell of a workbook is a date, not a text. */
  add(text: string, place: string, isTyped?: boolean): void
  /** The failure of a sheet that stays ambiguous to its end. */
  failure(): Failure
  /** The failure of a sheet whose dates were read in the wrong order before, by a spreadsheet program. */
  swapped(): Failure | undefined
  /** Says which order was found, once all dates are known to have it. */
  report(): void
}

/** Without `--date-order`, the first unambiguous date decides. */
export function createDateOrderDetector(
  name: string,
  givenOrder: DateOrder | undefined,
  notice: Notice,
): DateOrderDetector {
  let order = givenOrder
  let ambiguous: { text: string; place: string } | undefined
  let deciding = ''
  const typed = createTypedDates()
  return {
    get order() {
      return order
    },
    get isAmbiguous() {
      return order === undefined && ambiguous !== undefined
    },
    add(text, place, isTyped = false) {
      if (givenOrder) return
      if (isTyped) typed.add(text, place)
      const [first, second] = possibleOrders(text)
      const written = `${place}: ${text.trim()}`
      if (first && !second && order && first !== order)
        throw new Failure(
          'usage',
          `${name}: dates are written ${firstPart[order]} first (${deciding}) and ${firstPart[first]} first (${written})`,
          { hint: `write them all as YYYY-MM-DD, or take the others for mistakes with: --date-order ${order}` },
        )
      if (order) return
      if (first && !second) {
        order = first
        deciding = written
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
    swapped() {
      const example = typed.maySwapped()
      if (givenOrder || !order || !example) return undefined
      return new Failure(
        'usage',
        `${name}: a spreadsheet program may have swapped days and months: some dates are text (${deciding}), and no other has a day above 12 (${example})`,
        {
          hint: `if the others are right, add: --date-order ${order}; otherwise import the text into the program again`,
        },
      )
    },
    report() {
      if (order && deciding) notice(`${name}: dates are read ${firstPart[order]} first, because of ${deciding}`)
    },
  }
}

/**
 * A spreadsheet program that expects the other order turns `04/05/2027` into a date with day and month swapped, and leaves
 * `13/05/2027` a text. Then no cell that is a date has a day above 12.
 */
function createTypedDates() {
  let examples: string[] = []
  let isLate = false
  return {
    add(text: string, place: string) {
      const [, month, day] = text.slice(0, 10).split('-').map(Number)
      if (!month || !day || month === day) return
      if (day > 12) isLate = true
      else if (examples.length < 2) examples = [...examples, `${place}: ${text}`]
    },
    /** One of the dates; undefined if they are right, or too few to say. */
    maySwapped: () => (isLate || examples.length < 2 ? undefined : examples[0]),
  }
}
