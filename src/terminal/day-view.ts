import type { DayEvent, EventCategory } from '../days/day-events.ts'
import type { DayWords } from '../days/day-words.ts'
import type { Paint } from './colors.ts'
import { linesWithin, widthOf } from './fit.ts'

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
