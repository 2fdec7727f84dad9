import type { Comparison, Filters } from '../../contract/filter.ts'
import { momentOf, nearestWall, readDate, wallMs } from '../../time/dates.ts'
import { readRelative } from '../../time/relative.ts'
import { toUtc, wallAt } from '../../time/zone.ts'
import type { Clock, Context } from '../dialect.ts'
import type { EventRow } from '../store/rows.ts'

/** The moments that starts and ends of events must lie between, both included, as `YYYY-MM-DD HH:MM:SS` of the clock. */
export interface Window {
  readonly clock: Clock
  readonly start: Span
  readonly end: Span
}

/** From a moment until another, both included. */
export interface Span {
  readonly from: string
  readonly until: string
}

/** The comparisons of dates. */
export type DateComparison = Extract<Comparison, 'from' | 'until' | 'after' | 'before'>

const always: Span = { from: '', until: '~' }

/** What each comparison leaves of a span, given the moment to compare with and the edges of its day. */
const compared: Record<DateComparison, (moment: Moment) => Partial<Span>> = {
  from: ({ exact, dayBegins }) => ({ from: exact ?? dayBegins }),
  until: ({ exact, dayEnds }) => ({ until: exact ?? dayEnds }),
  after: ({ exact, dayEnds }) => ({ from: secondsOn(exact ?? dayEnds, 1) }),
  before: ({ exact, dayEnds }) => ({ until: secondsOn(exact ?? dayEnds, -1) }),
}

interface Moment {
  /** Only where times are taken as exact. */
  readonly exact?: string
  readonly dayBegins: string
  readonly dayEnds: string
}

const secondsOn = (wall: string, seconds: number): string => nearestWall(wallMs(wall) + seconds * 1000)

const isOfDates = (compare: Comparison): compare is DateComparison => compare in compared

/** The window that a list of events is asked for. */
export function windowOf(context: Context, filters: Filters): Window {
  const clock = context.dialect.clock(context.store.site)
  const dates = context.dialect.dates(context)
  const isExact = dates.strict_dates === true
  const spans = { start_date: always, end_date: always }
  for (const [name, text] of Object.entries(dates)) {
    const { compare, target } = filters[name] ?? {}
    if (typeof text !== 'string' || !compare || !isOfDates(compare)) continue
    const field = target === 'end_date' ? 'end_date' : 'start_date'
    spans[field] = narrowed(spans[field], compared[compare](momentAsked(context, text, clock, isExact)))
  }
  return { clock, start: spans.start_date, end: spans.end_date }
}

const narrowed = (span: Span, { from = always.from, until = always.until }: Partial<Span>): Span => ({
  from: from > span.from ? from : span.from,
  until: until < span.until ? until : span.until,
})

function momentAsked(context: Context, text: string, clock: Clock, isExact: boolean): Moment {
  const { timezone } = context.store.site
  const wall = siteWall(context, text)
  const onClock = (time: string) => (clock === 'wall' ? time : toUtc(time, timezone))
  const edges = {
    dayBegins: onClock(`${wall.slice(0, 10)} 00:00:00`),
    dayEnds: onClock(`${wall.slice(0, 10)} 23:59:59`),
  }
  return isExact ? { ...edges, exact: onClock(wall) } : edges
}

/** What clocks show on the site at the moment that a text means: without an offset it means the site's clock. */
export function siteWall({ now, store }: Pick<Context, 'now' | 'store'>, text: string): string {
  const { timezone } = store.site
  const read = readDate(text)
  if (read?.offset !== undefined) return wallAt(momentOf(read), timezone)
  const wall = read?.wall ?? readRelative(text, wallAt(now.getTime(), timezone))
  if (wall === undefined) throw new Error(`a date got past its check: ${text}`)
  return wall
}

/** When an event starts, by a clock. */
export const startOf = (row: EventRow, clock: Clock): string => (clock === 'utc' ? row.utc_start_date : row.start_date)
/** When an event ends, by a clock. */
export const endOf = (row: EventRow, clock: Clock): string => (clock === 'utc' ? row.utc_end_date : row.end_date)

/** Whether an event lies in a window. */
export function isWithin(row: EventRow, { clock, start, end }: Window): boolean {
  const begins = startOf(row, clock)
  const ends = endOf(row, clock)
  return begins >= start.from && begins <= start.until && ends >= end.from && ends <= end.until
}

/** Whether every moment lies in a span. */
export const isUnlimited = ({ from, until }: Span): boolean => from === always.from && until === always.until
