import { wallMs } from '../../time/dates.ts'
import type { EventRow } from '../store/rows.ts'
import { byText, firstIndex, sorted } from './sorted.ts'
import { type Clock, endOf, isUnlimited, type Span, startOf, type Window } from './window.ts'

/** When events start, when they end and how long they last, to count without looking at each. */
export interface Extent {
  count(window: Window): number | undefined
  add(row: EventRow): void
  remove(row: EventRow): void
}

/** An event by the time it takes, in ms. */
interface Lasting {
  readonly length: number
  readonly row: EventRow
}

const byLength = (a: Lasting, b: Lasting): number => a.length - b.length || a.row.id - b.row.id

export function createExtent(clock: Clock, rows: readonly EventRow[]): Extent {
  const lastingOf = (row: EventRow): Lasting => ({
    length: wallMs(endOf(row, clock)) - wallMs(startOf(row, clock)),
    row,
  })
  const starts = sorted(
    rows.map(row => startOf(row, clock)),
    byText,
  )
  const ends = sorted(
    rows.map(row => endOf(row, clock)),
    byText,
  )
  const lasting = sorted(rows.map(lastingOf), byLength)

  /** Those that begin before a moment and end after another are few among those that last longer than from one to the other. */
  const around = (from: string, until: string): number => {
    const longer = firstIndex(lasting.items, ({ length }) => length > wallMs(until) - wallMs(from))
    let count = 0
    for (let index = longer; index < lasting.items.length; index++) {
      const row = lasting.items[index]?.row
      if (row && startOf(row, clock) < from && endOf(row, clock) > until) count++
    }
    return count
  }

  return {
    count({ start, end }) {
      if (isUnlimited(end)) return between(starts.items, start)
      if (isUnlimited(start)) return between(ends.items, end)
      if (!isUnlimited({ ...start, from: '' }) || !isUnlimited({ ...end, until: '~' })) return undefined
      // Of those that end in time, all but the ones that begin too early; some of these do not end in time either.
      return upTo(ends.items, end.until) - before(starts.items, start.from) + around(start.from, end.until)
    },
    add(row) {
      starts.add(startOf(row, clock))
      ends.add(endOf(row, clock))
      lasting.add(lastingOf(row))
    },
    remove(row) {
      starts.remove(startOf(row, clock))
      ends.remove(endOf(row, clock))
      lasting.remove(lastingOf(row))
    },
  }
}

const before = (moments: readonly string[], moment: string): number => firstIndex(moments, other => other >= moment)
const upTo = (moments: readonly string[], moment: string): number => firstIndex(moments, other => other > moment)
const between = (moments: readonly string[], { from, until }: Span): number =>
  Math.max(0, upTo(moments, until) - before(moments, from))
