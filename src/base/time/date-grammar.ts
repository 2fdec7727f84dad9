import {
  daysFromToday,
  englishWeekdays,
  foldWords,
  months,
  monthsFromThis,
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

/** The orders of day, month and year in a date such as `05/12/2026`. */
export const dateOrders = ['mdy', 'dmy', 'ymd'] as const

export type DateOrder = (typeof dateOrders)[number]

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
  const dotted = context.isTyped && !context.isOfDay ? readDays(phrase.replace(dottedDay, '$1/$2'), context) : undefined
  if (dotted && dottedDay.test(phrase)) return asReading(dotted, undefined)
  const time = isMidnight(phrase) ? endOfDay : readClock(phrase)
  if (time !== undefined) return { ok: true, time }
  for (const [day, clocks] of divisions(phrase)) {
    const days = readDays(day, context)
    if (days) return asReading(days, clocks)
  }
  return undefined
}

/** `5.12`, which is an hour where the day is known. */
const dottedDay = /^(\d{1,2})[.-](\d{1,2})\.?$/

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

const between = /\s+(?:al?|fins (?:al?|el|a)|hasta(?: el)?|to|until|till|through)\s+|\s*[-–—]\s*|\s+(i|y|e|and|&)\s+/g

/** Two days in one text, and whether they are named as two (`5 i 6 de juny`) or as a span (`del 3 al 7 d'agost`). */
interface DayPair {
  readonly first: string
  readonly last: string
  readonly isSpan: boolean
}

/** Reads two days in one text, the first before the last; undefined for what is none. What one of them leaves out the other has. */
export function readDayPair(text: string, context: GrammarContext): DayPair | undefined {
  const phrase = foldWords(text).replace(
    /^(?:del?|des del?|desde(?: el)?|from|dies|dias|days|els dies|los dias)\s+/,
    '',
  )
  for (const { 0: sign, 1: list, index } of phrase.matchAll(between)) {
    const [left, right] = [phrase.slice(0, index), phrase.slice(index + sign.length)]
    const last = dayIn(right, context) ?? dayIn(left.replace(firstNumber, right), context)
    const first = dayIn(left, context) ?? dayIn(withRestOf(left, right), context)
    if (first && last && first < last) return { first, last, isSpan: list === undefined }
  }
  return undefined
}

const firstNumber = /\d{1,2}(?=\D|$)/

