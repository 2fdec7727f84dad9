import { readDate } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import { invalidRule } from './invalid-property.ts'

/**
 * The dates of a rule, in milliseconds, as wall times read as if they were UTC, where clocks never change. A rule is a sequence of periods:
 * every INTERVALth year, month, week and so on. Its parts choose the dates in each period, BYSETPOS chooses among these, and dates before
 * the start are left out. Begins with the period of `from`, if that is later than `start`, and ends with the period of `to`.
 */
export function* datesOf(
  rule: RuleParts,
  start: number,
  { from = start, to = lastDate }: { from?: number; to?: number } = {},
): Generator<number> {
  const bounds = { start, from: Math.max(from, start), to: Math.min(to, lastDate) }
  const periods = isWithinDay(rule.frequency) ? shortPeriods(rule, bounds) : longPeriods(withStart(rule, start), bounds)
  for (const dates of periods)
    for (const date of choosePositions(dates, rule.bySetPos)) if (date >= start && date <= lastDate) yield date
}

interface Bounds {
  readonly start: number
  readonly from: number
  readonly to: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The end of the year 9999: later dates cannot be written. */
const lastDate = Date.UTC(9999, 11, 31, 23, 59, 59)

export const isWithinDay = (frequency: Frequency): boolean => Object.hasOwn(stepMs, frequency)

/** RFC 5545, 3.3.10: what a rule leaves out follows from the start. */
function withStart(rule: RuleParts, start: number): RuleParts {
  const { frequency, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule
  const date = new Date(start)
  const saysDay = (byYearDay ?? byMonthDay ?? byDay) !== undefined
  const dayOfMonth = { byMonthDay: [date.getUTCDate()] }
  const weekday = { byDay: [{ ordinal: 0, weekday: date.getUTCDay() }] }
  const times = {
    byHour: rule.byHour ?? [date.getUTCHours()],
    byMinute: rule.byMinute ?? [date.getUTCMinutes()],
    bySecond: rule.bySecond ?? [date.getUTCSeconds()],
  }
  if (saysDay || frequency === 'DAILY') return { ...rule, ...times }
  if (frequency === 'WEEKLY' || byWeekNo) return { ...rule, ...times, ...weekday }
  if (frequency === 'MONTHLY') return { ...rule, ...times, ...dayOfMonth }
  return { ...rule, ...times, ...dayOfMonth, byMonth: byMonth ?? [date.getUTCMonth() + 1] }
}

/** The dates of each period of a day or longer. */
function* longPeriods(rule: RuleParts, { start, from, to }: Bounds): Generator<number[]> {
  const days = createDays(rule)
  const times = timesOfDay(rule)
  const first = firstPeriod(rule, days, start)
  const skipped = Math.max(0, Math.floor((days.indexOf(from) - first) / rule.interval))
  for (let index = first + skipped * rule.interval; days.startOf(index) <= to; index += rule.interval) {
    const dates: number[] = []
    const end = days.startOf(index + 1)
    for (let date = days.startOf(index); date < end; date = days.next(date))
      if (days.has(date)) for (const time of times) dates.push(date + time)
    if (dates.length > 0) yield dates
  }
}

/**
 * The period from which INTERVAL counts: that of the start. As in libical, a start in a week of another year counts for that year only if
 * the rule chooses the week.
 */
function firstPeriod({ byWeekNo, interval }: RuleParts, days: Days, start: number): number {
  const index = days.indexOf(start)
  if (!byWeekNo || interval === 1 || days.has(start - (start % day))) return index
  return yearOf(start)
}

/** The times of a day that a rule chooses, in ms after midnight. */
function timesOfDay({ byHour = [], byMinute = [], bySecond = [] }: RuleParts): number[] {
  const times = byHour.flatMap(hours =>
    byMinute.flatMap(minutes => secondsOf(bySecond).map(seconds => hours * hour + minutes * minute + seconds * second)),
  )
  return sorted(times)
}

/** A leap second is read as the second before it. */
const secondsOf = (bySecond: readonly number[]): number[] => sorted(bySecond.map(seconds => Math.min(seconds, 59)))

const stepMs: Readonly<Partial<Record<Frequency, number>>> = { HOURLY: hour, MINUTELY: minute, SECONDLY: second }

/** How many periods in a row may have no date: `INTERVAL=2;BYSECOND=1` from an even second never has one. */
const maxTried = 500_000

/** The dates of each hour, minute or second. */
function* shortPeriods(rule: RuleParts, { start, from, to }: Bounds): Generator<number[]> {
  const length = stepMs[rule.frequency] ?? second
  const step = length * rule.interval
  const days = createDays(rule)
  const first = start - (start % length)
  const nextAfter = (moment: number): number => first + Math.ceil((moment - first) / step) * step
  const within = timesWithin(rule, start)
  if (rule.bySetPos?.every(position => Math.abs(position) > within.length)) return
  const isChosen = (seconds: number) => length > second || rule.bySecond?.includes(seconds) !== false
  let period = nextAfter(Math.max(first, from - step))
  for (let tried = 0; period <= to && tried < maxTried; tried += 1) {
    const wall = new Date(period)
    const dayStart = period - (period % day)
    const [hours, minutes] = [wall.getUTCHours(), wall.getUTCMinutes()]
    if (!days.has(dayStart)) period = nextAfter(dayStart + day)
    else if (rule.byHour?.includes(hours) === false) period = nextAfter(dayStart + (hours + 1) * hour)
    else if (length < hour && rule.byMinute?.includes(minutes) === false)
      period = nextAfter(dayStart + hours * hour + (minutes + 1) * minute)
    else {
      if (isChosen(wall.getUTCSeconds())) {
        yield within.map(time => period + time)
        tried = 0
      }
      period += step
    }
  }
}

/** The times within an hour or a minute that a rule chooses, in ms after its beginning. */
function timesWithin({ frequency, byMinute, bySecond }: RuleParts, start: number): number[] {
  const date = new Date(start)
  if (frequency === 'SECONDLY') return [0]
  const seconds = secondsOf(bySecond ?? [date.getUTCSeconds()])
  const minutes = frequency === 'HOURLY' ? (byMinute ?? [date.getUTCMinutes()]) : [0]
  return minutes.flatMap(minutes => seconds.map(seconds => minutes * minute + seconds * second))
}

/** The dates at these positions among all dates of a period, counted from its beginning or its end. */
function choosePositions(dates: number[], positions: readonly number[] | undefined): number[] {
  if (!positions) return dates
  const chosen = positions.flatMap(position => dates[position > 0 ? position - 1 : dates.length + position] ?? [])
  return sorted(chosen)
}

/** Numbers in order, each once. */
const sorted = (list: readonly number[]): number[] => [...new Set(list)].toSorted((one, other) => one - other)

/** The days that a rule chooses. For rules with BYWEEKNO, years begin with their first week. */
function createDays(rule: RuleParts) {
  const { frequency, weekStart, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule
  const weekdays = byDay && createWeekdays(byDay, frequency === 'MONTHLY' || byMonth !== undefined)
  const weekOf = (ms: number): number => Math.floor((ms / day + 4 - weekStart) / 7)
  const startOfWeek = (week: number): number => (week * 7 - 4 + weekStart) * day
  // Week 1 has at least four days of the year, so it contains 4 January.
  const startOfWeekYear = (year: number): number => startOfWeek(weekOf(startOfYear(year) + 3 * day))
  const weekYearOf = (ms: number): number => {
    const year = yearOf(ms)
    if (ms < startOfWeekYear(year)) return year - 1
    return ms < startOfWeekYear(year + 1) ? year : year + 1
  }
  const hasWeek = (date: number): boolean => {
    const year = weekYearOf(date)
    const week = weekOf(date) - weekOf(startOfWeekYear(year))
    const weeks = weekOf(startOfWeekYear(year + 1)) - weekOf(startOfWeekYear(year))
    return hasPosition(byWeekNo, week, weeks)
  }
  /** Whether a rule chooses a day, given as its first moment. */
  const has = (date: number): boolean => {
    const wall = new Date(date)
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()]
    if (byMonth && !byMonth.includes(month + 1)) return false
    if (
      byMonthDay &&
      !hasPosition(byMonthDay, wall.getUTCDate() - 1, daysIn(startOfMonth(year, month), startOfMonth(year, month + 1)))
    )
      return false
    if (weekdays && !weekdays(wall)) return false
    if (byYearDay) {
      const first = startOfYear(year)
      if (!hasPosition(byYearDay, (date - first) / day, daysIn(first, startOfYear(year + 1)))) return false
    }
    return !byWeekNo || hasWeek(date)
  }
  /** The next day; if the rule has no day in this month, the first day of the next month. */
  const next = (date: number): number => {
    const wall = new Date(date)
    const isMonth = byMonth === undefined || byMonth.includes(wall.getUTCMonth() + 1)
    return isMonth ? date + day : startOfMonth(wall.getUTCFullYear(), wall.getUTCMonth() + 1)
  }
  const years: Periods = byWeekNo
    ? { indexOf: weekYearOf, startOf: startOfWeekYear }
    : { indexOf: yearOf, startOf: startOfYear }
  const weeks: Periods = { indexOf: weekOf, startOf: startOfWeek }
  const periods: Partial<Record<Frequency, Periods>> = { YEARLY: years, MONTHLY: months, WEEKLY: weeks }
  return { has, next, ...(periods[frequency] ?? singleDays) }
}

type Days = ReturnType<typeof createDays>

interface Periods {
  /** The number of the period that contains this moment. */
  readonly indexOf: (ms: number) => number
  /** The first day of a period. */
  readonly startOf: (index: number) => number
}

const months: Periods = {
  indexOf: ms => yearOf(ms) * 12 + new Date(ms).getUTCMonth(),
  startOf: index => startOfMonth(Math.floor(index / 12), index % 12),
}

const singleDays: Periods = { indexOf: ms => Math.floor(ms / day), startOf: index => index * day }

const yearOf = (ms: number): number => new Date(ms).getUTCFullYear()

/** Whether a list contains the `index`th of `size` things, counted from 1 or, if negative, from the end. */
const hasPosition = (list: readonly number[] | undefined, index: number, size: number): boolean =>
  list !== undefined && (list.includes(index + 1) || list.includes(index - size))

/** Whether a day is one of these weekdays; ordinals are counted in the month or in the year. */
function createWeekdays(byDay: readonly Weekday[], isInMonth: boolean): (wall: Date) => boolean {
  const every = new Set(byDay.flatMap(({ ordinal, weekday }) => (ordinal === 0 ? weekday : [])))
  const counted = byDay.filter(({ ordinal }) => ordinal !== 0)
  return wall => {
    const weekday = wall.getUTCDay()
    if (every.has(weekday)) return true
    const wanted = counted.filter(each => each.weekday === weekday).map(({ ordinal }) => ordinal)
    if (wanted.length === 0) return false
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()]
    const first = isInMonth ? startOfMonth(year, month) : startOfYear(year)
    const next = isInMonth ? startOfMonth(year, month + 1) : startOfYear(year + 1)
    const before = Math.floor(daysIn(first, wall.getTime()) / 7)
    const after = Math.floor((daysIn(wall.getTime(), next) - 1) / 7)
    return wanted.includes(before + 1) || wanted.includes(-after - 1)
  }
}

const daysIn = (from: number, to: number): number => Math.round((to - from) / day)

const startOfYear = (year: number): number => startOfMonth(year, 0)

/** Date.UTC reads the years 0 to 99 as 1900 to 1999. */
const startOfMonth = (year: number, month: number): number =>
  year > 99 ? Date.UTC(year, month) : new Date(0).setUTCFullYear(year, month, 1)

const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const

type Frequency = (typeof frequencies)[number]

/** `-1SU` is the last Sunday of a period; the ordinal 0 means every Sunday. Sunday is 0. */
interface Weekday {
  readonly ordinal: number
  readonly weekday: number
}

type NumberList = 'byMonth' | 'byWeekNo' | 'byYearDay' | 'byMonthDay' | 'byHour' | 'byMinute' | 'bySecond' | 'bySetPos'

/** The parts of a recurrence rule (RFC 5545, 3.3.10). Missing lists are undefined. */
export interface RuleParts extends Readonly<Partial<Record<NumberList, readonly number[]>>> {
  readonly frequency: Frequency
  readonly interval: number
  readonly count?: number
  /** A wall time. */
  readonly until?: { readonly wall: string; readonly isUtc: boolean }
  readonly weekStart: number
  readonly byDay?: readonly Weekday[]
}

const aRule = (): string => phrase('a rule such as {example}', { example: 'FREQ=WEEKLY;COUNT=10' })

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Parses a rule. Throws `InvalidProperty`. */
export function parseRule(rule: string): RuleParts {
  const read: Partial<RuleParts> = {}
  for (const [name, value] of namedParts(rule)) {
    const [field, reader, expected] = readers.get(name) ?? []
    const parsed = reader?.(value)
    if (parsed === undefined)
      throw invalidRule(phrase('{name} to be {expected}', { name, expected: expected?.() ?? '' }), rule)
    Object.assign(read, { [field ?? '']: parsed })
  }
  return checked({ frequency: 'YEARLY', interval: 1, weekStart: 1, ...read }, rule)
}

/** The parts of a rule by name; throws for unknown and repeated names. */
function namedParts(rule: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>()
  const written = rule.toUpperCase().replace(/^\s*RRULE:|\s/g, '')
  for (const part of written.split(';')) {
    if (part === '') continue
    const [name = '', value = '', ...rest] = part.split('=')
    if (name === '' || value === '' || rest.length > 0) throw invalidRule(aRule(), rule)
    if (parts.has(name)) throw invalidRule(phrase('{name} only once', { name }), rule)
    if (!readers.has(name))
      throw invalidRule(phrase('a rule without {name}, which is not part of RFC 5545', { name }), rule)
    parts.set(name, value)
  }
  if (!parts.has('FREQ')) throw invalidRule(aRule(), rule)
  return parts
}

/** Refuses rules that programs read in different ways. */
function checked(parts: RuleParts, rule: string): RuleParts {
  const { frequency, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = parts
  const hasOnlyDaysOfMonth = byMonthDay !== undefined && (byMonth ?? byWeekNo ?? byYearDay ?? byDay) === undefined
  if (frequency === 'YEARLY' && hasOnlyDaysOfMonth)
    throw invalidRule(phrase('BYMONTH next to BYMONTHDAY, as programs disagree about the months'), rule)
  if (byWeekNo !== undefined && frequency !== 'YEARLY')
    throw invalidRule(phrase('BYWEEKNO only with FREQ=YEARLY'), rule)
  const hasOrdinals = byDay?.some(({ ordinal }) => ordinal !== 0)
  if (hasOrdinals && (byWeekNo !== undefined || (frequency !== 'YEARLY' && frequency !== 'MONTHLY')))
    throw invalidRule(
      byWeekNo
        ? phrase('BYDAY without numbers in a rule with BYWEEKNO')
        : phrase('BYDAY without numbers in a rule that is {frequency}', { frequency }),
      rule,
    )
  return parts
}

type Reader = (value: string) => unknown

const positive: Reader = value => (/^\+?0*[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined)

/** A list of whole numbers from `least` to `most`; negative ones are allowed if `isSigned`. */
const numbers =
  (least: number, most: number, isSigned = false): Reader =>
  value => {
    const list = itemsOf(value)
    const isValid = list.every(item => {
      const size = Number(item.replace(/^[+-]/, ''))
      return /^[+-]?\d+$/.test(item) && size >= least && size <= most && (isSigned || !item.startsWith('-'))
    })
    return isValid && list.length > 0 ? sorted(list.map(Number)) : undefined
  }

const itemsOf = (value: string): string[] => value.split(',').filter(Boolean)

const readWeekday: Reader = value => {
  const weekday = weekdays.indexOf(value)
  return weekday === -1 ? undefined : weekday
}

const readWeekdays: Reader = value => {
  const list = itemsOf(value).map(item => {
    const [, ordinal = '', name = ''] = /^([+-]?0*(?:[1-9]|[1-4]\d|5[0-3]))?([A-Z]{2})$/.exec(item) ?? []
    return { ordinal: Number(ordinal), weekday: weekdays.indexOf(name) }
  })
  return list.length > 0 && list.every(({ weekday }) => weekday !== -1) ? list : undefined
}

/** A day includes all of its times. */
const readUntil: Reader = text => {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})(Z?))?$/.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute = '59', second = '59', utc] = match
  const wall = readDate(`${year}-${month}-${day} ${hour ?? '23'}:${minute}:${second}`)?.wall
  return wall === undefined ? undefined : { wall, isUtc: utc === 'Z' }
}

