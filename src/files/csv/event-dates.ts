/**
 * The start and end of an event whose day and time are in separate columns. What a row leaves out is filled in as the importer and other
 * calendars do, with a notice: an event without an end ends when it starts, an end before the start is on the next day, if that makes it a
 * night, and an event without any time lasts all day.
 */

import { forExample } from '../../base/failure.ts'
import { foldCase } from '../../base/text/folding.ts'
import { foldWords } from '../../base/time/calendar-words.ts'
import { type DateForms, readDayAndTime, short } from '../../base/time/date-grammar.ts'
import { type DayPair, readDayPair, readPeriod } from '../../base/time/date-periods.ts'
import {
  type DateMistake,
  type DateText,
  dayAfter,
  dayLength,
  daysBetween,
  daysThrough,
  momentOf,
  msWall,
  readDate,
  wallMs,
} from '../../base/time/dates.ts'
import { endAfter, lengthText, readLengths, shiftWall } from '../../base/time/durations.ts'
import {
  endOfDay,
  halfHours,
  hoursOfNumber,
  ofDay,
  readHourRanges,
  readHours,
  wallOn,
} from '../../base/time/hour-grammar.ts'
import { readEnd, sharedHalf, unreadableEnd } from '../../base/time/when.ts'
import { fromUtc, hasClocks } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Cell, CellFormats, PartOf } from './cell-values.ts'
import type { Sheet } from './headings.ts'
import { dateEntry, dayFirst, readSheetDate, wrong } from './sheet-dates.ts'

/** The cells for a start or an end. */
interface Edge {
  readonly name: 'start_date' | 'end_date'
  readonly day: Cell
  readonly time: Cell
  /** What is wrong with its cells. */
  readonly mistake?: RecordEntry
  /** Whether the event may exist: then it has the day that the cells leave out. */
  readonly hasRecord: boolean
}

interface Edges {
  readonly start: Edge
  readonly end: Edge
}

/** Words in the column of the time for an event that lasts all day. */
const allDayWords = /^(tot( el)? dia|(tot )?el dia sencer|dia sencer|todo( el)? dia|dia completo|all day)$/

const isAllDayWord = (text: string): boolean => allDayWords.test(foldCase(text))

/** The entries for the dates of a row. */
export function eventDates(
  entries: readonly RecordEntry[],
  part: PartOf,
  sheet: Sheet,
  formats: CellFormats,
): RecordEntry[] {
  const { dates: forms } = formats
  const entryOf = (name: string) => entries.find(entry => entry.name === name)
  const hasRecord = entryOf('id')?.value !== undefined || entryOf('slug')?.value !== undefined
  const edge = (name: Edge['name']) => ({ ...edgeOf(name, part, forms), hasRecord })
  const edges = withHourRange(withDayPair(edge('start_date'), edge('end_date'), forms), sheet, formats.place)
  const { start, end } = edges
  const zone = String(entryOf('timezone')?.value ?? formats.zone)
  const saysAllDay = isAllDayWord(start.time.text)
  const row: Row = {
    ...formats,
    ...edges,
    sheet,
    // An invalid one is reported elsewhere.
    zone: hasClocks(zone) ? zone : 'UTC',
    saysAllDay,
    isAllDay: saysAllDay || entryOf('all_day')?.value === true,
    isOpen: entryOf('all_day') === undefined,
    hasEnd: end.day.text !== '' || end.time.text !== '',
  }
  const begun = saysAllDay ? { ...start, time: { ...start.time, text: '' } } : start
  const [startEntry, ...faults] = edgeEntries(begun, forms)
  const length = part('end_date.length')
  if (!startEntry) return [...lengthAlone(length, hasRecord), ...edgeEntries(end, forms)]
  if (isOnRecord(startEntry, row))
    return [startEntry, ...faults, ...lengthAlone(length, hasRecord), ...edgeEntries(end, forms)]
  if (!isRead(startEntry)) return [startEntry, ...faults, ...endFaults(row), ...lengthFault(length, row.isAllDay)]
  if (length.text !== '') return datesByLength(startEntry, length, row)
  if (!row.hasEnd && hasRecord) return [startEntry, endIfNew(startEntry)]
  const endEntry = endOf(startEntry, row)
  const dates = [startEntry, ...(endEntry ? [endEntry] : [])]
  if (!row.isAllDay && isDay(startEntry) && !dates.every(isDay))
    return [wrong('start_date', start.day, phrase('an hour in the same row, as the end has one'))]
  checkLength(dates, row)
  return withAllDay(dates, row)
}

