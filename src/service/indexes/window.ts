import type { EventRow } from '../store/rows.ts'

/** Whether events are compared by instants, or by what clocks show where they take place. */
export type ClockKind = 'utc' | 'wall'

/** From one moment to another, both included, as `YYYY-MM-DD HH:MM:SS` of a clock. */
export interface Span {
  readonly from: string
  readonly until: string
}

/** Sorts before and after every date. */
export const always: Span = { from: '', until: '~' }

export const isUnlimited = ({ from, until }: Span): boolean => from === always.from && until === always.until

/** The spans in which events of a list must start and end. */
export interface Window {
  readonly clock: ClockKind
  readonly start: Span
  readonly end: Span
}

/** When an event starts, by a clock. */
export const startOf = (row: EventRow, clock: ClockKind): string =>
  clock === 'utc' ? row.utc_start_date : row.start_date
/** When an event ends, by a clock. */
export const endOf = (row: EventRow, clock: ClockKind): string => (clock === 'utc' ? row.utc_end_date : row.end_date)

export function isWithin(row: EventRow, { clock, start, end }: Window): boolean {
  const begins = startOf(row, clock)
  const ends = endOf(row, clock)
  return begins >= start.from && begins <= start.until && ends >= end.from && ends <= end.until
}
