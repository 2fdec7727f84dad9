import { daysThrough } from '../../base/time/dates.ts'
import {
  type Bar,
  type DayEvent,
  type DaySpan,
  type DayWords,
  daysWithin,
  type EventCategory,
  eventsByDay,
  hourIn,
  hoursOn,
  lastDayOf,
  titleToCut,
  titleWithStatus,
  type WeekRow,
  weekRows,
} from '../../files/print/day-events.ts'
import type { Paint } from './colors.ts'
import { linesWithin, pad, padStart, shorten, widthOf } from './table.ts'

/** How agendas and months are drawn. */
export interface DayView {
  readonly words: DayWords
  readonly paint: Paint
  /** Whether `paint` adds colours. */
  readonly color: boolean
  /** Width of the terminal, or of the page in a pipe. */
  readonly columns: number
  /** `YYYY-MM-DD` */
  readonly today: string
}

/** A legend for the colours of categories; nothing without colours. */
function legend(events: Iterable<DayEvent>, { color, paint, columns }: DayView): string {
  if (!color) return ''
  const categories = new Map<number, EventCategory>()
  for (const event of events) {
    const [category] = event.categories
    if (category) categories.set(category.id, category)
  }
  if (categories.size === 0) return ''
  const lines: string[] = ['']
  let taken = 0
  for (const category of [...categories.values()].toSorted((one, other) => one.id - other.id)) {
    const [name = ''] = linesWithin(`■ ${category.name}`, columns, 1)
    const width = widthOf(name)
    if (taken > 0 && taken + 2 + width > columns) {
      lines.push('')
      taken = 0
    }
    const gap = taken === 0 ? '' : '  '
    lines[lines.length - 1] += `${gap}${paint.category(category, name)}`
    taken += gap.length + width
  }
  return `\n${lines.join('\n')}\n`
}

const indent = '  '
const gap = 2
/** In columns: with less room for titles and venues, the parts of an event are on lines of their own. */
const leastRoom = 30
const leastVenue = 10

/** Days as headings, with their events: hours, titles, venues and IDs, without shortening. */
export function* agendaText(days: ReadonlyMap<string, readonly DayEvent[]>, view: DayView): Generator<string> {
  const rows = [...days].flatMap(([day, events]) => events.map(event => rowOf(event, day, view)))
  const widths = columnsFor(rows, view.columns)
  let index = 0
  for (const [day, events] of days) {
    const lines = events.flatMap(() => rowLines(rows[index++], widths, view))
    yield `${index > events.length ? '\n' : ''}${headingOf(day, view)}\n${lines.map(line => `${line}\n`).join('')}`
  }
  yield legend(
    rows.map(({ event }) => event),
    view,
  )
}

function headingOf(day: string, { words, today, paint, columns }: DayView): string {
  const mark = day === today ? ` · ${words.today}` : ''
  const long = `${words.heading(day, today)}${mark}`
  const text = widthOf(long) <= columns ? long : shorten(`${words.shortHeading(day)}${mark}`, columns)
  return day === today ? paint.heading(paint.marked(text)) : paint.heading(text)
}

interface AgendaRow {
  readonly event: DayEvent
  readonly hours: string
  readonly title: string
  readonly venue: string
  readonly id: string
}

function rowOf(event: DayEvent, day: string, { words }: DayView): AgendaRow {
  const until = lastDayOf(event, day, words)
  return {
    event,
    hours: hoursOn(event, day, words),
    title: [titleWithStatus(event, words), until].filter(Boolean).join(' '),
    venue: event.venue,
    id: `(${event.id})`,
  }
}

interface AgendaColumns {
  readonly hours: number
  readonly title: number
  readonly venue: number
  readonly id: number
}

