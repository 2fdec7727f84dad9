import { dayAfter, firstOfMonth, mondayOf, plusDays, weekdayOf } from './dates.ts'

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
export function isOnDays(start: string, end: string, { first, last }: DayRange): boolean {
  const endsAtMidnight = end.slice(11) === '00:00:00' && end > start
  const isLateEnough = first === undefined || (endsAtMidnight ? end.slice(0, 10) > first : end.slice(0, 10) >= first)
  return isLateEnough && (last === undefined || start.slice(0, 10) <= last)
}

/** Days, months and weeks are written as in these places, where the user's own locale is of another language. */
const places: Readonly<Record<string, string>> = { ca: 'ca-ES', en: 'en-GB', es: 'es-ES' }

type Env = Readonly<Record<string, string | undefined>>

/** The locale for texts in a language: that of the user (`LC_TIME=en_US.UTF-8`) if it is of this language. */
export function localeFor(language: string, { LC_ALL, LC_TIME, LANG }: Env): string {
  const [, spoken, place] = /^([a-z]{2})_([A-Z]{2})(?![A-Za-z])/.exec(LC_ALL || LC_TIME || LANG || '') ?? []
  return spoken === language && place !== undefined ? `${spoken}-${place}` : (places[language] ?? language)
}

/** The days of the week in the order of a locale, with 0 for Sunday. */
export function weekdaysFrom(locale: string): number[] {
  // Node 20 and 22 have the property, later versions the method.
  const { weekInfo, getWeekInfo } = new Intl.Locale(locale) as WeekLocale
  const first = (getWeekInfo?.call(new Intl.Locale(locale)) ?? weekInfo)?.firstDay ?? 1
  return Array.from({ length: 7 }, (_, index) => (first + index) % 7)
}

interface WeekLocale {
  readonly weekInfo?: { readonly firstDay: number }
  getWeekInfo?(): { readonly firstDay: number }
}

/** The day on which the week of a day begins. */
export function weekStart(day: string, locale: string): string {
  const sundayBased = (weekdayOf(day) + 1) % 7
  return dayAfter(day, -weekdaysFrom(locale).indexOf(sundayBased))
}
