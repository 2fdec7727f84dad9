import type { DayEvent, EventCategory } from '../../files/print/day-events.ts'
import { type DayWords, dayCount, hoursOn } from '../../files/print/day-words.ts'
import type { Paint } from './colors.ts'
import { linesWithin, pad, padStart, shorten, widthOf } from './fit.ts'

/** How agendas and months are drawn. */
export interface DayView {
  readonly words: DayWords
  readonly paint: Paint
  /** Whether `paint` colours anything. */
  readonly color: boolean
  /** Width of the terminal, or of the page in a pipe. */
  readonly columns: number
  /** `YYYY-MM-DD` */
  readonly today: string
}

/** The title of an event, with its status if not everybody sees it: `Concert (draft)`. */
export const markedTitle = ({ title, status }: DayEvent): string =>
  status === undefined ? title : `${title} (${status})`

/** The categories by which events are coloured, as a legend below them; nothing without colours. */
export function legend(events: Iterable<DayEvent>, { color, paint, columns }: DayView): string {
  if (!color) return ''
  const categories = new Map<number, EventCategory>()
  for (const {
    categories: [category],
  } of events)
    if (category) categories.set(category.id, category)
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
/** With less room than this for titles and venues, what belongs to an event stands below each other. */
const leastRoom = 30
const leastVenue = 10

/** Days as headings, and their events with hours, titles, venues and IDs; nothing is cut. */
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
  const count = dayCount(event, day, words)
  return {
    event,
    hours: hoursOn(event, day, words),
    title: count === '' ? markedTitle(event) : `${markedTitle(event)} ${count}`,
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

/** The widths of the columns; undefined if there is no room for them. Titles get what venues leave. */
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

function columnLines(
  { event, hours, title, venue, id }: AgendaRow,
  widths: AgendaColumns,
  { paint }: DayView,
): string[] {
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