/** The widths of the columns; undefined if there is no room for them. Titles get the room that venues leave. */
function columnsFor(rows: readonly AgendaRow[], columns: number): AgendaColumns | undefined {
  const widest = (cell: (row: AgendaRow) => string) =>
    rows.reduce((width, row) => Math.max(width, widthOf(cell(row))), 0)
  const hours = widest(row => row.hours)
  const id = widest(row => row.id)
  const venue = widest(row => row.venue)
  const room = columns - indent.length - hours - id - gap * (venue === 0 ? 2 : 3)
  if (room < leastRoom) return undefined
  const title = Math.min(
    widest(row => row.title),
    room - Math.min(venue, Math.max(leastVenue, Math.floor(room * 0.35))),
  )
  return { hours, id, title, venue: Math.min(venue, room - title) }
}

function rowLines(row: AgendaRow | undefined, widths: AgendaColumns | undefined, view: DayView): string[] {
  if (!row) return []
  return widths ? columnLines(row, widths, view) : stackedLines(row, view)
}

function columnLines({ event, hours, title, venue, id }: AgendaRow, widths: AgendaColumns, { paint }: DayView) {
  const titles = linesWithin(title, widths.title)
  const venues = linesWithin(venue, Math.max(widths.venue, 1))
  const space = ' '.repeat(gap)
  return Array.from({ length: Math.max(titles.length, venues.length) }, (_, index) => {
    const isFirst = index === 0
    const [category] = event.categories
    const cells = [
      pad(isFirst ? hours : '', widths.hours),
      pad(paint.category(category, titles[index] ?? ''), widths.title),
      ...(widths.venue > 0 ? [pad(venues[index] ?? '', widths.venue)] : []),
      ...(isFirst ? [paint.faint(padStart(id, widths.id))] : []),
    ]
    return `${indent}${cells.join(space)}`.trimEnd()
  })
}

function stackedLines({ event, hours, title, venue, id }: AgendaRow, { paint, columns }: DayView): string[] {
  const width = Math.max(columns - indent.length, 1)
  const first = widthOf(hours) + 1 + widthOf(id) <= columns ? [`${hours} ${paint.faint(id)}`] : [hours, paint.faint(id)]
  const [category] = event.categories
  return [
    ...first,
    ...linesWithin(title, width).map(line => `${indent}${paint.category(category, line)}`),
    ...(venue === '' ? [] : linesWithin(venue, width).map(line => `${indent}${line}`)),
  ]
}

/** A month as a grid; on a narrow terminal as a small calendar with an agenda below it. */
export function* monthText(events: readonly DayEvent[], range: DaySpan, view: DayView): Generator<string> {
  const title = view.words.month(range.first.slice(0, 7))
  const width = cellWidth(view.columns)
  if (width !== undefined) return yield* monthGrid(events, range, width, view)
  const days = eventsByDay(events, range)
  const spans = events.map(event => daysWithin(event, range))
  yield smallMonth(title, new Set(spans.flatMap(({ first, last }) => daysThrough(first, last))), range, view)
  if (days.size > 0) yield '\n'
  yield* agendaText(days, view)
}

const separator = '│'
/** In columns: narrower cells could not show a word, so that a small calendar with an agenda says more. */
const narrowestCell = 8
const widestCell = 32
/** The largest number of lines for an event in a cell. */
const mostLines = 3

/** The width of a cell of the grid; undefined if the terminal is too narrow for a grid. */
function cellWidth(columns: number): number | undefined {
  const width = Math.floor((columns - 6 * separator.length) / 7)
  return width < narrowestCell ? undefined : Math.min(width, widestCell)
}

/** A month as a grid of days with their events, with events of several days as bars across them. */
function* monthGrid(events: readonly DayEvent[], range: DaySpan, width: number, view: DayView): Generator<string> {
  const { words, paint } = view
  const title = words.month(range.first.slice(0, 7))
  const names = words.weekdays(width >= 14 ? 'long' : 'short').map(name => shorten(name, width))
  const total = 7 * width + 6 * separator.length
  yield `${paint.heading(' '.repeat(Math.max(0, Math.floor((total - widthOf(title)) / 2))) + title)}\n\n`
  yield `${names
    .map(name => paint.heading(name) + ' '.repeat(width - widthOf(name)))
    .join(' ')
    .trimEnd()}\n`
  for (const week of weekRows(events, range, words.locale)) {
    yield `${paint.faint(Array.from({ length: 7 }, () => '─'.repeat(width)).join('┼'))}\n`
    for (const line of weekLines(week, width, view)) yield `${line.trimEnd()}\n`
  }
  yield legend(events, view)
}