/** The end of a row that says none: its start. The importer's sheets recognize an event by this end. */
const sameEnd = (start: RecordEntry, { isAllDay, sheet }: Row): RecordEntry =>
  isAllDay || isDay(start) || sheet.match ? { ...start, name: 'end_date' } : endIfNew(start)

/** The end of a new event whose row says none; an existing one keeps its own. */
const endIfNew = (start: RecordEntry): RecordEntry => ({ ...start, name: 'end_date', isIfNew: true })

/** The cells of a row with its dates, and what else it says about them. */
interface Row extends Edges, CellFormats {
  readonly sheet: Sheet
  /** Whether the column of the time says so. */
  readonly saysAllDay: boolean
  readonly isAllDay: boolean
  /** Whether no column says if it lasts all day. */
  readonly isOpen: boolean
  readonly hasEnd: boolean
}

const isDay = ({ value }: RecordEntry): boolean => readDate(String(value))?.dayOnly === true

/** Whether a start needs the day or the hour of the existing event. */
const isOnRecord = (entry: RecordEntry, { start, isAllDay }: Row): boolean =>
  start.hasRecord && !isAllDay && (entry.isTyped === true || isDay(entry))

/** The dates of a row; it lasts all day if no column has a time. */
function withAllDay(dates: readonly RecordEntry[], row: Row): RecordEntry[] {
  const { sheet, place, saysAllDay, isOpen, hasEnd } = row
  const { match, remark } = sheet
  const isDayOnly = dates.every(isDay)
  if (!isDayOnly && !hasEnd && dates.length > 1 && !match)
    remark('no end', phrase('ends when it starts, because it has no end'), place)
  if (!isOpen || !(saysAllDay || (isDayOnly && !match))) return [...dates]
  if (!saysAllDay) remark('all day', phrase('lasts all day, because it has no time'), place)
  return [...dates, { name: 'all_day', value: true, column: dates[0]?.column ?? '' }]
}

/** Adds a notice if an event lasts for years: its end probably has a wrong year. */
function checkLength(dates: readonly RecordEntry[], { sheet, place }: Row): void {
  const [start, end] = dates.map(({ value }) => readDate(String(value))?.wall)
  if (!start || !end || wallMs(end) - wallMs(start) <= longest) return
  sheet.remark(
    `length ${place}`,
    phrase('{place}: lasts from {start} to {end}: check the year of its end', {
      place,
      start: start.slice(0, 10),
      end: end.slice(0, 10),
    }),
  )
}

/** A start or an end: the cell of a column such as `Inici` contains a day, a time or both. */
function edgeOf(name: Edge['name'], part: PartOf, forms: DateForms): Omit<Edge, 'hasRecord'> {
  const day = part(`${name}.day`)
  const time = part(`${name}.time`)
  const at = part(`${name}.at`)
  if (at.text === '') return { name, day, time }
  const isEndAlone = name === 'end_date' && day.text === '' && time.text === '' && dayOf(at, forms) === undefined
  if (isTime(at.text) || isEndAlone) return { name, day, time: orElse(time, at) }
  const dayText = dayOf(day, forms)
  if (dayText !== undefined && dayText !== dayOf(at, forms))
    return { name, day, time, mistake: wrong(name, at, phrase('the day in "{heading}"', { heading: day.heading })) }
  const { expected = phrase('a day, an hour such as 21:00, or both') } = dateEntry(name, at.text, at.heading, forms)
  if (readDayAndTime(at.text, forms) === undefined) return { name, day, time, mistake: wrong(name, at, expected) }
  return { name, day: at, time }
}

/** A day such as `del 3 al 7 d’agost de 2027` is both start and end, unless another cell gives the end. */
function withDayPair(start: Edge, end: Edge, forms: DateForms): Edges {
  const { text, heading } = start.day
  const isOneDay = text === '' || dayOf(start.day, forms) !== undefined
  if (isOneDay || end.day.text !== '') return { start, end }
  const hours = start.time.text === '' ? hoursOnDays(text, forms) : undefined
  const pair = hours ? undefined : readDayPair(text, dayFirst(forms))
  if (pair && areSeparate(pair, start.time.text, end.time.text)) {
    const mistake = { ...wrong(start.name, start.day, phrase('one day')), advice: phrase('write a row for each day') }
    return { start: { ...start, mistake }, end }
  }
  const days = hours ?? (pair && { start: pair.first, end: pair.last })
  if (!days) return { start, end }
  const at = (day: string) => ({ text: day, heading })
  return { start: { ...start, day: at(days.start) }, end: { ...end, day: at(days.end) } }
}

