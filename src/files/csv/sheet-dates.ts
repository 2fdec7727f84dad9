/**
 * How dates are written in a sheet: day or month first, with or without years. Input: cells. Output: unambiguous dates, or what is wrong
 * with them; a sheet whose dates can be read in two ways is refused as a whole.
 */

import { type Failure, usage } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { type DateForms, readDayAndTime } from '../../base/time/date-grammar.ts'
import { readDayPair } from '../../base/time/date-periods.ts'
import { readDate } from '../../base/time/dates.ts'
import type { DateOrder } from '../../base/time/typed-order.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Language } from '../../contract/languages.ts'
import { languageName } from '../../contract/resource-words.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Cell, DetectorOptions, PlacedText } from './cell-values.ts'

/** The forms for dates such as 05/05/2026, which are the same in either order. */
export const dayFirst = ({ order = 'dmy', yearsFrom }: DateForms): DateForms => ({ order, yearsFrom })

/** What comes first in each order. */
const firstPart: Record<DateOrder, string> = { mdy: 'month', dmy: 'day', ymd: 'year' }

/** Reads a date with or without a time as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`; a date that `readDate` reads stays as it is. */
export function readSheetDate(text: string, forms: DateForms): string | undefined {
  const trimmed = text.trim()
  if (readDate(trimmed)) return trimmed
  const reading = readDayAndTime(trimmed, forms)
  if (!reading?.ok || reading.day === undefined) return undefined
  const { day, time } = reading
  return time === undefined ? day : `${day} ${time}`
}

/** The entry for a cell with a date. */
export function dateEntry(name: string, value: unknown, column: string, forms: DateForms): RecordEntry {
  const entry: RecordEntry = { name, value, column }
  if (typeof value !== 'string') return entry
  const date = readSheetDate(value, dayFirst(forms))
  if (date !== undefined) return { ...entry, value: date }
  const { order } = forms
  const reading = readDayAndTime(value, forms)
  if (reading && 'expected' in reading) return { ...entry, expected: reading.expected }
  if (reading && 'readings' in reading)
    return wrong(name, { text: value, heading: column }, phrase('a date with one meaning'), reading.readings)
  // Only the weekday can decide the order here: `Sat 12/5`.
  if (reading?.ok && reading.day !== undefined && reading.time === undefined) return { ...entry, value: reading.day }
  if (!hasDay(value, forms) && lacksYear(value, forms)) return { ...entry, expected: phrase('a date with its year') }
  if (!order) return entry
  const expected = phrase('a date and time, {part, select, day {day} month {month} other {year}} first or YYYY-MM-DD', {
    part: firstPart[order],
  })
  return { ...entry, expected }
}

/** The entry for a cell that cannot be read, or that can be read as one of several. */
export const wrong = (
  name: string,
  { text, heading }: Cell,
  expected: string,
  readings: readonly string[] = [],
): RecordEntry => ({
  name,
  value: text,
  column: heading,
  expected,
  isWrong: true,
  ...(readings.length > 0 && { advice: phrase('write {text}', { text: listOf(readings, 'or') }) }),
})

/** Whether a cell contains one day, or two. */
const hasDay = (text: string, forms: DateForms): boolean =>
  readSheetDate(text, dayFirst(forms)) !== undefined || readDayPair(text, dayFirst(forms)) !== undefined

/** Whether a cell that contains no day would be one with a year; tried with a leap year, which has all days. */
const lacksYear = (text: string, { order, yearsFrom }: DateForms): boolean =>
  yearsFrom === undefined && hasDay(text, { order, yearsFrom: '2000-01-01' })

/** The orders in which a date can be read; none if it is not a date, or begins with the year. */
function possibleOrders(text: string, yearsFrom: string | undefined): DateOrder[] {
  const trimmed = text.trim()
  if (!/^\d{1,3}[/.-]\d/.test(trimmed)) return []
  return (['mdy', 'dmy'] as const).filter(order => readSheetDate(trimmed, { order, yearsFrom }) !== undefined)
}

interface DateOrderOptions extends DetectorOptions {
  /** The order of `--date-order`, and the day of `--dates-from`. */
  readonly given: DateForms
  /** Today, `YYYY-MM-DD`. */
  readonly today: string
}

/** Languages in which the day comes first everywhere. */
const dayFirstLanguages: readonly Language[] = ['ca', 'es']

/** A date that can only be read in one order. */
interface ClearDate {
  readonly order: DateOrder
  readonly text: string
}

const twoOrders = (file: string, one: ClearDate, other: ClearDate) =>
  usage(
    phrase(
      '{file}: dates are written {part, select, day {day} month {month} other {year}} first ({one}) and {otherPart, select, day {day} month {month} other {year}} first ({other})',
      { file, part: firstPart[one.order], one: one.text, otherPart: firstPart[other.order], other: other.text },
    ),
    phrase('write them all as YYYY-MM-DD, or treat the others as mistakes with: {option}', {
      option: `--date-order ${one.order}`,
    }),
  )

const withoutYears = (file: string, { text, place }: PlacedText, today: string) =>
  usage(
    phrase('{file}: the dates have no year, for example {text} ({place})', { file, text, place }),
    phrase('add the year, or say from which day they count: {option}', { option: `--dates-from ${today}` }),
  )

