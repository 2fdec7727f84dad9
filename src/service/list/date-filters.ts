import { type DateComparison, type Filters, isDateFilter } from '../../contract/filter.ts'
import { momentOf, nearestWall, readDate, wallMs } from '../../time/dates.ts'
import { readRelative } from '../../time/durations.ts'
import { toUtc, wallAt } from '../../time/zone.ts'
import type { Context } from '../dialect.ts'
import { always, type ClockKind, type Span, type Window } from '../indexes/timeline.ts'
import type { RequestContext } from '../request-context.ts'

/** How each comparison limits the span in which an event must start, or end; `isWithin` compares events with it. */
const comparisons: Record<DateComparison, (moment: Moment) => Partial<Span>> = {
  from: ({ exact, dayStart }) => ({ from: exact ?? dayStart }),
  until: ({ exact, dayEnd }) => ({ until: exact ?? dayEnd }),
  after: ({ exact, dayEnd }) => ({ from: plusSeconds(exact ?? dayEnd, 1) }),
  before: ({ exact, dayEnd }) => ({ until: plusSeconds(exact ?? dayEnd, -1) }),
}

/** The date to compare with, by the clock of the window. */
interface Moment {
  /** Only with `strict_dates`; without it, dates mean whole days. */
  readonly exact?: string
  readonly dayStart: string
  readonly dayEnd: string
}

const plusSeconds = (wall: string, seconds: number): string => nearestWall(wallMs(wall) + seconds * 1000)

/** The window that the date filters of a list of events, defaults included, amount to. */
export function windowOf(context: Context, filters: Filters): Window {
  const clock = context.dialect.clock(context.store.site)
  const dates = context.dialect.dates(context)
  const isExact = dates.strict_dates === true
  const spans = { start_date: always, end_date: always }
  for (const [name, text] of Object.entries(dates)) {
    const filter = filters[name]
    if (typeof text !== 'string' || !filter || !isDateFilter(filter)) continue
    const { compare, target } = filter
    spans[target] = intersection(spans[target], comparisons[compare](readMoment(context, text, clock, isExact)))
  }
  return { clock, start: spans.start_date, end: spans.end_date }
}

const intersection = (span: Span, { from = always.from, until = always.until }: Partial<Span>): Span => ({
  from: from > span.from ? from : span.from,
  until: until < span.until ? until : span.until,
})

function readMoment(context: Context, text: string, clock: ClockKind, isExact: boolean): Moment {
  const { timezone } = context.store.site
  const wall = siteWall(context, text)
  const onClock = (time: string) => (clock === 'wall' ? time : toUtc(time, timezone))
  const day = {
    dayStart: onClock(`${wall.slice(0, 10)} 00:00:00`),
    dayEnd: onClock(`${wall.slice(0, 10)} 23:59:59`),
  }
  return isExact ? { ...day, exact: onClock(wall) } : day
}

/** A checked date as the site's clocks show it; a date without an offset is in the site's time zone. */
export function siteWall({ now, store }: Pick<RequestContext, 'now' | 'store'>, text: string): string {
  const { timezone } = store.site
  const date = readDate(text)
  if (date?.offset !== undefined) return wallAt(momentOf(date), timezone)
  const wall = date?.wall ?? readRelative(text, wallAt(now.getTime(), timezone))
  if (wall === undefined) throw new Error(`a date passed its check but cannot be read: ${text}`)
  return wall
}
