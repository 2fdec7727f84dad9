import { type DayEvent, type DaySpan, eventsByDay } from '../../files/print/day-events.ts'
import { hourIn } from '../../files/print/day-words.ts'
import { type Bar, type WeekRow, weekRows } from '../../files/print/week-rows.ts'
import { agendaText, type DayView, legend, markedTitle } from './agenda-text.ts'
import { linesWithin, pad, padStart, shorten, widthOf } from './fit.ts'

/** A month as a grid; on a narrow terminal as a small one, with an agenda below it. */
export function* monthText(events: readonly DayEvent[], range: DaySpan, view: DayView): Generator<string> {
  const title = view.words.month(range.first.slice(0, 7))
  const width = cellWidth(view.columns)
  if (width !== undefined) return yield* monthGrid(title, events, range, width, view)
  const days = eventsByDay(events, range)
  yield smallMonth(title, new Set(days.keys()), range, view)
  if (days.size > 0) yield '\n'
  yield* agendaText(days, view)
}

const separator = '│'
/** Narrower cells could not show a word: a small month with an agenda below it says more. */
const narrowestCell = 8
const widestCell = 32
/** An event takes up no more lines of a cell. */
const mostLines = 3

/** The width of a cell of the grid; undefined if the terminal is too narrow for a grid. */
function cellWidth(columns: number): number | undefined {
  const width = Math.floor((columns - 6 * separator.length) / 7)
  return width < narrowestCell ? undefined : Math.min(width, widestCell)
}

/** A month as a grid of days with their events, and events of many days as bars across them. */
function* monthGrid(
  title: string,
  events: readonly DayEvent[],
  range: DaySpan,
  width: number,
  view: DayView,
): Generator<string> {
  const { words, paint } = view
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

/** `├ Fira ───┤`; open on the side where the event goes on in another week. */
function laneLine(lane: readonly Bar[], width: number, { paint }: DayView): string {
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
    line += paint.category(category, barText(bar, length)) + (bar.to < 6 ? between : '')
    column = bar.to + 1
  }
  blanks(7)
  return line
}

function barText({ event, beginsBefore, endsAfter }: Bar, length: number): string {
  const hour = event.isAllDay || beginsBefore ? '' : `${event.startTime} `
  const text = shorten(`${hour}${markedTitle(event)}`, length - 4)
  const line = '─'.repeat(Math.max(0, length - 4 - widthOf(text)))
  return `${beginsBefore ? '─' : '├'} ${text} ${line}${endsAfter ? '─' : '┤'}`
}

function cellLines(event: DayEvent, day: string, width: number, { paint }: DayView): string[] {
  const [category] = event.categories
  return linesWithin(`${hourIn(day, event)} ${markedTitle(event)}`.trimStart(), width, mostLines).map(
    line => paint.category(category, line) + ' '.repeat(Math.max(0, width - widthOf(line))),
  )
}

/** A month as numbers, for narrow terminals: today in brackets, and a dot at days with events where there is room. */
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
