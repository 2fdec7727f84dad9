import type { Frequency, RuleParts, Weekday } from './rule-parts.ts'

/**
 * The dates of a rule, as milliseconds of wall times read as if they were UTC, where clocks never change. A rule is a sequence of
 * periods, every INTERVALth year, month, week and so on; the parts of the rule choose the dates of each period, BYSETPOS chooses
 * among those, and what lies before the start is left out. Begins with the period of `from`, if that is later than `start`, and
 * ends with the one of `to`.
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

/** The end of the year 9999, beyond which no date can be written. */
const lastDate = Date.UTC(9999, 11, 31, 23, 59, 59)

export const isWithinDay = (frequency: Frequency): boolean => Object.hasOwn(stepMs, frequency)

/** RFC 5545, 3.3.10: what a rule does not say follows from the start. */
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
 * The period from which INTERVAL counts: that of the start. As in libical, a start in a week of another year counts for that year
 * only if the rule chooses it.
 */
function firstPeriod({ byWeekNo, interval }: RuleParts, days: Days, start: number): number {
  const index = days.indexOf(start)
  if (!byWeekNo || interval === 1 || days.has(start - (start % day))) return index
  return new Date(start).getUTCFullYear()
}

/** The times of a day that a rule chooses, in ms since midnight. */
function timesOfDay({ byHour = [], byMinute = [], bySecond = [] }: RuleParts): number[] {
  const times = byHour.flatMap(hours =>
    byMinute.flatMap(minutes => secondsOf(bySecond).map(seconds => hours * hour + minutes * minute + seconds * second)),
  )
  return times.toSorted((one, other) => one - other)
}

/** A leap second is read as the second before it. */
const secondsOf = (bySecond: readonly number[]): number[] => [
  ...new Set(bySecond.map(seconds => Math.min(seconds, 59))),
]

const stepMs: Readonly<Partial<Record<Frequency, number>>> = { HOURLY: hour, MINUTELY: minute, SECONDLY: second }

/** Hours, minutes or seconds in a row that a rule does not choose: `INTERVAL=2;BYSECOND=1` from an even second never has one. */
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
      if (length > second || !rule.bySecond || rule.bySecond.includes(wall.getUTCSeconds())) {
        yield within.map(time => period + time)
        tried = 0
      }
      period += step
    }
  }
}

/** The times within an hour or a minute that a rule chooses, in ms since its beginning. */
function timesWithin({ frequency, byMinute, bySecond }: RuleParts, start: number): number[] {
  const date = new Date(start)
  if (frequency === 'SECONDLY') return [0]
  const seconds = secondsOf(bySecond ?? [date.getUTCSeconds()])
  const minutes = frequency === 'HOURLY' ? (byMinute ?? [date.getUTCMinutes()]) : [0]
  return minutes.flatMap(minutes => seconds.map(seconds => minutes * minute + seconds * second))
}

/** Counted among all dates of a period, from its beginning or its end. */
function choosePositions(dates: number[], positions: readonly number[] | undefined): number[] {
  if (!positions) return dates
  const chosen = positions.flatMap(position => dates[position > 0 ? position - 1 : dates.length + position] ?? [])
  return [...new Set(chosen)].toSorted((one, other) => one - other)
}

interface Days {
  /** The number of the period that has this moment. */
  indexOf(ms: number): number
  /** The first day of a period. */
  startOf(index: number): number
  /** Whether a rule chooses a day, given as its first moment. */
  has(date: number): boolean
  /** The day after; where the rule has no day in this month, the next month. */
  next(date: number): number
}

/** The days of a rule. Years of rules with BYWEEKNO begin with their first week. */
function createDays(rule: RuleParts): Days {
  const { frequency, weekStart, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule
  const weekdays = byDay && createWeekdays(byDay, frequency === 'MONTHLY' || byMonth !== undefined)
  const weekOf = (ms: number): number => Math.floor((ms / day + 4 - weekStart) / 7)
  const startOfWeek = (week: number): number => (week * 7 - 4 + weekStart) * day
  // Week 1 has at least four days of the year, the 4th of January among them.
  const startOfWeekYear = (year: number): number => startOfWeek(weekOf(startOfYear(year) + 3 * day))
  const weekYearOf = (ms: number): number => {
    const year = new Date(ms).getUTCFullYear()
    if (ms < startOfWeekYear(year)) return year - 1
    return ms < startOfWeekYear(year + 1) ? year : year + 1
  }
  const hasWeek = (date: number): boolean => {
    const year = weekYearOf(date)
    const week = weekOf(date) - weekOf(startOfWeekYear(year))
    const weeks = weekOf(startOfWeekYear(year + 1)) - weekOf(startOfWeekYear(year))
    return hasPosition(byWeekNo, week, weeks)
  }
  const hasDay = (date: number): boolean => {
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
  const next = (date: number): number => {
    const wall = new Date(date)
    const isMonth = byMonth === undefined || byMonth.includes(wall.getUTCMonth() + 1)
    return isMonth ? date + day : startOfMonth(wall.getUTCFullYear(), wall.getUTCMonth() + 1)
  }
  const shared = { has: hasDay, next }
  if (byWeekNo) return { ...shared, indexOf: weekYearOf, startOf: startOfWeekYear }
  if (frequency === 'YEARLY') return { ...shared, indexOf: ms => new Date(ms).getUTCFullYear(), startOf: startOfYear }
  if (frequency === 'MONTHLY')
    return {
      ...shared,
      indexOf: ms => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth(),
      startOf: index => startOfMonth(Math.floor(index / 12), index % 12),
    }
  if (frequency === 'WEEKLY') return { ...shared, indexOf: weekOf, startOf: startOfWeek }
  return { ...shared, indexOf: ms => Math.floor(ms / day), startOf: index => index * day }
}

/** Whether a list has the `index`th of `size` things, counted from 1 or, with a minus, from the end. */
const hasPosition = (list: readonly number[] | undefined, index: number, size: number): boolean =>
  list !== undefined && (list.includes(index + 1) || list.includes(index - size))

/** Whether a day is one of these weekdays; those with ordinals are counted in the month or in the year. */
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

/** Date.UTC takes the years 0 to 99 for 1900 to 1999. */
const startOfMonth = (year: number, month: number): number =>
  year > 99 ? Date.UTC(year, month) : new Date(0).setUTCFullYear(year, month, 1)
