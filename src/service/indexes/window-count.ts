import { wallMs } from '../../time/dates.ts'
import type { EventRow } from '../store/rows.ts'
import { byText, createSortedList, type SortedList } from './sorted-list.ts'
import { type ClockKind, endOf, isUnlimited, type Span, startOf, type Window } from './window.ts'

/** Counts the events in a window of time without reading each. */
export interface WindowCount {
  /** Undefined if only a scan can tell. */
  count(window: Window): number | undefined
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

  /** How many events start before a span and end after it. */
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
