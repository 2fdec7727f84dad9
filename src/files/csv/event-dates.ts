/**
 * The start and the end of an event whose day and time are in columns of their own. What a row leaves open is read as the importer
 * and other calendars do, and said: without an end the event ends when it starts, an end before the start is on the next day, and
 * an event without any time lasts all day.
 */

import { Failure } from '../../base/failure.ts'
import { foldCase } from '../../base/text/similarity.ts'
import { type DateOrder, halfHours, readClock, readDayAndTime, wallOn } from '../../base/time/date-grammar.ts'
import { readDate } from '../../base/time/dates.ts'
import { endAfter, readLength, shiftWall } from '../../base/time/durations.ts'
import { hasClocks } from '../../base/time/zone.ts'
import type { Notice } from '../records/file-record.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Cell, CellFormats, PartOf } from './cell-values.ts'
import type { Sheet } from './headings.ts'

/** The cells of a start or an end. */
interface Edge {
  readonly name: 'start_date' | 'end_date'
  readonly day: Cell
  readonly time: Cell
}

/** Words in the column of the time that mean an event without a time. */
const allDayWords = /^(tot( el)? dia|(tot )?el dia sencer|dia sencer|todo( el)? dia|dia completo|all day)$/

const isAllDayWord = (text: string): boolean => allDayWords.test(foldCase(text))

/** The entries for the dates of a row. */
export function eventDates(
  entries: readonly RecordEntry[],
  part: PartOf,
  sheet: Sheet,
  formats: CellFormats,
): RecordEntry[] {
  const { order } = formats
  const wholeStart = edgeOf('start_date', part, order)
  const givenEnd = edgeOf('end_date', part, order)
  if ('mistake' in wholeStart) return [wholeStart.mistake]
  if ('mistake' in givenEnd) return [givenEnd.mistake]
  const { start, end } = withHourRange(wholeStart, givenEnd)
  const saysAllDay = isAllDayWord(start.time.text)
  const startEntry = edgeEntry(saysAllDay ? { ...start, time: { ...start.time, text: '' } } : start, order)
  const hasEnd = end.day.text !== '' || end.time.text !== ''
  const length = part('end_date.length')
  if (length.text !== '') {
    const given = hasEnd && startEntry ? endOf(end, start, startEntry, sheet, formats) : undefined
    const isAllDay = saysAllDay || entries.some(({ name, value }) => name === 'all_day' && value === true)
    const zone = String(entries.find(({ name }) => name === 'timezone')?.value ?? formats.zone)
    // One that does not exist is reported as such.
    return datesByLength(startEntry, given, length, { isAllDay, zone: hasClocks(zone) ? zone : 'UTC' })
  }
  if (!startEntry) return hasEnd ? endAlone(end, order) : []
  const isUpdate = entries.some(({ name, value }) => name === 'id' && value !== undefined)
  // A change of a record that exists says what changes, and nothing about the rest.
  if (!hasEnd && isUpdate) return [startEntry]
  const endEntry = endOf(end, start, startEntry, sheet, formats)
  const dates = [startEntry, ...(endEntry ? [endEntry] : [])]
  const isDayOnly = dates.every(({ value }) => readDate(String(value))?.dayOnly === true)
  const isOpen = !entries.some(({ name }) => name === 'all_day')
  if (!isDayOnly && !hasEnd && endEntry && !sheet.match)
    sheet.remark('no end', `${formats.place}: ends when it starts, because it has no end; other rows without one too`)
  if (!isDayOnly || !isOpen || (sheet.match && !saysAllDay)) return dates
  if (!saysAllDay)
    sheet.remark('all day', `${formats.place}: lasts all day, because it has no time; other rows without one too`)
  return [...dates, { name: 'all_day', value: true, column: startEntry.column }]
}

/** A cell of a column such as `Inici` holds a day, a time or both. */
function edgeOf(name: Edge['name'], part: PartOf, order: DateOrder | undefined): Edge | { mistake: RecordEntry } {
  const day = part(`${name}.day`)
  const time = part(`${name}.time`)
  const at = part(`${name}.at`)
  if (at.text === '') return { name, day, time }
  if (isTime(at.text)) return { name, day, time: orElse(time, at) }
  const dayText = dayOf(day, order)
  if (dayText !== undefined && dayText !== dayOf(at, order))
    return { mistake: wrong(name, at, `the day in "${day.heading}"`) }
  if (readDayAndTime(at.text, { order }) === undefined)
    return { mistake: wrong(name, at, 'a day, an hour such as 21:00, or both') }
  return { name, day: at, time }
}

const wrong = (name: string, { text, heading }: Cell, expected: string): RecordEntry => ({
  name,
  value: text,
  column: heading,
  expected,
  isWrong: true,
})

/** An hour such as `18-20 h` is a start and an end, where nothing else gives an end. */
function withHourRange(start: Edge, end: Edge): { start: Edge; end: Edge } {
  const hours = end.day.text === '' && end.time.text === '' ? readHourRange(start.time.text) : undefined
  if (!hours) return { start, end }
  const [from, to] = hours
  const { heading } = start.time
  return { start: { ...start, time: { text: from, heading } }, end: { ...end, time: { text: to, heading } } }
}

const isTime = (text: string): boolean =>
  [readHour, readHourRange, halfHours].some(read => read(text) !== undefined) || isAllDayWord(text)

/** The day of a cell, if it can be read. */
function dayOf(cell: Cell, order: DateOrder | undefined): string | undefined {
  const value = String(dateEntry('start_date', cell.text, cell.heading, order).value)
  return readDate(value) && value.slice(0, 10)
}

