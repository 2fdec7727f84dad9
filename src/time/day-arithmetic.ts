import { missingDay, readDate, wallInRange, wallMs } from './dates.ts'

const dayLength = 86_400_000

const dayMs = (day: string): number => wallMs(`${day} 00:00:00`)

/** The day so many days after another; undefined after the year 9999. All days are `YYYY-MM-DD`. */
export const plusDays = (from: string, days: number): string | undefined =>
  wallInRange(dayMs(from) + days * dayLength)?.slice(0, 10)

/** The day so many days after another; the calendar ends with the year 9999. */
export const dayAfter = (day: string, count = 1): string => plusDays(day, count) ?? '9999-12-31'

/** How many days after the first day the second one is. */
export const daysBetween = (one: string, other: string): number => (dayMs(other) - dayMs(one)) / dayLength

/** The days from one to another, both included. */
export const daysThrough = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) => dayAfter(first, index))

/** The day of the week, 0 for Monday. */
export const weekdayOf = (of: string): number => (new Date(dayMs(of)).getUTCDay() + 6) % 7

/** The Monday of a day's week. */
export const mondayOf = (of: string): string => plusDays(of, -weekdayOf(of)) ?? of

/** `YYYY-MM-DD` of numbers that may be out of range. */
export const dayText = (year: number | string, month: number | string, date: number | string): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`

/** The first day of the month so many months after that of a day. */
export function firstOfMonth(of: string, months = 0): string | undefined {
  const count = Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7)) - 1 + months
  const text = dayText(String(Math.floor(count / 12)).padStart(4, '0'), (count % 12) + 1, 1)
  return exists(text) ? text : undefined
}

/** Whether this is a day of the calendar. */
export const exists = (text: string): boolean => readDate(text) !== undefined

/** Completes "expected …" for a day that is in no calendar; undefined for others, and for what is no day at all. */
export function expectedDay(text: string): string | undefined {
  const days = missingDay(text)
  return days && `a day that exists (${days})`
}
