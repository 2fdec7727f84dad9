import { excluding, Failure } from '../../failure.ts'
import { readDate } from '../../time/dates.ts'
import { type DayRange, monthOf, weekendOf, weekOf } from '../../time/day-range.ts'
import { readDay, readMonth, readWeek, type TypedDay } from '../../time/typed-dates.ts'
import { type DayOptions, dayFlag, daysGiven } from './day-options.ts'

/**
 * The days that the options ask for; undefined if they ask for none. `now` gives the wall time that relative days count from, and is
 * called only for those. Weeks begin as in the locale, like those of a month that is drawn.
 */
export async function readDays(
  options: DayOptions,
  now: () => Promise<string>,
  locale: string,
): Promise<DayRange | undefined> {
  const given = daysGiven(options)
  const [one, other] = given
  if (one === undefined) return undefined
  const isSpan = given.every(name => name === 'from' || name === 'to')
  if (other !== undefined && !isSpan) throw excluding(dayFlag[one], dayFlag[other])
  const isFixed = given.every(name => readDate(String(options[name])))
  const wall = isFixed ? '' : await now()
  return isSpan ? spanOf(options, wall) : rangeOf(one, options[one], wall, locale)
}

function spanOf({ from, to }: DayOptions, now: string): DayRange {
  const first = from === undefined ? undefined : checked('from', readDay(from, now), from)
  const last = to === undefined ? undefined : checked('to', readDay(to, now), to)
  if (first !== undefined && last !== undefined && last < first)
    throw new Failure('usage', `--to ${last} is before --from ${first}`, {
      hint: 'swap them, or leave one of them out',
    })
  return { first, last }
}

function rangeOf(name: keyof DayOptions, text: string | true | undefined, now: string, locale: string): DayRange {
  const today = now.slice(0, 10)
  if (name === 'month') return monthOf(typeof text === 'string' ? checked(name, readMonth(text, now), text) : today)
  const read = name === 'week' ? readWeek : readDay
  const day = typeof text === 'string' ? checked(name, read(text, now), text) : today
  if (name === 'week') return weekOf(day, locale)
  return name === 'weekend' ? weekendOf(day) : { first: day, last: day }
}

function checked(name: keyof DayOptions, typed: TypedDay, text: string): string {
  if (typed.ok) return typed.day
  const other = flagForPeriod(text)
  const hint = other === undefined || other === name ? typed.hint : `for more than a day, use ${dayFlag[other]}`
  throw new Failure('usage', `${dayFlag[name]}: ${typed.message}`, { hint })
}

/** The option for a text that names a week, a weekend or a month, and no day. */
function flagForPeriod(text: string): keyof DayOptions | undefined {
  if (/weekend|cap de setmana|fin de semana/i.test(text)) return 'weekend'
  if (/week|setmana|semana/i.test(text)) return 'week'
  const anyTime = '2026-01-01 00:00:00'
  const isMonth = /\D/.test(text) && readMonth(text, anyTime).ok && !readDay(text, anyTime).ok
  return isMonth || /\b(month|mes)\b/i.test(text) ? 'month' : undefined
}
