import { phrase } from '../words/phrase.ts'
import { daysFromToday, numberCalled, numberMeant, type Unit, unitsCalled, weekdays } from './calendar-words.ts'
import {
  dayText,
  exists,
  expectedDay,
  firstOfMonth,
  longName,
  mondayOf,
  plusDays,
  wallInRange,
  wallMs,
  weekdayOf,
} from './dates.ts'

/** The possible meanings of a phrase, days or moments, `YYYY-MM-DD` with or without `HH:MM:SS`; or what would be correct. */
export type Meanings = readonly string[] | { readonly expected: string }

/**
 * Reads a day relative to `now`, a wall time: `tomorrow`, `next friday`, `+3d`, `d'aquí a 2 setmanes`. The phrase is folded.
 * Several meanings make it ambiguous; undefined if it is not such a phrase.
 */
export function readRelativeDay(said: string, now: string): Meanings | undefined {
  const today = now.slice(0, 10)
  if (/^(now|ara|ahora)$/.test(said)) return [now]
  const days = numberMeant(daysFromToday, said.replace(/^the /, ''))
  if (days !== undefined) return meaningOf(plusDays(today, days))
  return readWeekday(said, today) ?? readWeeksOn(said, today) ?? readDateOfMonth(said, today) ?? readDistance(said, now)
}

const meaningOf = (text: string | undefined): Meanings =>
  text === undefined ? { expected: phrase('a year up to 9999') } : [text]

const next = 'next|coming|proper|vinent|proximo|proxim|que ve|que viene|entrant|entrante'
const last = 'last|past|passat|pasado|ultimo|ultim'
const current = 'this|aquest|este'
const week = `(?:next|last|this) week|(?:propera|passada|aquesta) setmana|(?:proxima|pasada|esta) semana|setmana (?:que ve|vinent|passada)|semana (?:que viene|proxima|pasada)`
const inWeek = new RegExp(`^(?:on |the |el )?([a-z]+),? (?:(?:of|de|d') ?)?(?:the |la |l')?(${week})$`)
const namedWeekday = new RegExp(
  `^(?:on |the |el |en |al )?(?:(${current}|${next}|${last}) )?([a-z]+)(?: (${next}|${last}))?$`,
)

/** How many weeks from this one. */
const weekShift = (words: string): number => {
  if (/this|aquesta|esta/.test(words)) return 0
  return /last|passada|pasada/.test(words) ? -1 : 1
}

const weekAlone = new RegExp(`^(?:the |la |l')?(${week})$`)

/** The Monday of a week relative to today: `next week`, `la setmana que ve`. */
export function mondayOfWeek(said: string, today: string): string | undefined {
  const [, words] = weekAlone.exec(said) ?? []
  return words === undefined ? undefined : plusDays(mondayOf(today), 7 * weekShift(words))
}

/**
 * Reads a weekday. `next friday` on a Wednesday is ambiguous: the nearest Friday, or the one of next week. Without such a word, it
 * is the first from today on, or after today.
 */
export function readWeekday(said: string, today: string): Meanings | undefined {
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

/** `a week on Tuesday`, `2 weeks on Friday`, `Monday week`: weeks after the next such day. */
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

/** Days that count from another one: `dissabte 5`, and after a start also `diumenge`, the first such day from then on. */
export function readComing(said: string, from: string, isEnd: boolean): Meanings | undefined {
  const [, before, day = '', after] = namedWeekday.exec(said) ?? []
  const index = weekdays.findIndex(names => names.includes(day))
  if (isEnd && index >= 0 && before === undefined && after === undefined)
    return meaningOf(plusDays(from, (index - weekdayOf(from) + 7) % 7))
  return readDateOfMonth(said, from.slice(0, 10))
}

const dateOfMonth = /^(?:on |the |el |en |al )?([a-z]+)\.?,? (?:the |el |dia )?(\d{1,2})(?:st|nd|rd|th)?$/
const dateAlone = /^(?:on |en )?(?:(?:the |el |al )?dia |the |el )(\d{1,2})(?:st|nd|rd|th)?$/

/** `saturday 28`, `el dia 28`: in this month or the next, whichever still has such a day. */
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

/** `+3d`, `in 2 weeks`, `2 days ago`, `fa 3 dies`: whole days from today; with hours or minutes, a moment from now. */
function readDistance(said: string, now: string): Meanings | undefined {
  const [, before = '', size = '', word = '', after] = distance.exec(said) ?? []
  const called = unitsCalled(word)
  // Exactly one of the two gives the direction.
  const number = numberCalled(size)
  if (number === undefined || called.length === 0 || (before === '') === (after === undefined)) return undefined
  const isPast = after === ' ago' || new RegExp(`^(?:${past})$`).test(before)
  const sign = isPast ? -1 : 1
  // In Catalan and Spanish, eight days are a week and fifteen are two.
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

export const rightWeekday = (day: string): string =>
  phrase('the right day of the week ({day} is a {weekday})', { day, weekday: longName('weekday', new Date(day)) })