const orElse = (cell: Cell, fallback: Cell): Cell => (cell.text === '' ? fallback : cell)

/** A day with the time of another column; undefined if both are empty. */
function edgeEntry({ name, day, time }: Edge, order: DateOrder | undefined): RecordEntry | undefined {
  if (day.text === '' && time.text === '') return undefined
  if (day.text === '') return wrong(name, time, 'a day for this time')
  const entry = dateEntry(name, day.text, day.heading, order)
  const date = readDate(String(entry.value))
  if (time.text === '' || !date) return entry
  const clock = readHour(time.text)
  const halves = clock === undefined ? halfHours(time.text) : undefined
  if (halves) return { ...wrong(name, time, 'hours and minutes'), advice: `write ${halves.join(' or ')}` }
  if (clock === undefined)
    return wrong(
      name,
      time,
      readHourRange(time.text)
        ? 'one time, as the end is in another column'
        : 'a time such as 19:30, 19.30 h or 7 pm, or two such as 18-20 h',
    )
  const ownClock = date.wall.slice(11)
  if (!date.dayOnly && ownClock !== '00:00:00' && ownClock !== clock)
    return wrong(name, time, `the time in "${day.heading}"`)
  return { ...entry, value: wallOn(String(entry.value).slice(0, 10), clock) }
}

/** The start, and the end that follows from how long the event lasts. A start that cannot be read is reported alone. */
function datesByLength(
  start: RecordEntry | undefined,
  given: RecordEntry | undefined,
  length: Cell,
  { isAllDay, zone }: { readonly isAllDay: boolean; readonly zone: string },
): RecordEntry[] {
  if (!start) return [wrong('end_date', length, 'a start in the same row')]
  const date = readDate(String(start.value))
  if (!date) return [start]
  const duration = readLength(length.text.replace(/^(\d{1,2}):(\d\d)(:00)?$/, '$1h$2'))
  if (duration === undefined) return [start, wrong('end_date', length, 'a duration such as 2h, 90 min or 3 days')]
  const lastsDays = isAllDay || date.dayOnly
  if (lastsDays && duration % dayMs !== 0)
    return [start, wrong('end_date', length, 'whole days such as 2d, as the event has no hour')]
  const value = lastsDays
    ? shiftWall(date.wall, duration - dayMs).slice(0, 10)
    : endAfter(String(start.value), duration, zone)
  const givenDate = given && readDate(String(given.value))
  if (given && !givenDate) return [start, given]
  const isSame = !givenDate || givenDate.wall.startsWith(givenDate.dayOnly ? value.slice(0, 10) : value)
  if (!isSame) return [start, wrong('end_date', length, 'what the end of the row says, or nothing')]
  const end = { name: 'end_date', value, column: length.heading }
  return [start, end, ...(lastsDays ? [{ name: 'all_day', value: true, column: start.column }] : [])]
}

const dayMs = 86_400_000

function endAlone(end: Edge, order: DateOrder | undefined): RecordEntry[] {
  const entry = edgeEntry(end, order)
  return entry ? [entry] : []
}

/** The end, with what it does not say from the start. */
function endOf(
  end: Edge,
  start: Edge,
  startEntry: RecordEntry,
  { remark }: Sheet,
  { order, place }: CellFormats,
): RecordEntry | undefined {
  const startDate = readDate(String(startEntry.value))
  // A start that cannot be read is reported once.
  if (!startDate) return end.day.text === '' ? undefined : edgeEntry(end, order)
  const startTime = startDate.dayOnly ? '' : startDate.wall.slice(11, 16)
  const day = orElse(end.day, { text: startDate.wall.slice(0, 10), heading: start.day.heading })
  const isDay = day === end.day && readDate(String(dateEntry('end_date', day.text, day.heading, order).value))
  const hasOwnTime = isDay !== false && isDay?.dayOnly === false
  const time = hasOwnTime ? end.time : orElse(end.time, { text: startTime, heading: start.time.heading })
  const entry = edgeEntry({ ...end, day, time }, order)
  const endDate = entry && readDate(String(entry.value))
  if (!entry || !endDate || end.day.text !== '' || endDate.wall >= startDate.wall) return entry
  remark(
    'next day',
    `${place}: ends on the next day, because ${end.time.text} is before ${orElse(start.time, start.day).text}; the same in other rows like it`,
  )
  return { ...entry, value: shiftWall(endDate.wall, dayMs) }
}

/** Between bare numbers a hyphen is unclear: `19-20` may be 19.20. */
const range =
  /^(?:(?=.*[h:.'’])(.+?)\s*[-–—]\s*(\D*\d.*)|(?:(?:de|from)\s+)?(.+?)\s+(?:a|fins a|hasta|to|until)\s+(\D*\d.*))$/i

/** Spreadsheet programs make `19` of `19.00`. */
const readHour = (text: string): string | undefined => readClock(/^\d{1,2}$/.test(text) ? `${text}:00` : text)

/** The two hours of a cell such as `18-20 h` or `de 18.00 a 20.00 h`; undefined for any other. */
function readHourRange(text: string): readonly [start: string, end: string] | undefined {
  const match = range.exec(text.trim()) ?? []
  const [first = '', second = ''] = match.slice(1).filter(part => part !== undefined)
  const [start, end] = [readHour(first), readHour(second)]
  // `7-9 pm` begins in the evening, and `11-1 pm` in the morning.
  const isUnclear = /[ap]\.?\s?m\.?$/i.test(second) && !/[ap]\.?\s?m\.?$/i.test(first)
  return start && end && !isUnclear ? [start, end] : undefined
}

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
          { hint: `write them all as YYYY-MM-DD, or treat the others as mistakes with: --date-order ${order}` },
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
