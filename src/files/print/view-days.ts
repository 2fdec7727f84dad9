import { dayAfter, daysThrough, exists, firstOfMonth, mondayOf } from '../../base/time/dates.ts'
import { type DayEvent, type DaySpan, daysWithin, hasManyDays } from './day-events.ts'

/** The views of the calendar, by their names in the address of the page. */
export const viewNames = ['month', 'week', 'agenda', 'list'] as const
export type ViewName = (typeof viewNames)[number]

/** A span of days without the last one. */
export interface Days {
  readonly from: string
  readonly until: string
}

/** How many days a week has room for. */
type WeekDays = 1 | 3 | 7

/** The days of a view that shows a day. */
export function daysAround(view: ViewName, day: string, room: WeekDays): Days {
  if (isOfMonth(view)) return { from: firstOfMonth(day) ?? day, until: firstOfMonth(day, 1) ?? day }
  const from = view === 'week' && room === 7 ? mondayOf(day) : day
  return { from, until: dayAfter(from, daysOf(view, room)) }
}

/** The days that are drawn: those around a month make its weeks whole. */
export function drawnDays(view: ViewName, day: string, room: WeekDays): Days {
  const { from, until } = daysAround(view, day, room)
  if (view !== 'month') return { from, until }
  return { from: mondayOf(from), until: dayAfter(mondayOf(dayAfter(until, -1)), 7) }
}

/** The day that the next page of a view shows, or the previous one. */
export function turned(view: ViewName, day: string, by: 1 | -1, room: WeekDays): string {
  const next = isOfMonth(view) ? firstOfMonth(day, by) : dayAfter(day, by * daysOf(view, room))
  return next !== undefined && isDrawable(next) ? next : day
}

const daysOf = (view: ViewName, room: WeekDays): number => (view === 'week' ? room : 7)

export const isOfMonth = (view: ViewName): boolean => view === 'month' || view === 'list'

/** Whether a text is a day that a browser can draw: its dates count years of two digits from 1900. */
const isDrawable = (day: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && exists(day) && day >= '1000-01-01' && day < '9999-12-01'

/** The day that a text names, or the nearest one that can be drawn: 28 February for 2027-02-30. */
export function nearestDay(text: string): string | undefined {
  const [, year, month = 0, day = 0] = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text) ?? []
  const within = (number: number | string, last: number) =>
    String(Math.max(1, Math.min(last, Number(number)))).padStart(2, '0')
  return [31, 30, 29, 28].map(most => `${year}-${within(month, 12)}-${within(day, most)}`).find(isDrawable)
}

/**
 * The events that fit on their days, beginning with those that are kept in any case and those of several days, and how many more each day
 * of the range has.
 */
export function keptByDay<T extends { readonly day: DayEvent }>(
  entries: readonly T[],
  range: DaySpan,
  most: number,
  isKept: (entry: T) => boolean,
) {
  const placed = entries.map(one => {
    const { first, last } = daysWithin(one.day, range)
    return { one, days: daysThrough(first, last), rank: (isKept(one) ? 0 : 1) + (hasManyDays(one.day) ? 0 : 2) }
  })
  const [all, counts, more] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const count = (sums: Map<string, number>, day: string) => sums.set(day, (sums.get(day) ?? 0) + 1)
  for (const { days } of placed) for (const day of days) count(all, day)
  // A line that says "1 more" would take as much room as the event.
  const hasRoom = (day: string) => (all.get(day) ?? 0) <= most + 1 || (counts.get(day) ?? 0) < most
  const kept = placed
    .toSorted((one, other) => one.rank - other.rank)
    .filter(({ one, days }) => {
      const fits = isKept(one) || days.every(hasRoom)
      for (const day of days) count(fits ? counts : more, day)
      return fits
    })
  return { kept: kept.map(({ one }) => one), more }
}
