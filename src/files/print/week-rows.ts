import { dayAfter, daysBetween, daysThrough } from '../../base/time/dates.ts'
import { weekStart } from '../../base/time/day-range.ts'
import { type DayEvent, type DaySpan, daysWithin, eventsByDay, hasManyDays } from './day-events.ts'

/** A week of a month: the days of the month in it, their events, and the events of many days as bars. */
export interface WeekRow {
  /** The seven days; undefined outside the range. */
  readonly days: readonly (string | undefined)[]
  /** The events of one day each, by weekday. */
  readonly events: readonly (readonly DayEvent[])[]
  /** Bars below each other; those in one lane do not touch. */
  readonly lanes: readonly (readonly Bar[])[]
}

/** An event of many days in a week, from one column to another, with 0 for the first. */
export interface Bar {
  readonly event: DayEvent
  readonly from: number
  readonly to: number
  /** Whether the event begins or ends in another week. */
  readonly beginsBefore: boolean
  readonly endsAfter: boolean
}

/** The weeks of a range of days, which begin as a locale has it. */
export function weekRows(events: readonly DayEvent[], range: DaySpan, locale: string): WeekRow[] {
  const short = eventsByDay(
    events.filter(event => !hasManyDays(event)),
    range,
  )
  const long = events.filter(hasManyDays)
  const start = weekStart(range.first, locale)
  const weeks = Math.floor(daysBetween(start, range.last) / 7) + 1
  return Array.from({ length: weeks }, (_, index) => {
    const first = dayAfter(start, index * 7)
    const week = daysThrough(first, dayAfter(first, 6))
    const days = week.map(day => (day < range.first || day > range.last ? undefined : day))
    return {
      days,
      events: week.map(day => short.get(day) ?? []),
      lanes: lanesOf(
        long,
        days.filter(day => day !== undefined),
        first,
      ),
    }
  })
}

function lanesOf(events: readonly DayEvent[], days: readonly string[], start: string): Bar[][] {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const bars = events
    .filter(event => event.firstDay <= last && event.lastDay >= first)
    .map(event => barOf(event, { first, last }, start))
    // Long bars on top, so that they stay in one lane over the weeks.
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  const lanes: Bar[][] = []
  for (const bar of bars) {
    const lane = lanes.find(others => others.every(other => other.to < bar.from || other.from > bar.to))
    if (lane) lane.push(bar)
    else lanes.push([bar])
  }
  return lanes
}

function barOf(event: DayEvent, range: DaySpan, start: string): Bar {
  const { first, last } = daysWithin(event, range)
  return {
    event,
    from: daysBetween(start, first),
    to: daysBetween(start, last),
    beginsBefore: event.firstDay < first,
    endsAfter: event.lastDay > last,
  }
}