/** A day with what it leaves out from the other: `3` beside `7 d'agost de 2027` is `3 d'agost de 2027`. */
function withRestOf(day: string, other: string): string {
  const [, weekday = '', number] = /^([a-z]+\.?,? )?(\d{1,2})$/.exec(day) ?? []
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
  const phrase = foldWords(text)
  const today = now.slice(0, 10)
  const distance = monthsFromThis.get(phrase.replace(/^(el|the) /, '').replace(/^mes | (mes|month)$/, ''))
  if (distance !== undefined) return asReading([firstOfMonth(today, distance) ?? today], undefined)
  const { yearFirst, number, yearLast } = numericMonth.exec(phrase)?.groups ?? {}
  const { name = '', year = yearFirst ?? yearLast } = writtenMonth.exec(phrase)?.groups ?? {}
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

const short = (text: string): string => text.replace(/:00$/, '')

type Days = Meanings | Expected

function readDays(phrase: string, context: GrammarContext): Days | undefined {
  const { now } = context
  const [, name, rest = phrase] = weekdayOfNumbers.exec(phrase) ?? []
  const days = readNumbers(rest, context)
  const numbers =
    days && 'length' in days && name
      ? onWeekday(days, name)
      : (days ?? readWritten(phrase, context) ?? readOrdinalWeekday(phrase, context))
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
function readNumbers(phrase: string, context: GrammarContext): Days | undefined {
  const { now, order, isTyped } = context
  const [, first = '', sign, second = '', third] = numeric.exec(phrase) ?? []
  if (sign === undefined || (third === undefined && (sign !== '/' || now === undefined || first.length > 2)))
    return undefined
  const inOrder = (one: DateOrder): string[] => {
    const [year = '', month = '', date = ''] = parts[one].map(part => [first, second, third][part])
    return third === undefined && now
      ? yearsMeant(Number(month), Number(date), context)
      : [numericDay(year, month, date)]
  }
  if (order || first.length === 4) {
    const [day = ''] = inOrder(first.length === 4 ? 'ymd' : (order ?? 'dmy'))
    const expected = expectedDay(day)
    const isReadable = expected !== undefined || exists(day)
    if (isReadable || !isTyped) return isReadable ? asMeanings(day, expected) : undefined
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
function readWritten(phrase: string, context: GrammarContext): Days | undefined {
  const { now } = context
  for (const form of written) {
    const { first, date = first && '1', month = '', weekday, year } = form.exec(phrase)?.groups ?? {}
    const index = months.findIndex(names => names.includes(month))
    if (index < 0) continue
    if (year === undefined && now === undefined) return { expected: 'a date with its year' }
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
function readOrdinalWeekday(phrase: string, { now }: GrammarContext): Days | undefined {
  const { ordinal = '', weekday = '', month = '', year } = ordinalWeekday.exec(phrase)?.groups ?? {}
  const position = ordinals.findIndex(words => words.includes(ordinal))
  const named = weekdays.findIndex(names => names.includes(weekday))
  const index = months.findIndex(names => names.includes(month))
  if (named < 0 || index < 0 || (position < 0 && !lastWords.test(ordinal))) return undefined
  if (year === undefined && now === undefined) return { expected: 'a date with its year' }
  const thisYear = Number(now?.slice(0, 4))
  const years = year === undefined ? [thisYear, thisYear + 1] : [Number(year)]
  const days = years.flatMap(one => weekdayOfMonth(`${dayText(one, index + 1, 1)}`, named, position) ?? [])
  const day = year === undefined ? days.find(one => one >= (now ?? '').slice(0, 10)) : days[0]
  return day === undefined ? { expected: 'a day that this month has' } : [day]
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
  return { expected: `the right day of the week (${day} is a ${englishWeekdays[weekdayOf(day)]})` }
}

/** What a phrase can mean: days or moments, `YYYY-MM-DD` with or without `HH:MM:SS`; or what would be right. */
type Meanings = readonly string[] | { readonly expected: string }

/**
 * Reads what counts from now, a wall time: `tomorrow`, `next friday`, `+3d`, `d'aquí a 2 setmanes`. The phrase is folded. Several
 * meanings make it ambiguous; undefined for anything else.
 */
function readRelativeDay(phrase: string, now: string): Meanings | undefined {
  const today = now.slice(0, 10)
  if (/^(now|ara|ahora)$/.test(phrase)) return [now]
  const days = daysFromToday.get(phrase.replace(/^the /, ''))
  if (days !== undefined) return meaningOf(plusDays(today, days))
  return readWeekday(phrase, today) ?? readDateOfMonth(phrase, today) ?? readDistance(phrase, now)
}

const meaningOf = (text: string | undefined): Meanings =>
  text === undefined ? { expected: 'a year up to 9999' } : [text]

const next = 'next|coming|proper|vinent|proximo|proxim|que ve|que viene|entrant|entrante'
const last = 'last|past|passat|pasado|ultimo|ultim'
const current = 'this|aquest|este'
const week = `(?:next|last|this) week|(?:propera|passada|aquesta) setmana|(?:proxima|pasada|esta) semana|setmana (?:que ve|vinent|passada)|semana (?:que viene|proxima|pasada)`
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
function readWeekday(phrase: string, today: string): Meanings | undefined {
  const [, name = '', weekWords] = inWeek.exec(phrase) ?? []
  const named = weekdays.findIndex(names => names.includes(name))
  if (named >= 0 && weekWords !== undefined)
    return meaningOf(plusDays(mondayOf(today), 7 * weekShift(weekWords) + named))
  const [, before, day = '', after] = namedWeekday.exec(phrase) ?? []
  const index = weekdays.findIndex(names => names.includes(day))
  if (index < 0 || (before !== undefined && after !== undefined)) return undefined
  const ahead = (index - weekdayOf(today) + 7) % 7
  const inWeekOf = (weeks: number) => index - weekdayOf(today) + 7 * weeks
  const meanings = distancesOf(before ?? after ?? '', ahead, inWeekOf)
  const days = [...new Set(meanings)].map(distance => plusDays(today, distance))
  return days.filter(day => day !== undefined)
}

function distancesOf(words: string, ahead: number, inWeekOf: (weeks: number) => number): number[] {
  if (words === '') return [ahead, ahead || 7]
  if (new RegExp(`^(?:${current})$`).test(words)) return [inWeekOf(0), ahead]
  return new RegExp(`^(?:${next})$`).test(words) ? [ahead || 7, inWeekOf(1)] : [ahead - 7, inWeekOf(-1)]
}

const dateOfMonth = /^(?:on |the |el |en |al )?([a-z]+)\.?,? (?:the |el |dia )?(\d{1,2})(?:st|nd|rd|th)?$/

/** `saturday 28`: of this month or the next, whichever has such a day still to come. */
function readDateOfMonth(phrase: string, today: string): Meanings | undefined {
  const [, name = '', date = ''] = dateOfMonth.exec(phrase) ?? []
  const index = weekdays.findIndex(names => names.includes(name))
  if (index < 0) return undefined
  const inMonths = [0, 1].map(months => `${firstOfMonth(today, months)?.slice(0, 7)}-${date.padStart(2, '0')}`)
  const ahead = inMonths.filter(day => exists(day) && day >= today)
  const right = ahead.filter(day => weekdayOf(day) === index)
  if (right.length > 0) return right
  const [nearest] = ahead
  if (nearest === undefined) return { expected: 'a day of this month or the next' }
  return { expected: `the right day of the week (${nearest} is a ${englishWeekdays[weekdayOf(nearest)]})` }
}

const future = String.raw`\+ ?|in |dins(?: de)? |d'aqui(?: a)? |de aqui a |dentro de |en `
const past = '- ?|fa |hace '
const one = 'a|an|un|una|one'
const distance = new RegExp(`^(${future}|${past})?(\\d{1,6}|(?:${one})(?= )) ?([a-z]+)( ago| from now)?$`)

/** `+3d`, `in 2 weeks`, `2 days ago`, `fa 3 dies`: whole days from today, or with hours and minutes a moment from now. */
function readDistance(phrase: string, now: string): Meanings | undefined {
  const [, before = '', size = '', word = '', after] = distance.exec(phrase) ?? []
  const called = unitsCalled(word)
  // Exactly one of the two says in which direction.
  if (called.length === 0 || (before === '') === (after === undefined)) return undefined
  const isPast = after === ' ago' || new RegExp(`^(?:${past})$`).test(before)
  const count = (/^\d/.test(size) ? Number(size) : 1) * (isPast ? -1 : 1)
  const meanings = called.map(unit => shifted(now, count, unit))
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

/** `19:30`, `7:30:00 PM`, `19.30 h`, `21h30`, `19 h`, `7 pm`; Catalan and Spanish sheets have points, and an h behind. */
const clock =
  /^(?:(?:at|a) )?(?:(?:les|las|la) )?(\d{1,2})(?:\s*([:.,h'’])\s*(\d{1,2})(?::(\d{2})(?:\.\d+)?)?)?\s*(?:(h|hs|hrs?|hores|horas|hours?)\.?|([ap])\.?\s?m\.?|min\.?)?$/i

const before = '(?:(?:at|a|al|a la) )?(?:(?:(?:les|las|the) )?12 (?:del? (?:la )?)?)?'
const noon = new RegExp(`^${before}(?:noon|midday|migdia|mediod[ií]a)$`, 'i')
const midnight = new RegExp(`^${before}(?:midnight|mitja ?nit|medianoche)$`, 'i')

/** The end of a day, as some write it: 0:00 of the next one. */
export const endOfDay = '24:00:00'

/** Whether a text says midnight, which may be the beginning of a day or its end. */
const isMidnight = (text: string): boolean => midnight.test(text.trim())

/** A wall time of a day, of which `24:00:00` is the end. */
export const wallOn = (day: string, time: string): string =>
  time === endOfDay ? `${dayAfter(day)} 00:00:00` : `${day} ${time}`

/** Reads a time of day as `HH:MM:SS`, up to `24:00:00`; undefined for anything else. */
export function readClock(text: string): string | undefined {
  if (noon.test(text.trim())) return '12:00:00'
  const match = clock.exec(text.trim().replace(/\s+/g, ' '))
  if (!match) return readSpokenClock(text)
  const [, hours = '', sign, minutes, seconds = '00', unit, half] = match
  const minute = minutes === undefined ? '00' : wholeMinutes(minutes, hours, sign)
  if (minute === undefined || (minutes === undefined && !unit && !half)) return undefined
  let hour = Number(hours)
  if (half) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hour === 24 && Number(minute) === 0 && Number(seconds) === 0) return endOfDay
  if (hour > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${minute}:${seconds}`
}

const hourWords = [
  'una one',
  'dues dos two',
  'tres three',
  'quatre cuatro four',
  'cinc cinco five',
  'sis seis six',
  'set siete seven',
  'vuit ocho eight',
  'nou nueve nine',
  'deu diez ten',
  'onze once eleven',
  'dotze doce twelve',
].map(words => words.split(' '))

const partsOfDay = {
  early: 'mati manana morning matinada madrugada',
  noon: 'migdia mediodia',
  late: 'tarda tarde afternoon vespre evening',
  night: 'nit noche night',
}

const spoken =
  /^(?:(?:at|a) )?(?:(?:les|las|la) )?(?:(?<quarters>[123]|un|dos|tres)(?:\/4| quarts?) (?:de |d')(?:la )?)?(?<hour>\d{1,2}|[a-z]+)(?:[:.,h' ]{1,3}(?<minutes>\d{2}))?(?: ?h\.?| hores| horas)?(?<half> i mitja| y media| i quart| y cuarto| menys quart| menos cuarto)? (?:del?|de la|de l'|in the|at|por la|al)(?: ?the)? ?(?<part>[a-z]+)$/

/** `a les 8 del vespre`, `les vuit del vespre`, `8 de la tarde`, `dos quarts de nou del vespre`: with the part of the day that decides. */
function readSpokenClock(text: string): string | undefined {
  const groups = spoken.exec(foldWords(text))?.groups
  if (!groups) return undefined
  const { quarters, hour: word = '', minutes = '00', half = '', part = '' } = groups
  const named = /^\d/.test(word) ? Number(word) : hourWords.findIndex(words => words.includes(word)) + 1
  const hour = named < 1 || named > 12 ? undefined : hourIn(named, part)
  if (hour === undefined || Number(minutes) > 59) return undefined
  const quarter = quarters === undefined ? quarterIn(half) : ({ un: 1, dos: 2, tres: 3 }[quarters] ?? Number(quarters))
  const total = hour * 60 + Number(minutes) + (quarters === undefined ? quarter * 15 : quarter * 15 - 60)
  if (total === 1440) return endOfDay
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}:00`
}

const quarterIn = (half: string): number => {
  if (half === '') return 0
  if (/mitja|media/.test(half)) return 2
  return /menys|menos/.test(half) ? -1 : 1
}

/** An hour from 1 to 12 in a part of the day, from 0 to 24; undefined for a word that is none. */
function hourIn(hour: number, part: string): number | undefined {
  const [name] = Object.entries(partsOfDay).find(([, words]) => words.split(' ').includes(part)) ?? []
  if (name === 'early') return hour === 12 ? 0 : hour
  if (name === 'noon') return hour < 5 ? hour + 12 : hour
  if (name === 'late') return hour === 12 ? 12 : hour + 12
  if (name !== 'night') return undefined
  return hour < 6 ? hour : hour + 12
}

/** The two times that `19.5` may be: half past, or 19.50 as a spreadsheet program writes it; undefined for any other text. */
export function halfHours(text: string): readonly [half: string, fifty: string] | undefined {
  const [, hours, unit = ''] = /^(\d{1,2})[.,]5(?:\s*([ap]\.?\s?m\.?|h))?$/i.exec(text.trim()) ?? []
  const half = `${hours}:30${unit && ` ${unit}`}`
  return Number(hours) > 0 && readClock(half) !== undefined ? [half, half.replace(':30', ':50')] : undefined
}

/**
 * Spreadsheet programs take `19.30` for a number and write `19.3` or `19,3`. `19.5` may be half past, and what begins with 0 a part
 * of a day (`0.5` is noon): they stay unread.
 */
function wholeMinutes(minutes: string, hours: string, sign = ':'): string | undefined {
  if (minutes.length === 2) return minutes
  return /[.,]/.test(sign) && Number(hours) > 0 && minutes !== '5' ? `${minutes}0` : undefined
}