/** A start and an end with their hours in one cell: `12 dic 18:00-20:00`. */
function hoursOnDays(text: string, forms: DateForms): { readonly start: string; readonly end: string } | undefined {
  const period = readPeriod(text, dayFirst(forms))
  if (!period?.ok || period.day === undefined || period.time === undefined || !period.end?.time) return undefined
  const { day, time, end } = period
  return { start: `${day} ${time}`, end: `${end.day ?? day} ${end.time}` }
}

/** Whether two days with these hours are separate events, and not one event that lasts. */
function areSeparate({ first, last, isSpan }: DayPair, time: string, endTime: string): boolean {
  const hasHour = time !== '' && !isAllDayWord(time)
  if (!isSpan) return hasHour || dayAfter(first) !== last
  return hasHour && endTime === '' && spansIn(time).length === 0
}

/** Longer programmes give an end, or have a row for each day. */
const mostPerformances = 31

/**
 * The days of a row that is an event on each of several days: `5 i 6 de juny`, or `del 3 al 7 de febrer`, at one hour. Undefined for any
 * other row. `textOf` gives the text in a column.
 */
export function performanceDays(textOf: (name: string) => string, forms: DateForms): readonly string[] | undefined {
  const day = textOf('start_date.day')
  if (textOf('end_date.day') !== '' || readSheetDate(day, dayFirst(forms)) !== undefined) return undefined
  const pair = readDayPair(day, dayFirst(forms))
  if (!pair || !areSeparate(pair, textOf('start_date.time'), textOf('end_date.time'))) return undefined
  const { first, last, isSpan } = pair
  if (!isSpan) return [first, last]
  return daysBetween(first, last) < mostPerformances ? daysThrough(first, last) : undefined
}

/** An hour such as `18-20 h` is both start and end, unless another cell gives the end. */
function withHourRange({ start, end }: Edges, { remark }: Sheet, place: string): Edges {
  const { text, heading } = start.time
  const isOneDay = end.day.text === '' || end.day.text === start.day.text
  const shared = isOneDay && end.time.text !== '' ? sharedHalf(text, end.time.text) : undefined
  if (shared) {
    remark('half', shared.said, place)
    const at = (edge: Edge, time: string) => ({ ...edge, time: { ...edge.time, text: time } })
    return { start: at(start, shared.hour), end: at(end, shared.end) }
  }
  const [hours, ...others] = end.time.text === '' ? spansIn(text) : []
  if (!hours || others.length > 0) return { start, end }
  if (bareHours.test(text)) remark('hours', phrase('{text} is read as two hours, a start and an end', { text }), place)
  const [from, to] = hours
  return {
    start: { ...start, time: { text: from, heading } },
    end: { ...end, time: { text: short(to > endOfDay ? ofDay(to) : to), heading } },
  }
}

const isTime = (text: string): boolean =>
  hoursIn(text).length > 0 || spansIn(text).length > 0 || halfHours(text) !== undefined || isAllDayWord(text)

/** The day of a cell, if it can be read. */
function dayOf(cell: Cell, forms: DateForms): string | undefined {
  const value = String(dateEntry('start_date', cell.text, cell.heading, forms).value)
  return readDate(value) && value.slice(0, 10)
}

const orElse = (cell: Cell, fallback: Cell): Cell => (cell.text === '' ? fallback : cell)

