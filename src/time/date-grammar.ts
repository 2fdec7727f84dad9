import { englishWeekdays, foldWords, months, monthsFromThis, weekdays } from './calendar-words.ts'
import { endOfDay, isMidnight, readClock, wallOn } from './clock-times.ts'
import { readDate } from './dates.ts'
import { dayText, exists, expectedDay, firstOfMonth, weekdayOf } from './day-arithmetic.ts'
import { type Meanings, readRelativeDay } from './relative-days.ts'

/** The orders of day, month and year in a date such as `05/12/2026`. */
export const dateOrders = ['mdy', 'dmy', 'ymd'] as const

export type DateOrder = (typeof dateOrders)[number]

/** What decides between the readings of a date. */
export interface GrammarContext {
  /** The wall time that relative dates count from. Without it they are refused: a file is read on another day than written. */
  readonly now?: string | undefined
  /** The order of numbers in a file; without it they are read only where one order is possible, and no month comes first. */
  readonly order?: DateOrder | undefined
}

/** What a text says of a day, `YYYY-MM-DD`, and a time, `HH:MM:SS`: at least one of them. */
export type Reading =
  | {
      readonly ok: true
      readonly day?: string
      readonly time?: string
      /** In minutes, as it was given with the time. */
      readonly offset?: number
    }
  /** All that it can mean, each as it could be written instead. */
  | { readonly ok: false; readonly readings: readonly string[] }
  /** `expected` completes "expected …"; `instead` is what was probably meant. */
  | ({ readonly ok: false } & Expected)

interface Expected {
  readonly expected: string
  readonly instead?: string
}

/**
 * Reads a date, a time or both as people write them in English, Catalan and Spanish; `docs/dates.md` lists the forms. Undefined for
 * what is none.
 */
export function readDayAndTime(text: string, context: GrammarContext): Reading | undefined {
  const iso = readDate(text)
  if (iso) {
    const { wall, offset, dayOnly } = iso
    const day = wall.slice(0, 10)
    return dayOnly
      ? { ok: true, day }
      : { ok: true, day, time: wall.slice(11), ...(offset !== undefined && { offset }) }
  }
  const expected = expectedDay(text)
  if (expected !== undefined) return { ok: false, expected }
  const phrase = foldWords(text)
  const days = readDays(phrase, context)
  if (days) return asReading(days, undefined)
  const time = isMidnight(phrase) ? endOfDay : readClock(phrase)
  if (time !== undefined) return { ok: true, time }
  for (const [day, clocks] of divisions(phrase)) {
    const days = readDays(day, context)
    if (days) return asReading(days, clocks)
  }
  return undefined
}

/** A text for a day and what the rest says of the time: `5 de desembre` and `19:00:00`. The longest day comes first. */
function* divisions(phrase: string): Generator<[day: string, clocks: readonly string[]]> {
  const words = phrase.replace(/^(\d[\d/.-]+\d)t(?=\d)/, '$1 ').split(/,? /)
  for (let at = words.length - 1; at > 0; at--) {
    const [left, right] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
    for (const [day, time] of [
      [left, right],
      [right, left],
    ] as const) {
      const clock = readClock(time)
      if (isMidnight(time)) yield [day, ['00:00:00', endOfDay]]
      else if (clock !== undefined) yield [day, [clock]]
    }
  }
}

