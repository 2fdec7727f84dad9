import { phrase } from '../words/phrase.ts'
import { foldWords, months, monthsFromThis, numberMeant, ordinals, weekdays } from './calendar-words.ts'
import { dayText, exists, expectedDay, firstOfMonth, plusDays, readDate, weekdayOf } from './dates.ts'
import { holidayCalled } from './holidays.ts'
import { hoursOfNumber, readHours, timesAlone, wallOn, withoutPart } from './hour-grammar.ts'
import { type Meanings, readComing, readRelativeDay, rightWeekday } from './relative-days.ts'
import type { DateOrder } from './typed-order.ts'

/** The context that resolves an ambiguous date. */
export interface GrammarContext {
  /**
   * The wall time from which relative dates count. Without it they are refused: a file may be read on a later day than it was
   * written.
   */
  readonly now?: string | undefined
  /** The day, `YYYY-MM-DD`, from which dates without a year count in a file: each is the first such day. */
  readonly yearsFrom?: string | undefined
  /** The day on which the event starts whose end is read: weekdays and dates without a year are the first from then on. */
  readonly from?: string | undefined
  /** The order of day and month in a file. Without it, a date is read only if a single order is possible, and never month first. */
  readonly order?: DateOrder | undefined
  /** Whether a person typed it just now: a date without a year is the next such day, and `5.12` is a day. */
  readonly isTyped?: boolean
  /** Whether the day is already known, so that `5.12` is an hour. */
  readonly isOfDay?: boolean
}

/** How dates are written in a file. */
export type DateForms = Pick<GrammarContext, 'order' | 'yearsFrom'>

/** From when dates without a year count; undefined if they cannot be read. */
const yearsBase = ({ now, yearsFrom, from }: GrammarContext): string | undefined => from ?? yearsFrom ?? now

/** The day, `YYYY-MM-DD`, and time, `HH:MM:SS`, in a text: at least one of them. */
export type Reading =
  | {
      readonly ok: true
      readonly day?: string
      readonly time?: string
      /** In minutes, if the time has an offset. */
      readonly offset?: number
    }
  /** All meanings of an ambiguous text, each in an unambiguous form. */
  | { readonly ok: false; readonly readings: readonly string[] }
  /** `expected` completes "expected …"; `instead` is what was probably meant. */
  | ({ readonly ok: false } & Expected)

interface Expected {
  readonly expected: string
  readonly instead?: string
}

/**
 * Reads a date, a time or both as people write them in English, Catalan and Spanish; `docs/dates.md` lists the forms. Undefined if
 * the text is neither.
 */
export function readDayAndTime(text: string, context: GrammarContext): Reading | undefined {
  const iso = readDate(text)
  if (iso) return readingOf(iso)
  const expected = expectedDay(text)
  if (expected !== undefined) return { ok: false, expected }
  if (text.length > longestPhrase) return undefined
  const said = phraseOf(text)
  const days = readDays(said, context) ?? readDotted(said, context)
  if (days) return asReading(days, undefined)
  const times = timesAlone(readHours(said))
  if (times.length > 0) return asTimes(times)
  const [, day, hour = ''] = bareHour.exec(said) ?? []
  if (day !== undefined) return asReading([day], hoursOfNumber(hour))
  const ofPhrase = dayWith(said, context, hour => readHours(hour))
  if (ofPhrase) return asReading(ofPhrase.days, ofPhrase.found)
  const split = withoutPart(said)
  if (split === undefined) return undefined
  const { part, rest, isToday } = split
  const hoursIn = (hour: string) => readHours(hour, part)
  const ofRest = dayWith(isToday ? `today ${rest}` : rest, context, hoursIn)
  if (ofRest) return asReading(ofRest.days, ofRest.found)
  return context.isTyped && (isToday || readDays(rest, context))
    ? { ok: false, expected: phrase('an hour as well') }
    : undefined
}

function readingOf({ wall, offset, dayOnly }: NonNullable<ReturnType<typeof readDate>>): Reading {
  const day = wall.slice(0, 10)
  return dayOnly ? { ok: true, day } : { ok: true, day, time: wall.slice(11), ...(offset !== undefined && { offset }) }
}

/** Longer texts are no dates. All divisions of a text are tried, which would take too long for a page of text. */
export const longestPhrase = 120

