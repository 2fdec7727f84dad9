import { firstOfMonth, mondayOf, plusDays } from './day-arithmetic.ts'
import { weekStart } from './locale-weeks.ts'

/** Whole days, `YYYY-MM-DD`, both included; open where one is missing. */
export interface DayRange {
  readonly first?: string | undefined
  readonly last?: string | undefined
}

/** The week of a day, which begins as a locale has it. */
export function weekOf(day: string, locale: string): DayRange {
  const first = weekStart(day, locale)
  return { first, last: plusDays(first, 6) }
}

/** Saturday and Sunday of the week of a day. */
export function weekendOf(day: string): DayRange {
  const monday = mondayOf(day)
  return { first: plusDays(monday, 5), last: plusDays(monday, 6) }
}

/** The month of a day. */
export function monthOf(day: string): DayRange {
  const next = firstOfMonth(day, 1)
  return { first: `${day.slice(0, 7)}-01`, last: next === undefined ? '9999-12-31' : plusDays(next, -1) }
}

/** Whether an event that lasts from one wall time to another is on one of these days; an end at midnight is not on the day it begins. */
export function isWithin(start: string, end: string, { first, last }: DayRange): boolean {
  const endsAtMidnight = end.slice(11) === '00:00:00' && end > start
  const isLateEnough = first === undefined || (endsAtMidnight ? end.slice(0, 10) > first : end.slice(0, 10) >= first)
  return isLateEnough && (last === undefined || start.slice(0, 10) <= last)
}