/** The entry for a start or an end: a day, with the time of another column. Undefined if both cells are empty. */
function edgeEntry(edge: Edge, forms: DateForms): RecordEntry | undefined {
  const { name, day, time, mistake, hasRecord } = edge
  if (mistake) return mistake
  if (day.text === '' && time.text === '') return undefined
  if (day.text === '') return hasRecord ? onDayOfRecord(edge, forms) : wrong(name, time, phrase('a day for this time'))
  const entry = dateEntry(name, day.text, day.heading, forms)
  const date = readDate(String(entry.value))
  if (time.text === '') return entry
  // Its hour is in another column.
  if (!date) return { ...entry, expected: entry.expected ?? phrase('a day'), advice: forExample('2026-12-05') }
  const wallOf = (hour: string) => wallOn(String(entry.value).slice(0, 10), hour)
  const times = hoursIn(time.text)
  const wall = times.length > 1 ? undefined : times.map(wallOf)[0]
  if (wall === undefined) return wrongTime(name, time)
  const clock = wall.slice(11)
  const ownClock = date.wall.slice(11)
  if (!date.dayOnly && ownClock !== '00:00:00' && ownClock !== clock)
    return wrong(name, time, phrase('the time in "{heading}"', { heading: day.heading }))
  return { ...entry, value: wall }
}

/** The entry for an hour, or an end in other words, which is read beside the existing event. */
function onDayOfRecord(edge: Edge, forms: DateForms): RecordEntry {
  const { name, time } = edge
  const [hour, ...others] = hoursIn(time.text)
  const entry = { name, column: time.heading, isTyped: true } as const
  if (name === 'start_date')
    return hour !== undefined && others.length === 0 ? { ...entry, value: hour } : wrongTime(name, time)
  const mistake = unreadableEnd(time.text, 'UTC', { forms: dayFirst(forms) })
  return mistake ? wrongEnd(edge, mistake) : { ...entry, value: time.text }
}

/** The entry for a length without a start beside it. */
function lengthAlone(length: Cell, hasRecord: boolean): RecordEntry[] {
  if (length.text === '') return []
  if (!hasRecord) return [wrong('end_date', length, phrase('a start in the same row'))]
  const [duration = 0] = readLengths(length.text)
  const entry = { name: 'end_date', value: `${duration / 60_000} min`, column: length.heading, isTyped: true } as const
  const faults = lengthFault(length, false)
  return faults.length > 0 ? faults : [entry]
}

/** The entry for a start or an end, and what is wrong with its hour as well as with its day. */
function edgeEntries(edge: Edge, forms: DateForms): RecordEntry[] {
  const { name, time } = edge
  const entry = edgeEntry(edge, forms)
  if (!entry) return []
  const hasFault =
    !isRead(entry) && entry.column !== time.heading && time.text !== '' && hoursIn(time.text).length !== 1
  return [entry, ...(hasFault ? [wrongTime(name, time)] : [])]
}

const isRead = ({ value, isWrong }: RecordEntry): boolean => isWrong !== true && readDate(String(value)) !== undefined

/** What is wrong with an end whose start cannot be read. */
function endFaults({ end, dates: forms, zone }: Row): RecordEntry[] {
  if (end.day.text !== '') return edgeEntries(end, forms)
  const mistake = end.time.text === '' ? undefined : unreadableEnd(end.time.text, zone, { forms: dayFirst(forms) })
  return mistake ? [wrongEnd(end, mistake)] : []
}

/** The mistake of a time that cannot be read, or has several readings. */
function wrongTime(name: Edge['name'], time: Cell): RecordEntry {
  const halves = halfHours(time.text)
  if (halves) return wrong(name, time, phrase('hours and minutes'), halves)
  const spans = spansIn(time.text).map(([from, to]) => `${short(from)}-${short(ofDay(to))}`)
  const hours = hoursIn(time.text).map(short)
  const readings = hours.length > 0 || spans.length < 2 ? hours : spans
  if (readings.length > 0) return wrong(name, time, phrase('a time with one meaning'), readings)
  const expected =
    spans.length > 0
      ? phrase('one time, as the end is in another column')
      : phrase('a time such as 19:30, 19.30 h or 7 pm, or two such as 18-20 h')
  return wrong(name, time, expected)
}

/** The start, and the end that follows from the length. */
function datesByLength(start: RecordEntry, length: Cell, row: Row): RecordEntry[] {
  const given = row.hasEnd ? endOf(start, row) : undefined
  const lastsDays = row.isAllDay || isDay(start)
  const faults = [...(given && !isRead(given) ? [given] : []), ...lengthFault(length, lastsDays)]
  if (faults.length > 0) return [start, ...faults]
  const [duration = 0] = readLengths(length.text)
  const value = lastsDays
    ? shiftWall(`${String(start.value).slice(0, 10)} 00:00:00`, duration - dayLength).slice(0, 10)
    : endAfter(String(start.value), duration, row.zone)
  const givenDate = given && readDate(String(given.value))
  const isSame = !givenDate || givenDate.wall.startsWith(givenDate.dayOnly ? value.slice(0, 10) : value)
  if (!isSame) return [start, wrong('end_date', length, phrase('the end that the row gives, or nothing'))]
  const end = { name: 'end_date', value, column: length.heading }
  return [start, end, ...(lastsDays ? [{ name: 'all_day', value: true, column: start.column }] : [])]
}

