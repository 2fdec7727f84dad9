import { type DayEvent, type DaySpan, eventsByDay } from '../days/day-events.ts'
import { agendaText } from './agenda-text.ts'
import type { DayView } from './day-view.ts'
import { cellWidth, monthGrid, smallMonth } from './month-grid.ts'

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
