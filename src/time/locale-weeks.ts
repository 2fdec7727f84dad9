import { dayAfter, weekdayOf } from './day-arithmetic.ts'

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
