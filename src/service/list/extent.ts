import { wallMs } from '../../time/dates.ts'
import type { Clock } from '../dialect.ts'
import type { EventRow } from '../store/rows.ts'
import { byText, type Sorted, sorted } from './sorted.ts'
import { endOf, isUnlimited, type Span, startOf, type Window } from './window.ts'

/** When events start and end, to count them without looking at each. */
export interface Extent {
  /** How many events are in a window; undefined where only looking at each can tell. */
  count(window: Window): number | undefined
  add(row: EventRow): void
  remove(row: EventRow): void
}

/** In ms. Only events that last longer can begin before a window that is as long and end after it, and they are few. */
const long = 7 * 86_400_000

/** An event by the time it takes. */
interface Lasting {
  readonly ms: number
  readonly row: EventRow
}

const byLength = (a: Lasting, b: Lasting): number => a.ms - b.ms || a.row.id - b.row.id

/** Reads the extent of events, by what they are compared by. */
export function createExtent(clock: Clock, rows: readonly EventRow[]): Extent {
  const starts = sorted(
    rows.map(row => startOf(row, clock)),
    byText,
  )
  const ends = sorted(
    rows.map(row => endOf(row, clock)),
    byText,
  )
  const lasting = (row: EventRow): Lasting => ({ ms: wallMs(endOf(row, clock)) - wallMs(startOf(row, clock)), row })
  const longOnes = sorted(
    rows.map(lasting).filter(({ ms }) => ms > long),
    byLength,
  )

  const around = (from: string, until: string): number => {
    const longer = longOnes.indexOf(({ ms }) => ms > wallMs(until) - wallMs(from))
    let count = 0
    for (const { row } of longOnes.slice(longer)) if (startOf(row, clock) < from && endOf(row, clock) > until) count++
    return count
  }

  return {
    count({ start, end }) {
      if (isUnlimited(end)) return between(starts, start)
      if (isUnlimited(start)) return between(ends, end)
      const isFromUntil = isUnlimited({ ...start, from: '' }) && isUnlimited({ ...end, until: '~' })
      if (!isFromUntil || wallMs(end.until) - wallMs(start.from) < long) return undefined
      // Of those that end in time, all but the ones that begin too early; some of these do not end in time either.
      return upTo(ends, end.until) - before(starts, start.from) + around(start.from, end.until)
    },
    add(row) {
      starts.add(startOf(row, clock))
      ends.add(endOf(row, clock))
      if (lasting(row).ms > long) longOnes.add(lasting(row))
    },
    remove(row) {
      starts.remove(startOf(row, clock))
      ends.remove(endOf(row, clock))
      longOnes.remove(lasting(row))
    },
  }
}

const before = (moments: Sorted<string>, moment: string): number => moments.indexOf(other => other >= moment)
const upTo = (moments: Sorted<string>, moment: string): number => moments.indexOf(other => other > moment)
const between = (moments: Sorted<string>, { from, until }: Span): number =>
  Math.max(0, upTo(moments, until) - before(moments, from))
