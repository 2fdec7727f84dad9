import type { Status } from '../../contract/posts.ts'
import type { Language } from '../../contract/words.ts'
import { nearestWall, wallMs } from '../../time/dates.ts'
import type { Clock } from '../dialect.ts'
import type { EventRow } from '../store/rows.ts'
import { createExtent, type Extent } from './extent.ts'
import { createLinks, type Link, type Links } from './links.ts'
import { byText, type Sorted, sorted } from './sorted.ts'
import type { Window } from './window.ts'

/** Which events a list is made of before anything narrows it. */
export interface View {
  readonly language: Language
  readonly statuses: readonly Status[]
  /** Whether events hidden from listings are among them. */
  readonly hidden: boolean
  readonly clock: Clock
}

/** The events of a view in the order of lists, and what is found in them without reading all. */
export interface Timeline {
  readonly rows: Sorted<EventRow>
  has(row: EventRow): boolean
  /** Events that name a record, in order. */
  linked(link: Link, id: number): Sorted<EventRow>
  /** Where in `rows` events of a window can be: from an index to before another. */
  range(window: Window): readonly [number, number]
  /** As `Extent.count`. */
  count(window: Window): number | undefined
  follow(before: EventRow | undefined, after: EventRow | undefined): void
}

/** Rows are ordered by what clocks show, which is never further from UTC than this. */
const furthestOffset = 14 * 3_600_000

/** The order of lists: start, publication, id. */
export const inListOrder = (a: EventRow, b: EventRow): number =>
  byText(a.start_date, b.start_date) || byText(a.date, b.date) || a.id - b.id

/** Makes the timeline of a view. */
export function createTimeline(view: View, events: Iterable<EventRow>): Timeline {
  const { language, hidden, clock } = view
  const statuses = new Set(view.statuses)
  const has = (row: EventRow) =>
    row.lang_code === language && statuses.has(row.status) && (hidden || !row.hide_from_listings)
  const rows = sorted([...events].filter(has), inListOrder)
  const links = new Map<Link, Links>()
  let extent: Extent | undefined
  return {
    rows,
    has,
    linked(link, id) {
      const known = links.get(link) ?? createLinks(link, rows.slice(), inListOrder)
      links.set(link, known)
      return known.of(id)
    },
    range({ start, end }) {
      const first = shifted(start.from, -furthestOffset)
      const [until = ''] = [start.until, end.until].sort(byText)
      const last = shifted(until, furthestOffset)
      return [rows.indexOf(row => row.start_date >= first), rows.indexOf(row => row.start_date > last)]
    },
    count(window) {
      extent ??= createExtent(clock, [...rows.slice()])
      return extent.count(window)
    },
    follow(before, after) {
      if (before && has(before)) for (const part of [rows, extent, ...links.values()]) part?.remove(before)
      if (after && has(after)) for (const part of [rows, extent, ...links.values()]) part?.add(after)
    },
  }
}

const shifted = (wall: string, ms: number): string => (/^\d/.test(wall) ? nearestWall(wallMs(wall) + ms) : wall)