const numericMonth = /^(?:(?<yearFirst>\d{4})[/.-])?(?<number>\d{1,2})(?:[/.-](?<yearLast>\d{4}))?$/
const writtenMonth = /^(?<name>[a-z]+)\.?(?:[\s,/-]+(?:del? |d'|of )?(?<year>\d{4}))?$/

/** Reads a month: `2026-12`, `12/2026`, `december`, `desembre del 2027`, `next month`, `next`; as its first day. */
export function readMonthOf(text: string, now: string): Reading | undefined {
  const phrase = foldWords(text)
  const today = now.slice(0, 10)
  const distance = monthsFromThis.get(phrase.replace(/^(el|the) /, '').replace(/^mes | (mes|month)$/, ''))
  if (distance !== undefined) return asReading([firstOfMonth(today, distance) ?? today], undefined)
  const { yearFirst, number, yearLast } = numericMonth.exec(phrase)?.groups ?? {}
  const { name = '', year = yearFirst ?? yearLast } = writtenMonth.exec(phrase)?.groups ?? {}
  const month = number === undefined ? months.findIndex(names => names.includes(name)) + 1 : Number(number)
  if (month < 1 || month > 12 || (yearFirst !== undefined && yearLast !== undefined)) return undefined
  if (year !== undefined) return { ok: true, day: dayText(year, month, 1) }
  const days = nearYears(month, 1, `${today.slice(0, 7)}-01`)
  return days.length > 1 ? { ok: false, readings: days.map(day => day.slice(0, 7)) } : asReading(days, undefined)
}

function asReading(meanings: Days, times: readonly string[] | undefined): Reading | undefined {
  if ('expected' in meanings) return { ok: false, ...meanings }
  if (times && meanings.some(meaning => meaning.length > 10)) return undefined
  const texts = times ? meanings.flatMap(day => times.map(time => wallOn(day, time))) : meanings
  const [text, ...others] = texts
  if (text === undefined) return undefined
  if (others.length > 0) return { ok: false, readings: texts.map(short) }
  return { ok: true, day: text.slice(0, 10), ...(text.length > 10 && { time: text.slice(11) }) }
}

const short = (text: string): string => text.replace(/:00$/, '')

type Days = Meanings | Expected

function readDays(phrase: string, { now, order }: GrammarContext): Days | undefined {
  const [, name, rest = phrase] = weekdayOfNumbers.exec(phrase) ?? []
  const days = readNumbers(rest, now, order)
  const numbers = days && 'length' in days && name ? onWeekday(days, name) : (days ?? readWritten(phrase, now))
  if (numbers) return numbers
  const relative = readRelativeDay(phrase, now ?? '2000-01-01 00:00:00')
  if (relative === undefined || now !== undefined) return relative
  return { expected: 'a date that does not depend on today' }
}

/** `dilluns 14/06/2027` */
const weekdayOfNumbers = /^(?:(?:el|the|on) )?([a-z]+)\.?,? (\d.*)$/

const numeric = /^(\d{1,4})([/.-])(\d{1,2})(?:\2(\d{1,4}))?$/

const parts = { dmy: [2, 1, 0], mdy: [2, 0, 1], ymd: [0, 1, 2] } as const

/** A date of numbers: `25/12/2026`, `2026/12/25`, and with a slash also without the year. */
function readNumbers(phrase: string, now: string | undefined, order: DateOrder | undefined): Days | undefined {
  const [, first = '', sign, second = '', third] = numeric.exec(phrase) ?? []
  if (sign === undefined || (third === undefined && (sign !== '/' || now === undefined || first.length > 2)))
    return undefined
  const inOrder = (one: DateOrder): string[] => {
    const [year = '', month = '', date = ''] = parts[one].map(part => [first, second, third][part])
    return third === undefined && now ? nearYears(Number(month), Number(date), now) : [numericDay(year, month, date)]
  }
  if (order || first.length === 4) {
    const [day = ''] = inOrder(first.length === 4 ? 'ymd' : (order ?? 'dmy'))
    const expected = expectedDay(day)
    return expected === undefined && !exists(day) ? undefined : asMeanings(day, expected)
  }
  const orders: readonly DateOrder[] = third?.length === 2 ? ['dmy', 'mdy', 'ymd'] : ['dmy', 'mdy']
  const possible = orders.map(one => inOrder(one).filter(exists))
  const days = [...new Set(possible.flat())]
  const [only] = days
  if (days.length > 1 || (only !== undefined && possible[0]?.includes(only))) return days
  const [dayFirst = ''] = inOrder('dmy')
  const expected = expectedDay(dayFirst)
  if (expected !== undefined) return { expected }
  return only === undefined ? undefined : { expected: 'a date that begins with the year', instead: only }
}

const asMeanings = (day: string, expected: string | undefined): Days => (expected === undefined ? [day] : { expected })

const numericDay = (year: string, month: string, date: string): string =>
  year.length <= 2 || year.length === 4
    ? dayText(year.length === 4 ? year : `20${year.padStart(2, '0')}`, month, date)
    : ''

const weekday = String.raw`(?:(?:el|the|on) )?(?:(?<weekday>[a-z]+)\.?,?\s+)?`
const year = String.raw`(?<year>\d{4}|(?<=[-/])\d{2})`
const date = String.raw`(?:(?<date>\d{1,2})(?:r|er|n|t|e|º|ª|st|nd|rd|th)?|(?<first>primer|primero|uno?|u|first))`
const written = [
  // 5 de desembre de 2027, 1r d'abril del 2027, 5-Dec-27, 5 december
  String.raw`${weekday}(?:el |the |l')?${date}\.?[\s/-]*(?:de |d'|of )?(?<month>[a-z]+)\.?(?:[\s,/-]*(?:del? |de l'|d'|of )?${year})?`,
  // December 5, 2027
  String.raw`${weekday}(?<month>[a-z]+)\.?\s+(?:the )?${date}(?:,?\s+${year})?`,
].map(form => new RegExp(`^${form}$`))

/** A date with its month in words; without a year only if `now` can tell it. */
function readWritten(phrase: string, now: string | undefined): Days | undefined {
  for (const form of written) {
    const { first, date = first && '1', month = '', weekday, year } = form.exec(phrase)?.groups ?? {}
    const index = months.findIndex(names => names.includes(month))
    if (index < 0) continue
    if (year === undefined && now === undefined) return { expected: 'a date with its year' }
    const candidates =
      year === undefined
        ? nearYears(index + 1, Number(date), now ?? '')
        : [numericDay(year, String(index + 1), date ?? '')]
    return onWeekday(candidates, weekday)
  }
  return undefined
}

/** Without a year a day is this year's; one that is past could be next year's as well. */
function nearYears(month: number, date: number, now: string): string[] {
  const thisYear = Number(now.slice(0, 4))
  const days = [thisYear, thisYear + 1].map(year => dayText(year, month, date))
  const [first = ''] = days
  return !exists(first) || first >= now.slice(0, 10) ? [first] : days.filter(exists)
}

/** The day of the week can decide between years, and must be right. */
function onWeekday(days: readonly string[], name: string | undefined): Days | undefined {
  const [day = ''] = days
  const expected = expectedDay(day)
  if (expected !== undefined) return { expected }
  if (!exists(day)) return undefined
  if (name === undefined) return days
  const index = weekdays.findIndex(names => names.includes(name))
  if (index < 0) return undefined
  const right = days.filter(day => weekdayOf(day) === index)
  if (right.length > 0) return right
  return { expected: `the right day of the week (${day} is a ${englishWeekdays[weekdayOf(day)]})` }
}