const oneOf = (choices: readonly string[]): string => phrase('one of {choices}', { choices: choices.join(', ') })

/** For each part: its property, its reader, and the expected values. */
const readers = new Map<string, readonly [keyof RuleParts, Reader, () => string]>([
  ['FREQ', ['frequency', value => frequencies.find(name => name === value), () => oneOf(frequencies)]],
  ['INTERVAL', ['interval', positive, () => phrase('1 or more')]],
  ['COUNT', ['count', positive, () => phrase('1 or more')]],
  ['UNTIL', ['until', readUntil, () => phrase('a date such as {example}', { example: '20271231' })]],
  ['WKST', ['weekStart', readWeekday, () => oneOf(weekdays)]],
  ['BYMONTH', ['byMonth', numbers(1, 12), () => phrase('months from 1 to 12')]],
  ['BYWEEKNO', ['byWeekNo', numbers(1, 53, true), () => phrase('weeks from 1 to 53 or -53 to -1')]],
  ['BYYEARDAY', ['byYearDay', numbers(1, 366, true), () => phrase('days from 1 to 366 or -366 to -1')]],
  ['BYMONTHDAY', ['byMonthDay', numbers(1, 31, true), () => phrase('days from 1 to 31 or -31 to -1')]],
  ['BYDAY', ['byDay', readWeekdays, () => phrase('weekdays such as MO or -1SU')]],
  ['BYHOUR', ['byHour', numbers(0, 23), () => phrase('hours from 0 to 23')]],
  ['BYMINUTE', ['byMinute', numbers(0, 59), () => phrase('minutes from 0 to 59')]],
  ['BYSECOND', ['bySecond', numbers(0, 60), () => phrase('seconds from 0 to 60')]],
  ['BYSETPOS', ['bySetPos', numbers(1, 1_000_000, true), () => phrase('positions such as 1 or -1')]],
])
