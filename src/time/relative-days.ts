import { daysFromToday, englishWeekdays, type Unit, unitsCalled, weekdays } from './calendar-words.ts'
import { wallInRange, wallMs } from './dates.ts'
import { dayText, exists, expectedDay, firstOfMonth, mondayOf, plusDays, weekdayOf } from './day-arithmetic.ts'

/** What a phrase can mean: days or moments, `YYYY-MM-DD` with or without `HH:MM:SS`; or what would be right. */
export type Meanings = readonly string[] | { readonly expected: string }

/**
 * Reads what counts from now, a wall time: `tomorrow`, `next friday`, `+3d`, `d'aquí a 2 setmanes`. The phrase is folded. Several
 * meanings make it ambiguous; undefined for anything else.
 */
export function readRelativeDay(phrase: string, now: string): Meanings | undefined {
  const today = now.slice(0, 10)
  if (/^(now|ara|ahora)$/.test(phrase)) return [now]
  const days = daysFromToday.get(phrase.replace(/^the /, ''))
  if (days !== undefined) return listOf(plusDays(today, days))
  return readWeekday(phrase, today) ?? readDateOfMonth(phrase, today) ?? readDistance(phrase, now)
}

const listOf = (text: string | undefined): Meanings => (text === undefined ? { expected: 'a year up to 9999' } : [text])

const next = 'next|coming|proper|vinent|proximo|proxim|que ve|que viene|entrant|entrante'
const last = 'last|past|passat|pasado|ultimo|ultim'
const current = 'this|aquest|este'
const week = `(?:next|last|this) week|(?:propera|passada|aquesta) setmana|(?:proxima|pasada|esta) semana|setmana (?:que ve|vinent|passada)|semana (?:que viene|proxima|pasada)`
const inWeek = new RegExp(`^(?:on |the |el )?([a-z]+),? (?:(?:of|de|d') ?)?(?:the |la |l')?(${week})$`)
const weekday = new RegExp(
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
  if (named >= 0 && weekWords !== undefined) return listOf(plusDays(mondayOf(today), 7 * weekShift(weekWords) + named))
  const [, before, day = '', after] = weekday.exec(phrase) ?? []
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
    return listOf(wallInRange(wallMs(now) + count * (unit === 'hour' ? hour : hour / 60)))
  if (unit === 'day' || unit === 'week') return listOf(plusDays(today, count * (unit === 'week' ? 7 : 1)))
  const month = firstOfMonth(today, count * (unit === 'year' ? 12 : 1))
  if (month === undefined) return listOf(month)
  const day = dayText(month.slice(0, 4), month.slice(5, 7), today.slice(8))
  const expected = expectedDay(day)
  return expected === undefined ? [day] : { expected }
}
