import { wallMs } from './dates.ts'
import { plusDays } from './day-arithmetic.ts'

const dayLength = 86_400_000

/** The day so many days after a day; the calendar ends with the year 9999. */
export const dayAfter = (day: string, count = 1): string => plusDays(day, count) ?? '9999-12-31'

/** The days from one to another, both included. */
export const daysThrough = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) => dayAfter(first, index))

/** How many days after the first day the second one is. */
export const daysBetween = (one: string, other: string): number => (dayMs(other) - dayMs(one)) / dayLength

const dayMs = (day: string): number => wallMs(`${day} 00:00:00`)

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
  const weekday = new Date(dayMs(day)).getUTCDay()
  return dayAfter(day, -weekdaysFrom(locale).indexOf(weekday))
}
