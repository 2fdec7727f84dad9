import type { Language } from '../../contract/languages.ts'
import type { Status } from '../../contract/post-status.ts'
import { nearestWall, wallMs } from '../../time/dates.ts'
import type { EventRow } from '../store/rows.ts'
import { createLinkedEvents, type LinkedEvents, type LinkField } from './linked-events.ts'
import { byText, createSortedList, type SortedList } from './sorted-list.ts'
import type { ClockKind, Window } from './window.ts'
import { createWindowCount, type WindowCount } from './window-count.ts'

/** The events that a list is made from before any filter. */
export interface View {
  readonly language: Language
  readonly statuses: readonly Status[]
  /** Whether events hidden from listings are included. */
  readonly hidden: boolean
  readonly clock: ClockKind
}

/** The events of a view in the order of lists. */
export interface Timeline {
  readonly rows: SortedList<EventRow>
  has(row: EventRow): boolean
  /** The events that link to a record, in order. */
  linked(field: LinkField, id: number): SortedList<EventRow>
  /** A superset of the events in a window, as indexes into `rows`: from the first up to, not including, the second. */
  range(window: Window): readonly [number, number]
  /** How many events are in a window; undefined if only a scan can tell. */
  count(window: Window): number | undefined
  follow(before: EventRow | undefined, after: EventRow | undefined): void
}

/** Rows are ordered by local time, which is at most this far from UTC. */
const furthestOffset = 14 * 3_600_000

/** The order of lists: start, publication, ID. */
export const byStart = (a: EventRow, b: EventRow): number =>
  byText(a.start_date, b.start_date) || byText(a.date, b.date) || a.id - b.id

export function createTimeline(view: View, events: Iterable<EventRow>): Timeline {
  const { language, hidden, clock } = view
  const statuses = new Set(view.statuses)
  const has = (row: EventRow) =>
    row.lang_code === language && statuses.has(row.status) && (hidden || !row.hide_from_listings)
  const rows = createSortedList([...events].filter(has), byStart)
  const linkedEvents = new Map<LinkField, LinkedEvents>()
  let windowCount: WindowCount | undefined
  const parts = () => [rows, windowCount, ...linkedEvents.values()]
  return {
    rows,
    has,
    linked(field, id) {
      const index = linkedEvents.get(field) ?? createLinkedEvents(field, rows.slice(), byStart)
      linkedEvents.set(field, index)
      return index.of(id)
    },
    range({ start, end }) {
      const first = shift(start.from, -furthestOffset)
      const [until = ''] = [start.until, end.until].sort(byText)
      const last = shift(until, furthestOffset)
      return [rows.indexOf(row => row.start_date >= first), rows.indexOf(row => row.start_date > last)]
    },
    count(window) {
      windowCount ??= createWindowCount(clock, [...rows.slice()])
      return windowCount.count(window)
    },
    follow(before, after) {
      if (before && has(before)) for (const part of parts()) part?.remove(before)
      if (after && has(after)) for (const part of parts()) part?.add(after)
    },
  }
}

/** The open ends of a window, which are not dates, stay as they are. */
const shift = (wall: string, ms: number): string => (/^\d/.test(wall) ? nearestWall(wallMs(wall) + ms) : wall)
