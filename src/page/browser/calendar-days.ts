import { dayAfter, exists, firstOfMonth, mondayOf } from '../../base/time/dates.ts'

/** The views of the calendar, by their names in the address of the page. */
export const viewNames = ['month', 'week', 'agenda', 'list'] as const
export type ViewName = (typeof viewNames)[number]

/** A span of days without the last one. */
export interface Days {
  readonly from: string
  readonly until: string
}

/** How many days the week and the agenda have; a narrow screen has room for three columns. */
export const daysOf = (view: ViewName, isNarrow: boolean): number => (view === 'week' && isNarrow ? 3 : 7)

/** The days of a view that shows a day. */
export function daysAround(view: ViewName, day: string, isNarrow: boolean): Days {
  if (isOfMonth(view)) return { from: firstOfMonth(day) ?? day, until: firstOfMonth(day, 1) ?? day }
  const from = view === 'week' && !isNarrow ? mondayOf(day) : day
  return { from, until: dayAfter(from, daysOf(view, isNarrow)) }
}

/** The days that are drawn: those around a month make its weeks whole. */
export function drawnDays(view: ViewName, day: string, isNarrow: boolean): Days {
  const { from, until } = daysAround(view, day, isNarrow)
  if (view !== 'month') return { from, until }
  return { from: mondayOf(from), until: dayAfter(mondayOf(dayAfter(until, -1)), 7) }
}

/** The day that the next page of a view shows, or the previous one. */
export function turned(view: ViewName, day: string, by: 1 | -1, isNarrow: boolean): string {
  const next = isOfMonth(view) ? firstOfMonth(day, by) : dayAfter(day, by * daysOf(view, isNarrow))
  return next !== undefined && isDrawable(next) ? next : day
}

export const isOfMonth = (view: ViewName): boolean => view === 'month' || view === 'list'

/** Whether a text is a day that a browser can draw: its dates count years of two digits from 1900. */
export const isDrawable = (day: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && exists(day) && day >= '1000-01-01' && day < '9999-12-01'
