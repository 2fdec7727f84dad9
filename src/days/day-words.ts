import { type Language, say, type Words } from '../contract/languages.ts'
import { lookupTable } from '../text/lookup-table.ts'
import { daysBetween, localeFor, weekdaysFrom } from '../time/locale-weeks.ts'
import { type DayEvent, hasManyDays } from './day-events.ts'

/** Words of agendas, months and cards in the language of the content. */
const words = {
  allDay: say('tot el dia', 'all day', 'todo el día'),
  today: say('avui', 'today', 'hoy'),
} as const satisfies Record<string, Words>

/** What a sheet says of an event that not everybody sees. */
const statuses: Readonly<Record<string, Words>> = lookupTable({
  draft: say('esborrany', 'draft', 'borrador'),
  pending: say('pendent', 'pending', 'pendiente'),
  private: say('privat', 'private', 'privado'),
  future: say('programat', 'scheduled', 'programado'),
  trash: say('a la paperera', 'in the trash', 'en la papelera'),
})

/** The status of an event in a language. */
export const statusIn = (language: Language, status: string): string => statuses[status]?.[language] ?? status

/** How days, months and times are written in a language. */
export interface DayWords {
  readonly language: Language
  readonly locale: string
  readonly today: string
  readonly allDay: string
  /** `Saturday 21 November`; with the year if that is another than today's. */
  heading(day: string, today: string): string
  /** `Sat 21 Nov`, where there is little room. */
  shortHeading(day: string): string
  /** `November 2026` */
  month(month: string): string
  /** `21–27 November 2026` */
  range(first: string, last: string): string
  /** The days of the week in the order of the locale. */
  weekdays(form: 'long' | 'short'): string[]
}

/** The words of a language, as written where the user is. */
export function dayWords(language: Language, env: Readonly<Record<string, string | undefined>>): DayWords {
  const locale = localeFor(language, env)
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return (day: string) => formatter.format(new Date(`${day}T00:00:00Z`))
  }
  const dayOfYear = format({ weekday: 'long', day: 'numeric', month: 'long' })
  const day = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  const shortDay = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const month = format({ month: 'long', year: 'numeric' })
  const dates = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
  return {
    language,
    locale,
    today: words.today[language],
    allDay: words.allDay[language],
    heading: (text, today) => capital(text.slice(0, 4) === today.slice(0, 4) ? dayOfYear(text) : day(text)),
    shortHeading: text => capital(shortDay(text)),
    month: text => capital(month(`${text}-01`)),
    range: (first, last) => dates.formatRange(new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`)),
    weekdays(form) {
      const weekday = format({ weekday: form })
      // 4 January 1970 was a Sunday.
      return weekdaysFrom(locale).map(index => weekday(`1970-01-${String(4 + index).padStart(2, '0')}`))
    },
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The hours of an event on one of its days: `19:00–21:00`, `19:00`, `all day`; of an event of many days `10:00 →` on the first,
 * `→` on the next ones, `→ 20:00` on the last.
 */
export function hoursOn(event: DayEvent, day: string, { allDay }: DayWords): string {
  const { isAllDay, startTime, endTime, firstDay, lastDay, zone } = event
  if (isAllDay) return allDay
  const hours = () => {
    if (day > lastDay) return `→ ${endTime}`
    if (!hasManyDays(event)) return startTime === endTime ? startTime : `${startTime}–${endTime}`
    if (day === firstDay) return `${startTime} →`
    return day === lastDay ? `→ ${endTime}` : '→'
  }
  return zone === undefined ? hours() : `${hours()} ${zone}`
}

/** Which of its days this is: `2/3`; empty for an event of one day. */
export const dayCount = (event: DayEvent, day: string): string =>
  hasManyDays(event) ? `${daysBetween(event.firstDay, day) + 1}/${daysBetween(event.firstDay, event.lastDay) + 1}` : ''