function ambiguousDate(file: string, { text, place }: PlacedText, yearsFrom: string | undefined): Failure {
  const [dayFirst = '', monthFirst = ''] = (['dmy', 'mdy'] as const).map(order =>
    readSheetDate(text, { order, yearsFrom }),
  )
  return usage(
    phrase('{file}: {place}: {text} can mean {one} or {other}', {
      file,
      place,
      text,
      one: dayFirst,
      other: monthFirst,
    }),
    phrase('choose one: {earlier} or {later}', {
      earlier: `--date-order dmy (${dayFirst})`,
      later: `--date-order mdy (${monthFirst})`,
    }),
  )
}

const readDayFirst = (file: string, language: Language, { text, place }: PlacedText, yearsFrom: string | undefined) =>
  phrase(
    '{file}: dates are read day first, as in {language}, the language of the headings: {place}: {text} is {date}; for month first add: --date-order mdy',
    {
      file,
      language: languageName(language),
      place,
      text,
      date: readSheetDate(text, { order: 'dmy', yearsFrom }) ?? '',
    },
  )

/** Detects the date order of a sheet from its cells. Without `--date-order` the first unambiguous date decides, and if there is none the language of the headings. */
export function createDateOrderDetector(options: DateOrderOptions) {
  const { name, given, today, language, notice } = options
  const { order: givenOrder, yearsFrom } = given
  let order = givenOrder
  let ambiguous: PlacedText | undefined
  const years = createYears(yearsFrom)
  let deciding = ''
  const typed = createTypedDates()
  const decide = (only: DateOrder, written: string) => {
    if (order !== undefined && order !== only)
      throw twoOrders(name, { order, text: deciding }, { order: only, text: written })
    if (order === undefined) [order, deciding] = [only, written]
  }
  const isReadAlike = (text: string, orders: readonly (DateOrder | undefined)[]) =>
    new Set(orders.map(one => readSheetDate(text, { order: one, yearsFrom }))).size === 1
  const addOne = (text: string, place: string) => {
    const [first, second] = possibleOrders(text, yearsFrom)
    if (first && !second) decide(first, `${place}: ${text}`)
    else if (!order && !isReadAlike(text, [first, second])) ambiguous ??= { text, place }
  }
  return {
    get forms(): DateForms {
      return { order, yearsFrom }
    },
    /** Whether a date can be read in two ways and no other date has decided. */
    get isAmbiguous() {
      return (order === undefined && ambiguous !== undefined) || years.missing !== undefined
    },
    /** Throws `usage` for a date that can only be read in the other order. `isTyped`: the cell of a workbook is a date, not a text. */
    add(text: string, place: string, isTyped = false) {
      years.add(text.trim(), place, order)
      if (givenOrder) return
      if (isTyped) typed.add(text, place)
      const [one = text, ...others] = text.match(/\d{1,4}([/.-])\d{1,2}\1\d{2,4}/g) ?? []
      for (const date of others.length > 0 ? [one, ...others] : [text]) addOne(date.trim(), place)
    },
    /** Decides at the end of the sheet by the language of its headings, if that can. */
    settle() {
      if (order !== undefined || !ambiguous || !language || !dayFirstLanguages.includes(language)) return
      order = 'dmy'
      notice(readDayFirst(name, language, ambiguous, yearsFrom))
    },
    /** The failure for a sheet that is still ambiguous at its end. */
    failure() {
      if (years.missing) return withoutYears(name, years.missing, today)
      return ambiguousDate(name, ambiguous ?? { text: '', place: '' }, yearsFrom)
    },
    /** The failure for a sheet whose dates a spreadsheet program has read in the wrong order. */
    /** Reports the order, once all dates are known to have it. */
    report() {
      const example = typed.maySwapped()
      if (!givenOrder && order && example) throw maySwapped(name, order, deciding, example)
      if (!order || !deciding) return
      notice(
        phrase('{file}: dates are read {part, select, day {day} month {month} other {year}} first, because of {cell}', {
          file: name,
          part: firstPart[order],
          cell: deciding,
        }),
      )
    },
  }
}

const maySwapped = (file: string, order: DateOrder, text: string, example: string) =>
  usage(
    phrase(
      '{file}: a spreadsheet program may have swapped days and months: some dates are text ({text}), and no other has a day above 12 ({example})',
      { file, text, example },
    ),
    phrase('if the others are right, add: {option}; otherwise import the text into the program again', {
      option: `--date-order ${order}`,
    }),
  )

export type DateOrderDetector = ReturnType<typeof createDateOrderDetector>

/** Whether the dates of a sheet have years: if one of them has, a date without a year is a mistake in its row. */
function createYears(yearsFrom: string | undefined) {
  let hasYears = yearsFrom !== undefined
  let missing: PlacedText | undefined
  return {
    add(text: string, place: string, order: DateOrder | undefined) {
      if (hasYears || text === '') return
      hasYears = hasDay(text, { order })
      if (!hasYears && lacksYear(text, { order })) missing ??= { text, place }
    },
    /** A date without a year, if no date has one. */
    get missing() {
      return hasYears ? undefined : missing
    },
  }
}

/**
 * A spreadsheet program that expects the other order turns `04/05/2027` into a date with day and month swapped, and leaves `13/05/2027` as
 * text. Then no date cell has a day above 12.
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
    /** One of the dates that may be swapped; undefined if they are right, or if there are too few to tell. */
    maySwapped: () => (isLate || examples.length < 2 ? undefined : examples[0]),
  }
}
