import { interfaceLanguage, phrase } from '../words/phrase.ts'
import {
  daysFromToday,
  foldWords,
  months,
  monthsFromThis,
  numberCalled,
  type Unit,
  unitsCalled,
  weekdays,
} from './calendar-words.ts'
import {
  dayAfter,
  dayText,
  exists,
  expectedDay,
  firstOfMonth,
  mondayOf,
  plusDays,
  readDate,
  wallInRange,
  wallMs,
  weekdayOf,
} from './dates.ts'
import { holidayCalled } from './holidays.ts'
import { ofDay, readHourRanges, readHours, timesAlone, wallOn, withoutPart } from './hour-grammar.ts'
import type { DateOrder } from './typed-order.ts'

/** What decides between the readings of a date. */
interface GrammarContext {
  /** The wall time that relative dates count from. Without it they are refused: a file is read on another day than written. */
  readonly now?: string | undefined
  /** The order of numbers in a file; without it they are read only where one order is possible, and no month comes first. */
  readonly order?: DateOrder | undefined
  /** Whether a person has typed it just now: without a year it is the next such day, and `5.12` is one. */
  readonly isTyped?: boolean
  /** Whether the day is known, so that `5.12` is an hour. */
  readonly isOfDay?: boolean
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
  if (iso) return readingOf(iso)
  const expected = expectedDay(text)
  if (expected !== undefined) return { ok: false, expected }
  if (text.length > longestPhrase) return undefined
  const said = phraseOf(text)
  const days = readDays(said, context) ?? readDotted(said, context)
  if (days) return asReading(days, undefined)
  const times = timesAlone(readHours(said))
  if (times.length > 0) return asTimes(times)
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

/** No date is so long. All divisions of a text are tried, which takes too long for a page of text. */
const longestPhrase = 120

/** A text as the grammar reads it: folded, and without what closes a sentence. */
const phraseOf = (text: string): string =>
  foldWords(text)
    .replace(/[.!?…]+$/, '')
    .replace(/\b(?:an? |una |la )?(?:fortnight|quinzena|quincena)\b/, '2 weeks')

/** `5.12`, which is an hour where the day is known. */
const dottedDay = /^(\d{1,2})[.-](\d{1,2})$/

const readDotted = (said: string, context: GrammarContext): Days | undefined =>
  context.isTyped && !context.isOfDay && dottedDay.test(said)
    ? daysAlone(readDays(said.replace(dottedDay, '$1/$2'), context))
    : undefined

/** What can be no day may be an hour: `20.30`. */
const daysAlone = (days: Days | undefined): Days | undefined => (days && 'expected' in days ? undefined : days)

const asTimes = (times: readonly string[]): Reading =>
  times.length === 1 ? { ok: true, time: times[0] ?? '' } : { ok: false, readings: times.map(short) }

/** A day beside something else: `5 de desembre` and what `read` finds in the rest. The longest day comes first. */
function dayWith<T>(
  said: string,
  context: GrammarContext,
  read: (rest: string) => readonly T[],
): { readonly days: Days; readonly found: readonly T[] } | undefined {
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

/** What a text says of a day or an hour, or of a start and an end: `end` has what differs from the start. */
export type Period =
  | Exclude<Reading, { ok: true }>
  | (Extract<Reading, { ok: true }> & {
      readonly end?: { readonly day?: string; readonly time?: string }
      readonly isAllDay?: true
    })

const allDay =
  /(?:^|,? )(?:durant |durante )?(?:tot (?:el )?(?:sant )?dia|(?:el )?dia sencer|todo (?:el )?dia|(?:el )?dia completo|all day(?: long)?)(?:,? |$)/

/** As `readDayAndTime`; also reads a start and an end, `de 18 a 20 h`, `del 5 al 8 de desembre`, and `tot el dia`. */
export function readPeriod(text: string, context: GrammarContext): Period | undefined {
  if (text.length > longestPhrase) return undefined
  const point = readDayAndTime(text, context)
  if (point && (point.ok || 'readings' in point)) return point
  const said = phraseOf(text)
  if (allDay.test(said)) return wholeDay(said.replace(allDay, ' ').trim(), context)
  return readDaysOn(said, context) ?? readHoursOn(said, context) ?? readMoments(said, context) ?? point
}

/** From one moment to another, each with its day: `28/11 20 h - 29/11 2 h`. */
function readMoments(said: string, context: GrammarContext): Period | undefined {
  const opened = said.replace(/^(?:des de|desde|del?|from) /, '')
  for (const { 0: sign, index } of opened.matchAll(between)) {
    const [start, end] = [opened.slice(0, index), opened.slice(index + sign.length)].map(part =>
      readDayAndTime(part, context),
    )
    if (!start?.ok || !end?.ok || start.day === undefined || start.time === undefined) continue
    if (end.day === undefined || end.time === undefined || end.day < start.day) continue
    return { ...start, end: { day: end.day, time: end.time } }
  }
  return undefined
}

function wholeDay(rest: string, context: GrammarContext): Period | undefined {
  if (rest === '') return { ok: true, isAllDay: true }
  const day = rest.replace(/^(?:del? |of |d'(?=avui))/, '')
  const reading = readDaysOn(day, context) ?? readDayAndTime(day, context)
  return reading?.ok && reading.time === undefined ? { ...reading, isAllDay: true } : undefined
}

/** Days one after the other: a weekend, a week, or from one day to another. */
function readDaysOn(said: string, context: GrammarContext): Period | undefined {
  const { now } = context
  const pair = readDayPair(said, context)
  if (pair) return pairAsPeriod(pair, said, context)
  if (now === undefined) return undefined
  const today = now.slice(0, 10)
  const [, week] = weekAlone.exec(said) ?? []
  const monday = week === undefined ? undefined : plusDays(mondayOf(today), 7 * weekShift(week))
  if (monday !== undefined) return spanFrom(monday, plusDays(monday, 6))
  if (!weekend.test(said)) return undefined
  const saturday = said.replace(weekend, 'saturday').replace(/^(?:tot|todo|all) /, '')
  const days = currentWeekend.test(saturday)
    ? [plusDays(mondayOf(today), 5) ?? today]
    : (readWeekday(saturday.replace(/^(?:the|el) /, ''), today) ?? [])
  if ('expected' in days) return undefined
  const [first, ...others] = days
  if (first === undefined) return undefined
  return others.length === 0
    ? spanFrom(first, plusDays(first, 1))
    : { ok: false, readings: days.map(day => `${day} - ${plusDays(day, 1)}`) }
}

/** Two days as a period. One that has begun and is not over can be that of the next year as well. */
function pairAsPeriod(pair: DayPair, said: string, context: GrammarContext): Period | undefined {
  const { first, last, isSpan } = pair
  if (!isSpan && dayAfter(first) !== last) return undefined
  const { now = first } = context
  const begun = readDayPair(said, { ...context, now: `${dayAfter(now.slice(0, 10), -halfYear)} 00:00:00` })
  const isDoubtful = begun !== undefined && begun.first < first && begun.last >= now.slice(0, 10)
  return isDoubtful
    ? { ok: false, readings: [begun, pair].map(({ first, last }) => `${first} - ${last}`) }
    : spanFrom(first, last)
}

const halfYear = 183

const weekend = /\b(?:cap de setmana|finde|fin de semana|weekend)\b/
const currentWeekend = /^(?:(?:on |at )?(?:the |el |al |en )?|(?:this|aquest|este) )saturday$/

const spanFrom = (day: string, last: string | undefined): Period => ({
  ok: true,
  day,
  ...(last !== undefined && { end: { day: last } }),
})

/** A start and an end on one day, or on any. */
function readHoursOn(said: string, context: GrammarContext): Period | undefined {
  const alone = readHourRanges(said)
  if (alone.length > 0) return hoursOn(alone)
  const { part, rest = said, isToday = false } = withoutPart(said) ?? {}
  for (const one of [undefined, part]) {
    const text = one === undefined ? said : isToday ? `today ${rest}` : rest
    const { days, found } = dayWith(text, context, hours => readHourRanges(hours, one)) ?? {}
    if (days && found && 'length' in days && days.every(day => day.length === 10)) return hoursOn(found, days)
    if (days && 'expected' in days) return { ok: false, ...days }
  }
  return undefined
}

function hoursOn(
  pairs: readonly (readonly [from: string, to: string])[],
  days: readonly string[] = [''],
): Period | undefined {
  const [pair, ...others] = days.flatMap(day => pairs.map(([from, to]) => ({ day, from, to })))
  if (pair === undefined) return undefined
  if (others.length > 0)
    return {
      ok: false,
      readings: [pair, ...others].map(({ day, from, to }) => `${day} ${short(from)}-${short(ofDay(to))}`.trim()),
    }
  const { day, from, to } = pair
  if (day === '') return { ok: true, time: from, end: { time: ofDay(to) } }
  const end = wallOn(day, to)
  const isSameDay = end.startsWith(day)
  return { ok: true, day, time: from, end: { ...(!isSameDay && { day: end.slice(0, 10) }), time: end.slice(11) } }
}

const between = /\s+(?:al?|fins (?:al?|el|a)|hasta(?: el)?|to|until|till|through)\s+|\s*[-–—]\s*|\s+(i|y|e|and|&)\s+/g

/** Two days in one text, and whether they are named as two (`5 i 6 de juny`) or as a span (`del 3 al 7 d'agost`). */
interface DayPair {
  readonly first: string
  readonly last: string
  readonly isSpan: boolean
}

/** Reads two days in one text, the first before the last; undefined for what is none. What one of them leaves out the other has. */
export function readDayPair(text: string, context: GrammarContext): DayPair | undefined {
  if (text.length > longestPhrase) return undefined
  const whole = foldWords(text)
  const said = whole.replace(
    /^(?:entre(?: el)?|between|del? (?:l')?|des del?|desde(?: el)?|from|dies|dias|days|els dies|los dias)\s*(?<=\s|')/,
    '',
  )
  for (const { 0: sign, 1: list, index } of said.matchAll(between)) {
    const [left, right] = [said.slice(0, index), said.slice(index + sign.length)]
    const first = dayIn(left, context) ?? dayIn(withRestOf(left, right), context)
    // A day of the week is the one after the first day.
    const after = first !== undefined && context.now !== undefined ? { ...context, now: `${first} 00:00:00` } : context
    const last = dayIn(right, after) ?? dayIn(left.replace(firstNumber, right), context)
    if (first && last && first < last)
      return { first, last, isSpan: list === undefined || /^(?:entre|between) /.test(whole) }
  }
  return undefined
}

const firstNumber = /\d{1,2}(?=\D|$)/

/** A day with what it leaves out from the other: `3` beside `7 d'agost de 2027` is `3 d'agost de 2027`. */
function withRestOf(day: string, other: string): string {
  const [, weekday = '', number] = /^([a-z]+\.?,? )?(\d{1,2})(?:r|n|t|e|st|nd|rd|th)?$/.exec(day) ?? []
  if (number !== undefined) return weekday + other.replace(/^[a-z]+\.?,? (?=\d)/, '').replace(firstNumber, number)
  const year = /\b(\d{4})$/.exec(other)?.[1]
  const numbers = /^\d{1,2}([/.-])\d{1,2}\.?$/.exec(day)
  if (numbers && year) return `${day}${numbers[1]}${year}`
  return year ? `${day} ${year}` : day
}

function dayIn(text: string, context: GrammarContext): string | undefined {
  const days = readDays(text.replace(/^(?:el|the|dia)\s+/, ''), context) ?? readDays(text, context)
  return days && 'length' in days && days.length === 1 ? days[0]?.slice(0, 10) : undefined
}

const numericMonth = /^(?:(?<yearFirst>\d{4})[/.-])?(?<number>\d{1,2})(?:[/.-](?<yearLast>\d{4}))?$/
const writtenMonth = /^(?<name>[a-z]+)\.?(?:[\s,/-]+(?:del? |d'|of )?(?<year>\d{4}))?$/

/** Reads a month: `2026-12`, `12/2026`, `december`, `desembre del 2027`, `next month`, `next`; as its first day. */
export function readMonthOf(text: string, now: string): Reading | undefined {
  const said = foldWords(text)
  const today = now.slice(0, 10)
  const distance = monthsFromThis.get(said.replace(/^(el|the) /, '').replace(/^mes | (mes|month)$/, ''))
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

const short = (text: string): string => text.replace(/(:\d\d):00$/, '$1')

type Days = Meanings | Expected

function readDays(said: string, context: GrammarContext): Days | undefined {
  const { now } = context
  const [, name, rest = said] = weekdayOfNumbers.exec(said) ?? []
  const days = readNumbers(rest, context)
  const numbers =
    days && 'length' in days && name
      ? onWeekday(days, name)
      : (days ?? readWritten(said, context) ?? readOrdinalWeekday(said, context))
  if (numbers) return numbers
  const holiday = readHoliday(said, context)
  if (holiday) return holiday
  const relative = readRelativeDay(said, now ?? '2000-01-01 00:00:00')
  if (relative === undefined || now !== undefined) return relative
  return { expected: phrase('a date that does not depend on today') }
}

/** `dilluns 14/06/2027` */
const weekdayOfNumbers = /^(?:(?:el|the|on) )?([a-z]+)\.?,? (\d.*)$/

const numeric = /^(\d{1,4})([/.-])(\d{1,2})(?:\2(\d{1,4}))?$/

const parts = { dmy: [2, 1, 0], mdy: [2, 0, 1], ymd: [0, 1, 2] } as const

/** A date of numbers: `25/12/2026`, `2026/12/25`, and with a slash also without the year. */
function readNumbers(said: string, context: GrammarContext): Days | undefined {
  const { now, order, isTyped } = context
  const [, first = '', sign, second = '', third] = numeric.exec(said) ?? []
  if (sign === undefined || (third === undefined && (sign !== '/' || now === undefined || first.length > 2)))
    return undefined
  const inOrder = (one: DateOrder) => daysInOrder([first, second, third], one, context)
  const known = first.length === 4 ? 'ymd' : order
  if (known) {
    const [day = ''] = inOrder(known)
    const expected = expectedDay(day)
    const isReadable = expected !== undefined || exists(day)
    if (isReadable || !isTyped) return isReadable ? asMeanings(day, expected) : undefined
  }
  return daysInAnyOrder(third?.length === 2 ? ['dmy', 'mdy', 'ymd'] : ['dmy', 'mdy'], inOrder)
}

function daysInOrder(numbers: readonly (string | undefined)[], order: DateOrder, context: GrammarContext): string[] {
  const [year = '', month = '', date = ''] = parts[order].map(part => numbers[part])
  return numbers[2] === undefined && context.now
    ? yearsMeant(Number(month), Number(date), context)
    : [numericDay(year, month, date)]
}

/** All days that numbers can be; the first order has precedence if it gives one of two. */
function daysInAnyOrder(
  orders: readonly DateOrder[],
  inOrder: (order: DateOrder) => readonly string[],
): Days | undefined {
  const possible = orders.map(one => inOrder(one).filter(exists))
  const days = [...new Set(possible.flat())]
  const [only] = days
  if (days.length > 1 || (only !== undefined && possible[0]?.includes(only))) return days
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

/** A date with its month in words; without a year only if `now` can tell it. */
function readWritten(said: string, context: GrammarContext): Days | undefined {
  const { now } = context
  for (const form of written) {
    const { first, date = first && '1', month = '', weekday, year } = form.exec(said)?.groups ?? {}
    const index = months.findIndex(names => names.includes(month))
    if (index < 0) continue
    if (year === undefined && now === undefined) return { expected: phrase('a date with its year') }
    const candidates =
      year === undefined
        ? yearsMeant(index + 1, Number(date), context, weekday)
        : [numericDay(year, String(index + 1), date ?? '')]
    return onWeekday(candidates, weekday)
  }
  return undefined
}

/** The days that a day without a year can be: of what is typed, the next one, unless a day of the week decides. */
function yearsMeant(month: number, date: number, { now = '', isTyped }: GrammarContext, weekday?: string): string[] {
  const days = nearYears(month, date, now)
  return isTyped && weekday === undefined ? days.slice(-1) : days
}

/** `el dia de Reis`, `Boxing Day 2027`; without a year the next one. */
function readHoliday(said: string, { now }: GrammarContext): Days | undefined {
  const { day, year, isEve } = holidayCalled(said) ?? {}
  if (day === undefined) return undefined
  if (year === undefined && now === undefined) return { expected: phrase('a date with its year') }
  const thisYear = Number(year ?? now?.slice(0, 4))
  const days = [thisYear, thisYear + 1].map(one => (isEve ? dayAfter(`${one}-${day}`, -1) : `${one}-${day}`))
  return [(year === undefined && days.find(one => one >= (now ?? '').slice(0, 10))) || (days[0] ?? '')]
}

const ordinals = [
  'primer primera primero first',
  'segon segona segundo second',
  'tercer tercera tercero third',
  'quart quarta cuarto fourth',
  'cinque cinquena quinto fifth',
].map(words => words.split(' '))
const lastWords = /^(?:ultim|darrer|ultimo|last)$/
const ordinalWeekday =
  /^(?:el |the |l')?(?<ordinal>[a-z]+) (?<weekday>[a-z]+) (?:de |d'|del mes de |of |in )(?<month>[a-z]+)(?: (?:del? |of )?(?<year>\d{4}))?$/

/** `el segon dissabte de desembre`, `last friday of may 2027`; without a year the next one. */
function readOrdinalWeekday(said: string, { now }: GrammarContext): Days | undefined {
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

/** The day of a month that is the first, second … of a weekday; the last one for -1. */
function weekdayOfMonth(firstDay: string, weekday: number, position: number): string | undefined {
  const ahead = (weekday - weekdayOf(firstDay) + 7) % 7
  const days = [0, 1, 2, 3, 4]
    .map(weeks => plusDays(firstDay, ahead + 7 * weeks))
    .filter(day => day?.slice(0, 7) === firstDay.slice(0, 7))
  return days.at(position)
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
  return { expected: rightWeekday(day) }
}

const rightWeekday = (day: string): string =>
  phrase('the right day of the week ({day} is a {weekday})', {
    day,
    weekday: new Intl.DateTimeFormat(interfaceLanguage(), { weekday: 'long', timeZone: 'UTC' }).format(new Date(day)),
  })

/** What a phrase can mean: days or moments, `YYYY-MM-DD` with or without `HH:MM:SS`; or what would be right. */
type Meanings = readonly string[] | { readonly expected: string }

/**
 * Reads what counts from now, a wall time: `tomorrow`, `next friday`, `+3d`, `d'aquí a 2 setmanes`. The phrase is folded. Several
 * meanings make it ambiguous; undefined for anything else.
 */
function readRelativeDay(said: string, now: string): Meanings | undefined {
  const today = now.slice(0, 10)
  if (/^(now|ara|ahora)$/.test(said)) return [now]
  const days = daysFromToday.get(said.replace(/^the /, ''))
  if (days !== undefined) return meaningOf(plusDays(today, days))
  return readWeekday(said, today) ?? readWeeksOn(said, today) ?? readDateOfMonth(said, today) ?? readDistance(said, now)
}

const meaningOf = (text: string | undefined): Meanings =>
  text === undefined ? { expected: phrase('a year up to 9999') } : [text]

const next = 'next|coming|proper|vinent|proximo|proxim|que ve|que viene|entrant|entrante'
const last = 'last|past|passat|pasado|ultimo|ultim'
const current = 'this|aquest|este'
const week = `(?:next|last|this) week|(?:propera|passada|aquesta) setmana|(?:proxima|pasada|esta) semana|setmana (?:que ve|vinent|passada)|semana (?:que viene|proxima|pasada)`
const weekAlone = new RegExp(`^(?:the |la |l')?(${week})$`)
const inWeek = new RegExp(`^(?:on |the |el )?([a-z]+),? (?:(?:of|de|d') ?)?(?:the |la |l')?(${week})$`)
const namedWeekday = new RegExp(
  `^(?:on |the |el |en |al )?(?:(${current}|${next}|${last}) )?([a-z]+)(?: (${next}|${last}))?$`,
)

/** The week that words name, from that of today. */
const weekShift = (words: string): number => {
  if (/this|aquesta|esta/.test(words)) return 0
  return /last|passada|pasada/.test(words) ? -1 : 1
}

/**
 * A day of the week. Where the nearest such day and that of the named week differ, both are meant: `next friday` on a Wednesday.
 * Without a word next to it, it is the first from today on, or after today.
 */
function readWeekday(said: string, today: string): Meanings | undefined {
  const [, name = '', weekWords] = inWeek.exec(said) ?? []
  const named = weekdays.findIndex(names => names.includes(name))
  if (named >= 0 && weekWords !== undefined)
    return meaningOf(plusDays(mondayOf(today), 7 * weekShift(weekWords) + named))
  const [, before, day = '', after] = namedWeekday.exec(said) ?? []
  const index = weekdays.findIndex(names => names.includes(day))
  if (index < 0 || (before !== undefined && after !== undefined)) return undefined
  const ahead = (index - weekdayOf(today) + 7) % 7
  const inWeekOf = (weeks: number) => index - weekdayOf(today) + 7 * weeks
  const meanings = distancesOf(before ?? after ?? '', ahead, inWeekOf)
  const days = [...new Set(meanings)].map(distance => plusDays(today, distance))
  return days.filter(day => day !== undefined)
}

const weeksOn = /^(?<count>\d+|[a-z]+) weeks? (?:on |from )(?<weekday>[a-z ]+)$|^(?:on )?(?<only>[a-z]+) week$/

/** `a week on Tuesday`, `2 weeks on Friday`, `Monday week`: so many weeks after the next such day. */
function readWeeksOn(said: string, today: string): Meanings | undefined {
  const { count, weekday, only } = weeksOn.exec(said)?.groups ?? {}
  const weeks = only === undefined ? numberCalled(count ?? '') : 1
  const days = weeks === undefined ? undefined : readWeekday(weekday ?? only ?? '', today)
  if (weeks === undefined || days === undefined || 'expected' in days) return days
  return days.flatMap(day => plusDays(day, 7 * weeks) ?? [])
}

function distancesOf(words: string, ahead: number, inWeekOf: (weeks: number) => number): number[] {
  if (words === '') return [ahead, ahead || 7]
  if (new RegExp(`^(?:${current})$`).test(words)) return [inWeekOf(0), ahead]
  return new RegExp(`^(?:${next})$`).test(words) ? [ahead || 7, inWeekOf(1)] : [ahead - 7, inWeekOf(-1)]
}

const dateOfMonth = /^(?:on |the |el |en |al )?([a-z]+)\.?,? (?:the |el |dia )?(\d{1,2})(?:st|nd|rd|th)?$/
const dateAlone = /^(?:on |en )?(?:(?:the |el |al )?dia |the |el )(\d{1,2})(?:st|nd|rd|th)?$/

/** `saturday 28`, `el dia 28`: of this month or the next, whichever has such a day still to come. */
function readDateOfMonth(said: string, today: string): Meanings | undefined {
  const [, name = '', date = ''] = dateOfMonth.exec(said) ?? []
  const index = weekdays.findIndex(names => names.includes(name))
  const alone = dateAlone.exec(said)?.[1]
  if (index < 0 && alone === undefined) return undefined
  const number = (alone ?? date).padStart(2, '0')
  const inMonths = [0, 1].map(months => `${firstOfMonth(today, months)?.slice(0, 7)}-${number}`)
  const ahead = inMonths.filter(day => exists(day) && day >= today)
  if (index < 0) return ahead.slice(0, 1)
  const right = ahead.filter(day => weekdayOf(day) === index)
  if (right.length > 0) return right
  const [nearest] = ahead
  if (nearest === undefined) return { expected: phrase('a day of this month or the next') }
  return { expected: rightWeekday(nearest) }
}

const future = String.raw`\+ ?|in |dins(?: de)? |d['\s]?aqui(?: a)? |de aqui a |dentro de |en `
const past = '- ?|fa |hace '
const distance = new RegExp(`^(${future}|${past})?(\\d{1,6}|[a-z]+(?= )) ?([a-z]+)( ago| from now)?$`)

/** `+3d`, `in 2 weeks`, `2 days ago`, `fa 3 dies`: whole days from today, or with hours and minutes a moment from now. */
function readDistance(said: string, now: string): Meanings | undefined {
  const [, before = '', size = '', word = '', after] = distance.exec(said) ?? []
  const called = unitsCalled(word)
  // Exactly one of the two says in which direction.
  const number = numberCalled(size)
  if (number === undefined || called.length === 0 || (before === '') === (after === undefined)) return undefined
  const isPast = after === ' ago' || new RegExp(`^(?:${past})$`).test(before)
  const sign = isPast ? -1 : 1
  // Eight days are a week in Catalan and Spanish, and fifteen are two.
  const isWeeks = /^(?:dies|dias)$/.test(word) && (number === 8 || number === 15) && /[a-z]/.test(before)
  const counts = isWeeks ? [number - 1, number] : [number]
  const meanings = called.flatMap(unit => counts.map(count => shifted(now, count * sign, unit)))
  const wrong = meanings.find(meaning => !Array.isArray(meaning))
  return wrong ?? (meanings as string[][]).flat()
}

const hour = 3_600_000

function shifted(now: string, count: number, unit: Unit): Meanings {
  const today = now.slice(0, 10)
  if (unit === 'hour' || unit === 'minute')
    return meaningOf(wallInRange(wallMs(now) + count * (unit === 'hour' ? hour : hour / 60)))
  if (unit === 'day' || unit === 'week') return meaningOf(plusDays(today, count * (unit === 'week' ? 7 : 1)))
  const month = firstOfMonth(today, count * (unit === 'year' ? 12 : 1))
  if (month === undefined) return meaningOf(month)
  const day = dayText(month.slice(0, 4), month.slice(5, 7), today.slice(8))
  const expected = expectedDay(day)
  return expected === undefined ? [day] : { expected }
}