/** What is wrong with a length. */
function lengthFault(length: Cell, lastsDays: boolean): RecordEntry[] {
  if (length.text === '') return []
  const durations = readLengths(length.text)
  const [duration] = durations
  if (duration === undefined) return [wrong('end_date', length, phrase('a duration such as 2h, 90 min or 3 days'))]
  const meanings = durations.map(lengthText)
  if (meanings.length > 1) return [wrong('end_date', length, phrase('a duration with one meaning'), meanings)]
  if (!lastsDays || duration % dayLength === 0) return []
  return [wrong('end_date', length, phrase('whole days such as 2d, as the event has no hour'))]
}

/** Announced events are shorter: a later end has a wrong year. */
const longest = 3 * 366 * dayLength

const endOf = (start: RecordEntry, row: Row): RecordEntry | undefined =>
  row.hasEnd || row.end.mistake ? givenEnd(start, row) : sameEnd(start, row)

/** The end in the cells of a row; what they leave out comes from the start. */
function givenEnd(startEntry: RecordEntry, row: Row): RecordEntry | undefined {
  const { start, end, sheet, dates: forms, place, isAllDay, zone } = row
  const startDate = readDate(String(startEntry.value))
  const { time, day } = end
  if (!startDate || end.mistake) return end.mistake
  const { wall, dayOnly } = startDate
  if (day.text !== '')
    return endOnDay(end, dayOnly || end.hasRecord ? undefined : { ...start.time, text: wall.slice(11, 16) }, forms)
  const isWholeDay = isAllDay || dayOnly
  const context = { forms: dayFirst(forms), start: start.time.text }
  const read = readEnd(time.text, { wall: wallIn(startDate, zone), isWholeDay, zone }, context)
  if (!read.ok) return wrongEnd(end, read)
  for (const said of read.said) sheet.remark('next day', said, place)
  return {
    name: end.name,
    value: read.dayOnly && isWholeDay ? read.wall.slice(0, 10) : read.wall,
    column: time.heading,
  }
}

/** A start with an offset as a wall time in the zone of its event. */
const wallIn = (date: DateText, zone: string): string =>
  date.offset === undefined ? date.wall : fromUtc(msWall(momentOf(date)), zone)

/** An end with a day; one without an hour has that of the start. */
function endOnDay(end: Edge, startTime: Edge['time'] | undefined, forms: DateForms): RecordEntry | undefined {
  const { time, day } = end
  const isDayAlone = readDate(String(dateEntry('end_date', day.text, day.heading, forms).value))?.dayOnly
  return edgeEntry({ ...end, time: isDayAlone && startTime && time.text === '' ? startTime : time }, forms)
}

const wrongEnd = ({ name, time }: Edge, { message, hint, readings }: DateMistake): RecordEntry =>
  readings
    ? wrong(name, time, phrase('a time with one meaning'), readings)
    : { ...wrong(name, time, ''), message: `${time.heading}: ${message}`, advice: hint }

/** `10-12`, `10 a 12` */
const bareHours = /^\d{1,2}(?:\s*[-–—]\s*|\s+(?:a|fins a|hasta|to|until)\s+)\d{1,2}$/i

/** The possible hours in a cell. Spreadsheet programs turn `19.00` into `19`. */
const hoursIn = (text: string): readonly string[] => (/^\d{1,2}$/.test(text) ? hoursOfNumber(text) : readHours(text))

/** The possible pairs of hours in a cell. A hyphen between bare numbers is unclear if the second number can only be minutes: `19-30`. */
function spansIn(text: string): readonly (readonly [start: string, end: string])[] {
  if (!bareHours.test(text.trim())) return readHourRanges(foldWords(text))
  const [start = '', end = ''] = (text.match(/\d+/g) ?? []).flatMap(number => readHours(`${number}:00`))
  return start < end ? [[start, end]] : []
}
