import { nearestWall, wallMs } from '../../base/time/dates.ts'
import type { Language } from '../../contract/languages.ts'
import type { Status } from '../../contract/post-status.ts'
import type { EventRow } from '../store/rows.ts'

/** The events from which a list is made, before any filter. */
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
  /**
   * The part of that range in which all events are in the window, so that none has to be read. The window must not limit from when on
   * events end: in UTC, those of production can end before they start.
   */
  sureRange(window: Window): readonly [number, number]
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
  const countOf = () => (windowCount ??= createWindowCount(clock, [...rows.slice()]))
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
    sureRange({ start, end }) {
      const from = shift(start.from, furthestOffset)
      const latest = [shift(start.until, -furthestOffset), shift(end.until, -furthestOffset - countOf().longest())]
      const [until = ''] = latest.sort(byText)
      const first = rows.indexOf(row => row.start_date >= from)
      return [
        first,
        Math.max(
          first,
          rows.indexOf(row => row.start_date > until),
        ),
      ]
    },
    count: window => countOf().count(window),
    follow(before, after) {
      if (before && has(before)) for (const part of parts()) part?.remove(before)
      if (after && has(after)) for (const part of parts()) part?.add(after)
    },
  }
}

/** The open ends of a window, which are not dates, stay as they are. */
const shift = (wall: string, ms: number): string => (/^\d/.test(wall) ? nearestWall(wallMs(wall) + ms) : wall)

/** Whether events are compared by instants, or by the clocks where they take place. */
export type ClockKind = 'utc' | 'wall'

/** From one moment to another, both included, as `YYYY-MM-DD HH:MM:SS` of a clock. */
export interface Span {
  readonly from: string
  readonly until: string
}

/** Sorts before and after every date. */
export const always: Span = { from: '', until: '~' }

const isUnlimited = ({ from, until }: Span): boolean => from === always.from && until === always.until

/** The spans in which events of a list must start and end. */
export interface Window {
  readonly clock: ClockKind
  readonly start: Span
  readonly end: Span
}

/** When an event starts, by a clock. */
const startOf = (row: EventRow, clock: ClockKind): string => (clock === 'utc' ? row.utc_start_date : row.start_date)
/** When an event ends, by a clock. */
const endOf = (row: EventRow, clock: ClockKind): string => (clock === 'utc' ? row.utc_end_date : row.end_date)

export function isWithin(row: EventRow, { clock, start, end }: Window): boolean {
  const begins = startOf(row, clock)
  const ends = endOf(row, clock)
  return begins >= start.from && begins <= start.until && ends >= end.from && ends <= end.until
}

/** Counts the events in a window of time without reading each. */
interface WindowCount {
  /** Undefined if only a scan can tell. */
  count(window: Window): number | undefined
  /** In ms; no event lasts longer. */
  longest(): number
  add(row: EventRow): void
  remove(row: EventRow): void
}

/** In ms. Only events that last longer can contain a window of this length, and they are few. */
const long = 7 * 86_400_000

interface TimedEvent {
  readonly ms: number
  readonly row: EventRow
}

const byDuration = (a: TimedEvent, b: TimedEvent): number => a.ms - b.ms || a.row.id - b.row.id

export function createWindowCount(clock: ClockKind, rows: readonly EventRow[]): WindowCount {
  const starts = createSortedList(
    rows.map(row => startOf(row, clock)),
    byText,
  )
  const ends = createSortedList(
    rows.map(row => endOf(row, clock)),
    byText,
  )
  const timed = (row: EventRow): TimedEvent => ({ ms: wallMs(endOf(row, clock)) - wallMs(startOf(row, clock)), row })
  const longEvents = createSortedList(
    rows.map(timed).filter(({ ms }) => ms > long),
    byDuration,
  )

  /** The number of events that start before a span and end after it. */
  const countContaining = ({ from, until }: Span): number => {
    const longer = longEvents.indexOf(({ ms }) => ms > wallMs(until) - wallMs(from))
    let count = 0
    for (const { row } of longEvents.slice(longer)) if (startOf(row, clock) < from && endOf(row, clock) > until) count++
    return count
  }

  return {
    count({ start, end }) {
      if (isUnlimited(end)) return countWithin(starts, start)
      if (isUnlimited(start)) return countWithin(ends, end)
      const isFromUntil = isUnlimited({ ...start, from: '' }) && isUnlimited({ ...end, until: '~' })
      if (!isFromUntil || wallMs(end.until) - wallMs(start.from) < long) return undefined
      // All that end in time, minus all that start too early, plus those of the latter that do not end in time either.
      const span = { from: start.from, until: end.until }
      return countUpTo(ends, span.until) - countBefore(starts, span.from) + countContaining(span)
    },
    longest() {
      const [last] = longEvents.slice(longEvents.size - 1)
      return last?.ms ?? long
    },
    add(row) {
      starts.add(startOf(row, clock))
      ends.add(endOf(row, clock))
      if (timed(row).ms > long) longEvents.add(timed(row))
    },
    remove(row) {
      starts.remove(startOf(row, clock))
      ends.remove(endOf(row, clock))
      longEvents.remove(timed(row))
    },
  }
}