function weekLines(week: WeekRow, width: number, view: DayView): string[] {
  const { paint } = view
  const between = paint.faint(separator)
  const numbers = week.days.map(day => dayNumber(day, width, view)).join(between)
  const bars = week.lanes.map(lane => laneLine(lane, width, view))
  const cells = week.events.map((events, column) =>
    events.flatMap(event => cellLines(event, week.days[column] ?? '', width, view)),
  )
  const height = Math.max(...cells.map(lines => lines.length))
  const lines = Array.from({ length: height }, (_, index) =>
    cells.map(cell => cell[index] ?? ' '.repeat(width)).join(between),
  )
  return [numbers, ...bars, ...lines]
}

function dayNumber(day: string | undefined, width: number, { today, paint }: DayView): string {
  if (day === undefined) return ' '.repeat(width)
  const number = String(Number(day.slice(8)))
  const blank = ' '.repeat(width - number.length - 2)
  return day === today ? `${blank}${paint.heading(paint.marked(`[${number}]`))}` : `${blank} ${number} `
}

/** `├ Fira ───┤`; open on a side if the event continues in another week. */
function laneLine(lane: readonly Bar[], width: number, { paint, words }: DayView): string {
  const between = paint.faint(separator)
  let line = ''
  let column = 0
  const blanks = (to: number) => {
    for (; column < to; column++) line += `${' '.repeat(width)}${column < 6 ? between : ''}`
  }
  for (const bar of lane.toSorted((one, other) => one.from - other.from)) {
    blanks(bar.from)
    const [category] = bar.event.categories
    const length = (bar.to - bar.from + 1) * width + (bar.to - bar.from) * separator.length
    line += paint.category(category, barText(bar, length, words)) + (bar.to < 6 ? between : '')
    column = bar.to + 1
  }
  blanks(7)
  return line
}

function barText({ event, beginsBefore, endsAfter }: Bar, length: number, words: DayWords): string {
  const hour = event.isAllDay || beginsBefore ? '' : `${event.startTime} `
  const text = shorten(`${hour}${titleToCut(event, words)}`, length - 4)
  const line = '─'.repeat(Math.max(0, length - 4 - widthOf(text)))
  return `${beginsBefore ? '─' : '├'} ${text} ${line}${endsAfter ? '─' : '┤'}`
}

function cellLines(event: DayEvent, day: string, width: number, { paint, words }: DayView): string[] {
  const [category] = event.categories
  return linesWithin(`${hourIn(day, event)} ${titleToCut(event, words)}`.trimStart(), width, mostLines).map(
    line => paint.category(category, line) + ' '.repeat(Math.max(0, width - widthOf(line))),
  )
}

/** A month as numbers, for narrow terminals: today in brackets and, if there is room, a dot at days with events. */
function smallMonth(title: string, days: ReadonlySet<string>, range: DaySpan, view: DayView): string {
  const { words, paint, today, columns } = view
  const isRoomy = columns >= 28
  const width = isRoomy ? 4 : 2
  const between = isRoomy ? '' : ' '
  const cell = (day: string | undefined) => {
    if (day === undefined) return ' '.repeat(width)
    const number = padStart(String(Number(day.slice(8))), 2)
    if (day === today) return paint.marked(isRoomy ? padStart(`[${number.trim()}]`, 4) : number)
    const text = isRoomy ? ` ${number}${days.has(day) ? '•' : ' '}` : number
    return days.has(day) ? paint.heading(text) : text
  }
  const names = words.weekdays('short').map(name => pad(padStart(shortName(name), isRoomy ? 3 : 2), width))
  const weeks = weekRows([], range, words.locale).map(week => week.days.map(cell).join(between).trimEnd())
  return [paint.heading(shorten(title, columns)), names.join(between).trimEnd(), ...weeks, ''].join('\n')
}

/** `Mo`, from `Mon` or `dl.` */
const shortName = (name: string): string => linesWithin(name.replace(/\.$/, ''), 2)[0] ?? ''
