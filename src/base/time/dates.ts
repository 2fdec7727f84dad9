/**
 * Time: the dates of the API and of people, time zones and durations. Input: texts, zones and moments. Output: wall times
 * (`YYYY-MM-DD HH:MM:SS`), milliseconds, or undefined if a text cannot be read. `zone.ts` converts between wall times and moments,
 * `typed-dates.ts` and `durations.ts` read what people type. Nothing here depends on the machine's time zone.
 */

import { memoize } from '../memoize.ts'
import { interfaceLanguage, phrase } from '../words/phrase.ts'

/** A wall time of the API, `YYYY-MM-DD HH:MM:SS`, with the offset in minutes if one was given. */
export interface DateText {
  readonly wall: string
  readonly offset?: number
  readonly dayOnly: boolean
}

const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d))?)?$/i

/**
 * Reads `2026-12-05`, `2026-12-05 19:00`, `2026-12-05T19:00:00+01:00`; undefined for any other text, and for days that do not
 * exist.
 */
export const readDate = memoize((text): DateText | undefined => {
  const match = form.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone] = match
  if (!isDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const wall = `${year}-${month}-${day} ${hour}:${minute}:${second}`
  const dayOnly = match[4] === undefined
  return zone === undefined ? { wall, dayOnly } : { wall, dayOnly, offset: offsetMinutes(zone) }
})

/** Completes "expected …" for a day that does not exist, with the reason: `February 2026 has 28 days`; undefined for any other text. */
export function expectedDay(text: string): string | undefined {
  const [, year = '', month = '', day] = form.exec(text.trim()) ?? []
  if (isDay(Number(year), Number(month), Number(day)) || !isDay(Number(year), Number(month), 1)) return undefined
  const count = lastDayOf(Number(year), Number(month))
  const reason = phrase('{month} has {count} days', { month: monthName(`${year}-${month}-01`), count })
  return phrase('a day that exists ({reason})', { reason })
}

/** `desembre de 2026` */
const monthName = (day: string): string =>
  phrase('{month} {year}', { month: longName('month', new Date(day)), year: day.slice(0, 4) })

/** The name of a month or a weekday in the language of the interface. */
export const longName = (part: 'month' | 'weekday', date: Date | number): string =>
  new Intl.DateTimeFormat(interfaceLanguage(), { [part]: 'long', timeZone: 'UTC' }).format(date)

const offsetMinutes = (zone: string): number => {
  if (zone.toUpperCase() === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)))
}

const isDay = (year: number, month: number, day: number): boolean =>
  year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= lastDayOf(year, month)

/** `Date` takes the years 1 to 99 for 1901 to 1999, which are as long. */
const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** A wall time as milliseconds, read as UTC: for sorting and subtracting. */
export const wallMs = (wall: string): number => Date.parse(`${wall.replace(' ', 'T')}Z`)

const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59Z')

/** The moment of a date with an offset, in ms; without one it counts as UTC. */
export const momentOf = ({ wall, offset = 0 }: DateText): number => wallMs(wall) - offset * 60_000

/** The inverse of `wallMs`. */
export function msWall(ms: number): string {
  const iso = new Date(ms).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}

/** Whether a moment is in the years 1 to 9999. */
export const isInRange = (ms: number): boolean => ms >= earliest && ms <= latest

/** As `msWall`; undefined outside the years 1 to 9999. */
export const wallInRange = (ms: number): string | undefined => (isInRange(ms) ? msWall(ms) : undefined)

/** As `msWall`, clamped to the years 1 to 9999. */
export const nearestWall = (ms: number): string => msWall(Math.min(Math.max(ms, earliest), latest))

/** The wall times that a date covers, both bounds inclusive; or a time of every day. */
export interface WallSpan {
  readonly from: string
  readonly until: string
}

/** Whether a span is a time of every day, `HH:MM:SS`. */
export const isEveryDay = ({ from }: WallSpan): boolean => from.length === 'HH:MM:SS'.length

/** In ms. */
export const dayLength = 86_400_000

const dayMs = (day: string): number => wallMs(`${day} 00:00:00`)

/** Adds days to a day; undefined after the year 9999. All days are `YYYY-MM-DD`. */
export const plusDays = (from: string, days: number): string | undefined =>
  wallInRange(dayMs(from) + days * dayLength)?.slice(0, 10)

/** Adds days to a day, at most up to the end of the year 9999. */
export const dayAfter = (day: string, count = 1): string => plusDays(day, count) ?? '9999-12-31'

/** The number of days from the first to the second. */
export const daysBetween = (one: string, other: string): number => (dayMs(other) - dayMs(one)) / dayLength

export const daysThrough = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) => dayAfter(first, index))

/** 0 for Monday. */
export const weekdayOf = (of: string): number => (new Date(dayMs(of)).getUTCDay() + 6) % 7

export const mondayOf = (of: string): string => plusDays(of, -weekdayOf(of)) ?? of

/** `YYYY-MM-DD` of numbers that may be out of range. */
export const dayText = (year: number | string, month: number | string, date: number | string): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`

/** The first day of the month that is `months` after that of a day. */
export function firstOfMonth(of: string, months = 0): string | undefined {
  const count = Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7)) - 1 + months
  const text = dayText(String(Math.floor(count / 12)).padStart(4, '0'), (count % 12) + 1, 1)
  return exists(text) ? text : undefined
}

export const exists = (text: string): boolean => readDate(text) !== undefined

/** What is wrong with a text where a date is expected, and what to write instead. */
export interface DateMistake {
  readonly ok: false
  readonly message: string
  readonly hint: string
  /** All meanings of an ambiguous text, each in an unambiguous form. */
  readonly readings?: readonly string[]
}

/** A text with several meanings, each in a form that has only this one. */
export function doubtful(text: string, readings: readonly string[]): DateMistake {
  const or = (one: string, other: string) => phrase('{one} or as {other}', { one, other })
  return {
    ok: false,
    message: phrase('"{text}" can be read as {readings}', { text, readings: readings.reduce(or) }),
    hint: phrase('write: {text}', {
      text: readings.reduce((one, other) => phrase('{one} or {other}', { one, other })),
    }),
    readings,
  }
}
