import { foldWords } from './calendar-words.ts'
import {
  dayWith,
  type GrammarContext,
  longestPhrase,
  phraseOf,
  type Reading,
  readDayAndTime,
  readDays,
  short,
} from './date-grammar.ts'
import { dayAfter, mondayOf, plusDays } from './dates.ts'
import { ofDay, readHourRanges, wallOn, withoutPart } from './hour-grammar.ts'
import { mondayOfWeek, readWeekday } from './relative-days.ts'

/** A day or time, or a start and an end: `end` has only what differs from the start. */
export type Period =
  | Exclude<Reading, { ok: true }>
  | (Extract<Reading, { ok: true }> & {
      readonly end?: { readonly day?: string; readonly time?: string }
      readonly isAllDay?: true
    })

const allDay =
  /(?:^|,? )(?:durant |durante )?(?:tot (?:el )?(?:sant )?dia|(?:el )?dia sencer|todo (?:el )?dia|(?:el )?dia completo|all day(?: long)?)(?:,? |$)/

/** Like `readDayAndTime`, but also reads a start and an end (`de 18 a 20 h`, `del 5 al 8 de desembre`) and `tot el dia`. */
export function readPeriod(text: string, context: GrammarContext): Period | undefined {
  if (text.length > longestPhrase) return undefined
  const point = readDayAndTime(text, context)
  if (point && (point.ok || 'readings' in point)) return point
  const said = phraseOf(text)
  if (allDay.test(said)) return wholeDay(said.replace(allDay, ' ').trim(), context)
  return readDaysOn(said, context) ?? readHoursOn(said, context) ?? readMoments(said, context) ?? point
}

/** Two moments with their days: `28/11 20 h - 29/11 2 h`. */
function readMoments(said: string, context: GrammarContext): Period | undefined {
  const opened = said.replace(/^(?:des de|desde|del?|from) /, '')
  for (const { 0: sign, index } of opened.matchAll(between)) {
    const start = readDayAndTime(opened.slice(0, index), context)
    if (!start?.ok || start.day === undefined || start.time === undefined) continue
    const end = readDayAndTime(opened.slice(index + sign.length), { ...context, from: start.day })
    if (!end?.ok) continue
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

/** Consecutive days: a weekend, a week, or a range of days. */
function readDaysOn(said: string, context: GrammarContext): Period | undefined {
  const { now } = context
  const pair = readDayPair(said, context)
  if (pair) return pairAsPeriod(pair, said, context)
  if (now === undefined) return undefined
  const today = now.slice(0, 10)
  const monday = mondayOfWeek(said, today)
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

/** A range that has begun and is not over may be next year's as well. */
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

/** A start and an end without days, or both on one day. */
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

/** Two days in one text: a list (`5 i 6 de juny`) or a range (`del 3 al 7 d'agost`). */
export interface DayPair {
  readonly first: string
  readonly last: string
  readonly isSpan: boolean
}

/** Reads two days in order; undefined if the text is not two days. Month and year may be written once. */
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
    // A weekday as the end is the first such day after the start.
    const after = first !== undefined && context.now !== undefined ? { ...context, now: `${first} 00:00:00` } : context
    const last = dayIn(right, after) ?? dayIn(left.replace(firstNumber, right), context)
    if (first && last && first < last)
      return { first, last, isSpan: list === undefined || /^(?:entre|between) /.test(whole) }
  }
  return undefined
}

const firstNumber = /\d{1,2}(?=\D|$)/

/** Completes a day with month and year of the other one: `3` beside `7 d'agost de 2027` is `3 d'agost de 2027`. */
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
