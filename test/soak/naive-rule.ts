/**
 * Expands a rule by trying every second, minute, hour or day: slow, and written from the table of RFC 5545, 3.3.10, alone, as a
 * witness of src/files/icalendar/rrule.ts. A day or a time is chosen if each part of the rule has it; what a rule does not say
 * follows from its start.
 */
export function naiveDates(start: string, rule: string, until: string): string[] {
  const parts = new Map(rule.split(';').map(part => part.split('=') as [string, string]))
  const frequency = parts.get('FREQ') ?? ''
  const begin = new Date(`${start.replace(' ', 'T')}Z`)
  const end = new Date(`${until}T23:59:59Z`)
  const weekStart = weekdays.indexOf(parts.get('WKST') ?? 'MO')
  fillIn(parts, frequency, begin)
  const periods = new Map<number, string[]>()
  const first = periodOf(begin, frequency, weekStart, parts.has('BYWEEKNO'))
  // Whole periods, for BYSETPOS.
  const around = { YEARLY: 380, MONTHLY: 31, WEEKLY: 7 }[frequency] ?? 0
  const last = plusDays(end, around)
  for (let day = plusDays(midnight(begin), -around); day <= last; day = plusDays(day, 1)) {
    if (!isChosenDay(day, parts, frequency, weekStart)) continue
    for (const moment of momentsOf(day, parts)) {
      const period = periodOf(moment, frequency, weekStart, parts.has('BYWEEKNO'))
      if ((period - first) % Number(parts.get('INTERVAL') ?? 1) !== 0) continue
      const dates = periods.get(period) ?? []
      periods.set(period, dates)
      dates.push(textOf(moment))
    }
  }
  const dates = [...periods.values()].flatMap(period => positionsOf(period, parts.get('BYSETPOS')))
  return dates.filter(date => date >= start && date <= `${until} 23:59:59`)
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

const textOf = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

const midnight = (date: Date): Date => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))

const plusDays = (date: Date, days: number): Date => new Date(date.getTime() + days * 86_400_000)

/** "Information, not contained in the rule, necessary to determine the various recurrence instance start time and dates". */
function fillIn(parts: Map<string, string>, frequency: string, begin: Date): void {
  const has = (...names: string[]) => names.some(name => parts.has(name))
  const set = (name: string, value: number | string) => void (has(name) || parts.set(name, String(value)))
  const rank = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].indexOf(frequency)
  const saysDay = has('BYDAY', 'BYMONTHDAY', 'BYYEARDAY')
  if (rank > 0) set('BYSECOND', begin.getUTCSeconds())
  if (rank > 1) set('BYMINUTE', begin.getUTCMinutes())
  if (rank > 2) set('BYHOUR', begin.getUTCHours())
  if (saysDay) return
  if (rank === 4 || has('BYWEEKNO')) set('BYDAY', weekdays[begin.getUTCDay()] ?? '')
  else if (rank > 4) {
    set('BYMONTHDAY', begin.getUTCDate())
    if (rank === 6) set('BYMONTH', begin.getUTCMonth() + 1)
  }
}

/** The number of the period of a moment. */
function periodOf(moment: Date, frequency: string, weekStart: number, hasWeeks: boolean): number {
  const seconds = moment.getTime() / 1000
  if (frequency === 'YEARLY') return hasWeeks ? weekOf(moment, weekStart).year : moment.getUTCFullYear()
  if (frequency === 'MONTHLY') return moment.getUTCFullYear() * 12 + moment.getUTCMonth()
  if (frequency === 'WEEKLY') return Math.floor(firstOfWeek(moment, weekStart).getTime() / (7 * 86_400_000))
  return Math.floor(seconds / ({ DAILY: 86_400, HOURLY: 3600, MINUTELY: 60 }[frequency] ?? 1))
}

function firstOfWeek(date: Date, weekStart: number): Date {
  let day = midnight(date)
  while (day.getUTCDay() !== weekStart) day = plusDays(day, -1)
  return day
}

