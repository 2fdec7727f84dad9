import { lookupTable } from '../../base/memoize.ts'
import { capitalized } from '../../base/text/words.ts'
import { writtenDay } from '../../base/time/calendar-words.ts'
import { daysBetween } from '../../base/time/dates.ts'
import { localeFor, weekdaysFrom } from '../../base/time/day-range.ts'
import { type Language, say, type Words } from '../../contract/languages.ts'
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
  /** Where the week begins as the user has it. */
  readonly locale: string
  readonly today: string
  readonly allDay: string
  /** `Saturday 21 November`; with the year if that is another than today's. */
  heading(day: string, today: string): string
  /** `Sat 21 Nov`, where there is little room. */
  shortHeading(day: string): string
  /** `November 2026` */
  month(month: string): string
  /** `21 November – 27 November 2026` */
  range(first: string, last: string): string
  /** `Saturday 5 December 2026, 19:00–21:00` */
  when(event: DayEvent): string
  /** The days of the week in the order of the locale. */
  weekdays(form: 'long' | 'short'): string[]
}

/**
 * The words of a language, in the order of the user's week. Only single words come from the platform, whose versions disagree on
 * the commas between them.
 */
export function dayWords(language: Language, env: Readonly<Record<string, string | undefined>>): DayWords {
  const locale = localeFor(language, env)
  const word = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options })
    return (day: string) => formatter.format(new Date(`${day}T00:00:00Z`))
  }
  const weekday = { long: word({ weekday: 'long' }), short: word({ weekday: 'short' }) }
  const month = { long: word({ month: 'long' }), short: word({ month: 'short' }) }
  const comma = language === 'en' ? ' ' : ', '
  const withYear = (day: string) => `${weekday.long(day)}${comma}${writtenDay(day, language)}`
  const withoutYear = (day: string) => `${weekday.long(day)}${comma}${dayOfYear(day, language)}`
  const allDay = words.allDay[language]
  return {
    language,
    locale,
    today: words.today[language],
    allDay,
    heading: (day, today) => capitalized(isSameYear(day, today) ? withoutYear(day) : withYear(day)),
    shortHeading: day => capitalized(`${weekday.short(day)} ${Number(day.slice(8))} ${month.short(day)}`),
    month: text => capitalized(`${month.long(`${text}-01`)} ${text.slice(0, 4)}`),
    range: (first, last) =>
      first === last
        ? writtenDay(first, language)
        : `${isSameYear(first, last) ? dayOfYear(first, language) : writtenDay(first, language)} – ${writtenDay(last, language)}`,
    when(event) {
      const { isAllDay, firstDay, lastDay, startTime, endTime, zone } = event
      const zoned = (text: string) => capitalized(zone === undefined ? text : `${text} ${zone}`)
      if (!hasManyDays(event)) {
        const hours = startTime === endTime ? startTime : `${startTime}–${endTime}`
        return zoned(`${withYear(firstDay)}, ${isAllDay ? allDay : hours}`)
      }
      const first = isSameYear(firstDay, lastDay) ? withoutYear(firstDay) : withYear(firstDay)
      if (isAllDay) return zoned(`${first} – ${withYear(lastDay)}, ${allDay}`)
      return zoned(`${first}, ${startTime} – ${withYear(lastDay)}, ${endTime}`)
    },
    // 4 January 1970 was a Sunday.
    weekdays: form => weekdaysFrom(locale).map(index => weekday[form](`1970-01-${String(4 + index).padStart(2, '0')}`)),
  }
}

const isSameYear = (one: string, other: string): boolean => one.slice(0, 4) === other.slice(0, 4)

/** `21 November`, `21 de novembre` */
const dayOfYear = (day: string, language: Language): string => writtenDay(day, language).replace(/(?: de)? \d{4}$/, '')

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

/** The hour at which an event begins, or on the next day until when its night goes on; empty for a whole day. */
export function hourIn(day: string, { isAllDay, startTime, endTime, lastDay }: DayEvent): string {
  if (isAllDay) return ''
  return day > lastDay ? `→ ${endTime}` : startTime
}

/** Which of its days this is: `(day 2 of 3)`; empty for an event of one day. */
export function dayCount(event: DayEvent, day: string, { language }: DayWords): string {
  if (!hasManyDays(event)) return ''
  const [dayWord, of] = { ca: ['dia', 'de'], en: ['day', 'of'], es: ['día', 'de'] }[language]
  const number = daysBetween(event.firstDay, day) + 1
  return `(${dayWord} ${number} ${of} ${daysBetween(event.firstDay, event.lastDay) + 1})`
}