const countBefore = (moments: SortedList<string>, moment: string): number => moments.indexOf(other => other >= moment)

const countUpTo = (moments: SortedList<string>, moment: string): number => moments.indexOf(other => other > moment)

const countWithin = (moments: SortedList<string>, { from, until }: Span): number =>
  Math.max(0, countUpTo(moments, until) - countBefore(moments, from))

/** Items that stay in order while some are added and removed; only the same item compares as equal. */
export interface SortedList<T> {
  readonly size: number
  add(item: T): void
  remove(item: T): void
  /** The index of the first item that passes, if all items after it pass too; the size if none passes. */
  indexOf(passes: (item: T) => boolean): number
  /** The items from an index up to, not including, another. */
  slice(from?: number, until?: number): Iterable<T>
}

/** Longer chunks are split, so that adding an item moves at most this many. */
const longestChunk = 1024

/** Items are kept in chunks, because inserting into one long array moves half of it. */
export function createSortedList<T>(items: readonly T[], compare: (a: T, b: T) => number): SortedList<T> {
  const chunks = split(items.toSorted(compare), longestChunk / 2)
  let size = items.length

  const chunkFrom = (passes: (item: T) => boolean): number =>
    firstIndex(chunks, chunk => {
      const last = chunk.at(-1)
      return last !== undefined && passes(last)
    })

  return {
    get size() {
      return size
    },
    add(item) {
      const isNotBefore = (other: T) => compare(other, item) >= 0
      const chunkIndex = Math.min(chunkFrom(isNotBefore), chunks.length - 1)
      const chunk = chunks[chunkIndex]
      if (!chunk) chunks.push([item])
      else {
        chunk.splice(firstIndex(chunk, isNotBefore), 0, item)
        if (chunk.length > longestChunk) chunks.splice(chunkIndex, 1, ...split(chunk, longestChunk / 2))
      }
      size++
    },
    remove(item) {
      const isNotBefore = (other: T) => compare(other, item) >= 0
      const chunkIndex = chunkFrom(isNotBefore)
      const chunk = chunks[chunkIndex] ?? []
      const index = firstIndex(chunk, isNotBefore)
      const candidate = chunk[index]
      if (candidate === undefined || compare(candidate, item) !== 0) return
      chunk.splice(index, 1)
      if (chunk.length === 0) chunks.splice(chunkIndex, 1)
      size--
    },
    indexOf(passes) {
      const chunkIndex = chunkFrom(passes)
      const before = chunks.slice(0, chunkIndex).reduce((sum, { length }) => sum + length, 0)
      return before + firstIndex(chunks[chunkIndex] ?? [], passes)
    },
    *slice(from = 0, until = size) {
      let start = 0
      for (const chunk of chunks) {
        const end = start + chunk.length
        if (end > from && start < until) yield* chunk.slice(Math.max(0, from - start), until - start)
        if (end >= until) return
        start = end
      }
    },
  }
}

function split<T>(items: readonly T[], length: number): T[][] {
  const count = Math.ceil(items.length / length)
  return Array.from({ length: count }, (_, index) => items.slice(index * length, (index + 1) * length))
}

/** A binary search for the first item that passes, if all items after it pass too; the length if none passes. */
function firstIndex<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && passes(item)) high = middle
    else low = middle + 1
  }
  return low
}

/** Compares texts by code unit, which for `YYYY-MM-DD HH:MM:SS` is the order of time. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The fields by which an event links to other records. */
export type LinkField = 'venue' | 'organizer' | 'categories' | 'tags'

/** Events by the record that one of their fields links to. */
interface LinkedEvents {
  of(id: number): SortedList<EventRow>
  add(row: EventRow): void
  remove(row: EventRow): void
}

/** The IDs in a field of an event, without duplicates. */
function linkedIds(row: EventRow, field: LinkField): Iterable<number> {
  const ids = row[field]
  if (ids === null) return []
  if (typeof ids === 'number') return [ids]
  return ids.length > 1 ? new Set(ids) : ids
}

/** An empty list of events, of any order. */
export const noEvents = createSortedList<EventRow>([], () => 0)

/** `rows` are in the order that `compare` defines. */
function createLinkedEvents(
  field: LinkField,
  rows: Iterable<EventRow>,
  compare: (a: EventRow, b: EventRow) => number,
): LinkedEvents {
  const groups = new Map<number, EventRow[]>()
  for (const row of rows)
    for (const id of linkedIds(row, field)) {
      const group = groups.get(id)
      if (group) group.push(row)
      else groups.set(id, [row])
    }
  const lists = new Map([...groups].map(([id, group]) => [id, createSortedList(group, compare)]))
  const listOf = (id: number): SortedList<EventRow> => {
    const list = lists.get(id) ?? createSortedList([], compare)
    lists.set(id, list)
    return list
  }
  return {
    of: id => lists.get(id) ?? noEvents,
    add(row) {
      for (const id of linkedIds(row, field)) listOf(id).add(row)
    },
    remove(row) {
      for (const id of linkedIds(row, field)) listOf(id).remove(row)
    },
  }
}