/** "Week number one of the calendar year is the first week that contains at least four (4) days in that calendar year." */
function weekOf(date: Date, weekStart: number): { year: number; week: number; weeks: number } {
  const firstWeekOf = (year: number): Date => {
    const first = firstOfWeek(new Date(Date.UTC(year, 0, 1)), weekStart)
    const days = [0, 1, 2, 3, 4, 5, 6].filter(n => plusDays(first, n).getUTCFullYear() === year).length
    return days >= 4 ? first : plusDays(first, 7)
  }
  const year = [1, 0, -1].map(n => date.getUTCFullYear() + n).find(each => firstWeekOf(each) <= date) ?? 0
  const weeksTo = (day: Date) => Math.floor((day.getTime() - firstWeekOf(year).getTime()) / (7 * 86_400_000))
  return { year, week: weeksTo(date) + 1, weeks: weeksTo(firstWeekOf(year + 1)) }
}

function isChosenDay(day: Date, parts: Map<string, string>, frequency: string, weekStart: number): boolean {
  const has = (name: string, ...values: number[]): boolean => {
    const wanted = parts.get(name)?.split(',').map(Number)
    return wanted === undefined || wanted.some(value => values.includes(value))
  }
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
  const daysOfMonth = daysFrom(new Date(Date.UTC(year, month, 1)), new Date(Date.UTC(year, month + 1, 1)))
  const daysOfYear = daysFrom(new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1)))
  const both = (days: readonly Day[]): [number, number] => {
    const position = days.findIndex(({ ms }) => ms === day.getTime())
    return [position + 1, position - days.length]
  }
  if (!has('BYMONTH', month + 1)) return false
  if (!has('BYMONTHDAY', ...both(daysOfMonth))) return false
  if (!has('BYYEARDAY', ...both(daysOfYear))) return false
  const wantedDays = parts.get('BYDAY')?.split(',')
  if (wantedDays) {
    const days = frequency === 'MONTHLY' || parts.has('BYMONTH') ? daysOfMonth : daysOfYear
    const sameDays = days.filter(({ weekday }) => weekday === day.getUTCDay())
    const names = ['', ...both(sameDays)].map(ordinal => `${ordinal}${weekdays[day.getUTCDay()]}`)
    if (!wantedDays.some(wanted => names.includes(wanted))) return false
  }
  if (!parts.has('BYWEEKNO')) return true
  const { week, weeks } = weekOf(day, weekStart)
  return has('BYWEEKNO', week, week - weeks - 1)
}

/** The days of a month or a year, with their weekdays. */
const daysByRange = new Map<string, Day[]>()

interface Day {
  readonly ms: number
  readonly weekday: number
}

function daysFrom(first: Date, next: Date): readonly Day[] {
  const key = `${first.getTime()} ${next.getTime()}`
  const known = daysByRange.get(key)
  if (known) return known
  const days: Day[] = []
  for (let day = first; day < next; day = plusDays(day, 1)) days.push({ ms: day.getTime(), weekday: day.getUTCDay() })
  daysByRange.set(key, days)
  return days
}

/** The moments of a day that the parts for hours, minutes and seconds choose; without one, all of them. */
function momentsOf(day: Date, parts: Map<string, string>): Date[] {
  const numbers = (name: string, size: number): number[] => {
    const wanted = parts.get(name)?.split(',').map(Number)
    return Array.from({ length: size }, (_, n) => n).filter(n => wanted?.includes(n) ?? true)
  }
  const [minutes, seconds] = [numbers('BYMINUTE', 60), numbers('BYSECOND', 60)]
  return numbers('BYHOUR', 24).flatMap(hour =>
    minutes.flatMap(minute =>
      seconds.map(second => new Date(day.getTime() + ((hour * 60 + minute) * 60 + second) * 1000)),
    ),
  )
}

/** BYSETPOS: "the nth occurrence within the set of recurrence instances specified by the rule". */
function positionsOf(dates: readonly string[], positions: string | undefined): string[] {
  if (positions === undefined) return [...dates]
  const wanted = positions.split(',').map(Number)
  return dates.filter((_, n) => wanted.includes(n + 1) || wanted.includes(n - dates.length))
}