/** Folds a text for the grammar, and removes final punctuation. */
export const phraseOf = (text: string): string =>
  foldWords(text)
    .replace(/[.!?…]+$/, '')
    .replace(/\b(?:an? |una |la )?(?:fortnight|quinzena|quincena)\b/, '2 weeks')

/** `5.12`, an hour where the day is known. */
const dottedDay = /^(\d{1,2})[.-](\d{1,2})$/

const readDotted = (said: string, context: GrammarContext): Days | undefined =>
  (context.isTyped || context.yearsFrom) && !context.isOfDay && dottedDay.test(said)
    ? daysAlone(readDays(said.replace(dottedDay, '$1/$2'), context))
    : undefined

/** An impossible day may be an hour: `20.30`. */
const daysAlone = (days: Days | undefined): Days | undefined => (days && 'expected' in days ? undefined : days)

/** `2026-12-05 19`: beside a complete day, a number is an hour. */
const bareHour = /^(\d{4}-\d\d-\d\d),? (\d{1,2})$/

const asTimes = (times: readonly string[]): Reading =>
  times.length === 1 ? { ok: true, time: times[0] ?? '' } : { ok: false, readings: times.map(short) }

/** A day beside another phrase: `5 de desembre`, with the rest read by `read`. The longest day is tried first. */
export function dayWith<T>(said: string, context: GrammarContext, read: (rest: string) => readonly T[]) {
  const words = said.replace(/^(\d[\d/.-]+\d)t(?=\d)/, '$1 ').split(/,? /)
  for (let at = words.length - 1; at > 0; at--) {
    const [left, right] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
    for (const [day, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const found = read(other)
      const days = found.length > 0 ? readDays(day.replace(/^(?:del?|of) /, ''), context) : undefined
      if (days) return { days, found }
    }
  }
  return undefined
}

const numericMonth = /^(?:(?<yearFirst>\d{4})[/.-])?(?<number>\d{1,2})(?:[/.-](?<yearLast>\d{4}))?$/
const writtenMonth = /^(?<name>[a-z]+)\.?(?:[\s,/-]+(?:del? |d'|of )?(?<year>\d{4}))?$/

/** Reads a month, `2026-12`, `12/2026`, `december`, `desembre del 2027`, `next month`, `next`, and returns its first day. */
export function readMonthOf(text: string, now: string): Reading | undefined {
  const said = foldWords(text)
  const today = now.slice(0, 10)
  const distance = numberMeant(monthsFromThis, said.replace(/^(el|the) /, '').replace(/^mes | (mes|month)$/, ''))
  if (distance !== undefined) return asReading([firstOfMonth(today, distance) ?? today], undefined)
  const { yearFirst, number, yearLast } = numericMonth.exec(said)?.groups ?? {}
  const { name = '', year = yearFirst ?? yearLast } = writtenMonth.exec(said)?.groups ?? {}
  const month = number === undefined ? months.findIndex(names => names.includes(name)) + 1 : Number(number)
  if (month < 1 || month > 12 || (yearFirst !== undefined && yearLast !== undefined)) return undefined
  if (year !== undefined) return { ok: true, day: dayText(year, month, 1) }
  return asReading(nearYears(month, 1, `${today.slice(0, 7)}-01`).slice(-1), undefined)
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

export const short = (text: string): string => text.replace(/(:\d\d):00$/, '$1')

type Days = Meanings | Expected

/** All days that a folded text can mean; undefined if it is not a day. */
export function readDays(said: string, context: GrammarContext): Days | undefined {
  const { now } = context
  const named =
    readNumbersOnWeekday(said, context) ??
    readWritten(said, context) ??
    readOrdinalWeekday(said, context) ??
    readHoliday(said, context)
  if (named) return named
  const base = context.from ?? context.yearsFrom
  const coming = base === undefined ? undefined : readComing(said, base, context.from !== undefined)
  if (coming !== undefined) return coming
  const relative = readRelativeDay(said, now ?? '2000-01-01 00:00:00')
  if (relative === undefined || now !== undefined) return relative
  return { expected: phrase('a date that does not depend on today') }
}

/** The days of a numeric date, with or without its weekday. */
function readNumbersOnWeekday(said: string, context: GrammarContext): Days | undefined {
  const [, name, rest = said] = weekdayOfNumbers.exec(said) ?? []
  const days = readNumbers(rest, context)
  const numbers = days && 'length' in days && name ? onWeekday(days, name) : days
  if (!context.isTyped || !name || !numbers || 'length' in numbers) return numbers
  // The weekday can also decide the order: `Sat 12/5` is in December if 12 May is none.
  const yearsFrom = yearsBase(context)?.slice(0, 10)
  const inAnyOrder = readDays(said, { ...context, order: undefined, isTyped: false, yearsFrom })
  return inAnyOrder && 'length' in inAnyOrder ? inAnyOrder : numbers
}

/** `dilluns 14/06/2027` */
const weekdayOfNumbers = /^(?:(?:el|the|on) )?([a-z]+)\.?,? (\d.*)$/

const numeric =
  /^(?:(?<first>\d{1,4})(?<sign>[/.-])(?<second>\d{1,2})\k<sign>(?<third>\d{1,4})|(?<one>\d{1,2})\/(?<other>\d{1,2}))$/

const parts = { dmy: [2, 1, 0], mdy: [2, 0, 1], ymd: [0, 1, 2] } as const

/** A numeric date: `25/12/2026`, `2026/12/25`; with slashes also without a year. */
function readNumbers(said: string, context: GrammarContext): Days | undefined {
  const { order, isTyped } = context
  const { groups } = numeric.exec(said) ?? {}
  if (!groups) return undefined
  const { one = '', other = '', first = one, second = other, third } = groups
  if (third === undefined && yearsBase(context) === undefined) return { expected: phrase('a date with its year') }
  const inOrder = (one: DateOrder) => daysInOrder([first, second, third], one, context)
  const known = first.length === 4 ? 'ymd' : order
  if (known) {
    const [day = ''] = inOrder(known)
    const expected = expectedDay(day)
    const isReadable = expected !== undefined || exists(day)
    if (isReadable || !isTyped) return isReadable ? asMeanings(day, expected) : undefined
  }
  return daysInAnyOrder(third?.length === 2 ? ['dmy', 'mdy', 'ymd'] : ['dmy', 'mdy'], inOrder, isTyped)
}

function daysInOrder(numbers: readonly (string | undefined)[], order: DateOrder, context: GrammarContext): string[] {
  const [year = '', month = '', date = ''] = parts[order].map(part => numbers[part])
  return numbers[2] === undefined ? yearsMeant(Number(month), Number(date), context) : [numericDay(year, month, date)]
}

/** The days of a numeric date in every order. If it gives one of two possible dates, the first order wins. */
function daysInAnyOrder(
  orders: readonly DateOrder[],
  inOrder: (order: DateOrder) => readonly string[],
  isTyped = false,
): Days | undefined {
  const possible = orders.map(one => inOrder(one).filter(exists))
  const days = [...new Set(possible.flat())]
  const [only] = days
  if (days.length > 1 || (only !== undefined && (isTyped || possible[0]?.includes(only)))) return days
  const [dayFirst = ''] = inOrder('dmy')
  const expected = expectedDay(dayFirst)
  if (expected !== undefined) return { expected }
  return only === undefined ? undefined : { expected: phrase('a date that begins with the year'), instead: only }
}

const asMeanings = (day: string, expected: string | undefined): Days => (expected === undefined ? [day] : { expected })

const numericDay = (year: string, month: string, date: string): string =>
  year.length <= 2 || year.length === 4
    ? dayText(year.length === 4 ? year : `20${year.padStart(2, '0')}`, month, date)
    : ''

const weekday = String.raw`(?:(?:el|the|on) )?(?:(?<weekday>[a-z]+)\.?,?\s+)?`
const year = String.raw`(?<year>\d{4}|(?<=[-/']|del )\d{2})`
const date = String.raw`(?:(?<date>\d{1,2})(?:r|er|n|t|e|º|ª|st|nd|rd|th)?|(?<first>primer|primero|uno?|u|first))`
const written = [
  // 5 de desembre de 2027, 1r d'abril del 2027, 5-Dec-27, 5 december
  String.raw`${weekday}(?:el |the |l')?${date}\.?[\s/-]*(?:de |d'|of )?(?<month>[a-z]+)\.?(?:[\s,/-]*(?:del? |de l'|d'|of |')?${year})?`,
  // December 5, 2027
  String.raw`${weekday}(?<month>(?!the\b)[a-z]+)\.?\s+(?:the )?${date}(?:,?\s+${year})?`,
].map(form => new RegExp(`^${form}$`))

/** A date with the name of a month; without a year only if `now` is known. */
function readWritten(said: string, context: GrammarContext): Days | undefined {
  const hasYears = yearsBase(context) !== undefined
  for (const form of written) {
    const { first, date = first && '1', month = '', weekday, year } = form.exec(said)?.groups ?? {}
    const index = months.findIndex(names => names.includes(month))
    if (index < 0) continue
    if (year === undefined && !hasYears) return { expected: phrase('a date with its year') }
    const candidates =
      year === undefined
        ? yearsMeant(index + 1, Number(date), context, weekday)
        : [numericDay(year, String(index + 1), date ?? '')]
    return onWeekday(candidates, weekday)
  }
  return undefined
}

/** The days that a date without a year can mean: if typed, the next one, unless a weekday decides. */
function yearsMeant(month: number, date: number, context: GrammarContext, weekday?: string): string[] {
  const days = nearYears(month, date, yearsBase(context) ?? '')
  const isNext =
    context.from !== undefined || context.yearsFrom !== undefined || (context.isTyped && weekday === undefined)
  return isNext ? days.slice(-1) : days
}

/** `el dia de Reis`, `Boxing Day 2027`; without a year the next one. */
function readHoliday(said: string, context: GrammarContext): Days | undefined {
  const called = holidayCalled(said)
  const now = yearsBase(context)
  if (called === undefined) return undefined
  const { year } = called
  if (year === undefined && now === undefined) return { expected: phrase('a date with its year') }
  const thisYear = Number(year ?? now?.slice(0, 4))
  const years = year === undefined ? [thisYear - 1, thisYear, thisYear + 1, thisYear + 2] : [thisYear]
  const days = years.map(one => called.daysIn(one))
  const isAhead = (one: readonly string[]) => year !== undefined || one.every(day => day >= (now ?? '').slice(0, 10))
  return days.find(isAhead) ?? days[0]
}

const lastWords = /^(?:ultim|darrer|ultimo|last)$/
const ordinalWeekday =
  /^(?:el |the |l')?(?<ordinal>[a-z]+) (?<weekday>[a-z]+) (?:de |d'|del mes de |of |in )(?<month>[a-z]+)(?: (?:del? |of )?(?<year>\d{4}))?$/

/** `el segon dissabte de desembre`, `last friday of may 2027`; without a year the next one. */
function readOrdinalWeekday(said: string, context: GrammarContext): Days | undefined {
  const now = yearsBase(context)
  const { ordinal = '', weekday = '', month = '', year } = ordinalWeekday.exec(said)?.groups ?? {}
  const position = ordinals.findIndex(words => words.includes(ordinal))
  const named = weekdays.findIndex(names => names.includes(weekday))
  const index = months.findIndex(names => names.includes(month))
  if (named < 0 || index < 0 || (position < 0 && !lastWords.test(ordinal))) return undefined
  if (year === undefined && now === undefined) return { expected: phrase('a date with its year') }
  const thisYear = Number(now?.slice(0, 4))
  const years = year === undefined ? [thisYear, thisYear + 1] : [Number(year)]
  const days = years.flatMap(one => weekdayOfMonth(`${dayText(one, index + 1, 1)}`, named, position) ?? [])
  const day = year === undefined ? days.find(one => one >= (now ?? '').slice(0, 10)) : days[0]
  return day === undefined ? { expected: phrase('a day that this month has') } : [day]
}

/** The nth such weekday of a month; -1 is the last. */
function weekdayOfMonth(firstDay: string, weekday: number, position: number): string | undefined {
  const ahead = (weekday - weekdayOf(firstDay) + 7) % 7
  const days = [0, 1, 2, 3, 4]
    .map(weeks => plusDays(firstDay, ahead + 7 * weeks))
    .filter(day => day?.slice(0, 7) === firstDay.slice(0, 7))
  return days.at(position)
}

/** A date without a year is in this year; if it has passed, next year is possible as well. */
function nearYears(month: number, date: number, now: string): string[] {
  const thisYear = Number(now.slice(0, 4))
  const days = [thisYear, thisYear + 1].map(year => dayText(year, month, date))
  const [first = ''] = days
  return !exists(first) || first >= now.slice(0, 10) ? [first] : days.filter(exists)
}

/** A weekday can decide between years, and must be correct. */
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
  return { expected: rightWeekday(day) }
}
