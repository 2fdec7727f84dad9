import { isObject } from '../../base/text/json.ts'

/**
 * Events on the days of a calendar: what agendas, months and printed sheets share. Records as a site returns them come in; events
 * with the days they take up go out, and in which column or lane they stand. How that looks is in `terminal/` and `files/print/`.
 */

import { decodeEntities, sanitizeLine } from '../../base/text/escaping.ts'
import { dayAfter, daysThrough, readDate } from '../../base/time/dates.ts'
import type { Answer } from '../../contract/resource.ts'

/** A category of an event, by which it is coloured. */
export interface EventCategory {
  readonly id: number
  readonly name: string
}

/** An event as agendas and months show it: names on one line, without HTML entities and control characters. */
export interface DayEvent {
  readonly id: number
  readonly title: string
  /** Empty if there is none. */
  readonly venue: string
  readonly address: string
  readonly cost: string
  readonly categories: readonly EventCategory[]
  /** Undefined for what everybody sees. */
  readonly status: string | undefined
  readonly isAllDay: boolean
  /** `HH:MM`; both are the same for an event without an end. */
  readonly startTime: string
  readonly endTime: string
  readonly firstDay: string
  /** The last day on which the event is shown: a night belongs to the day on which it began. */
  readonly lastDay: string
  /** The day on which it ends. */
  readonly endDay: string
  /** The abbreviation of its time zone, if that is not the calendar's. */
  readonly zone: string | undefined
}

/** Days from one to another, both included. */
export interface DaySpan {
  readonly first: string
  readonly last: string
}

/** What ends by this hour of the next day is a night, not a second day. */
const nightEnds = '06:00'

/** An event, or undefined for a record without dates. */
export function dayEvent(record: Answer, siteZone?: string): DayEvent | undefined {
  const start = wallOf(record.start_date)
  if (!start) return undefined
  const end = wallOf(record.end_date) ?? start
  const isAllDay = record.all_day === true
  const { timezone, timezone_abbr: abbreviation, status } = record
  const isForeign = typeof timezone === 'string' && siteZone !== undefined && timezone !== siteZone
  return {
    id: record.id,
    title: text(record.title),
    venue: isObject(record.venue) ? text(record.venue.venue) : '',
    address: isObject(record.venue)
      ? [record.venue.address, record.venue.city].map(text).filter(Boolean).join(', ')
      : '',
    cost: text(record.cost),
    categories: [record.categories].flat().filter(isObject).map(category),
    status: status === undefined || status === 'publish' ? undefined : text(status),
    isAllDay,
    startTime: start.time,
    endTime: end.day < start.day ? start.time : end.time,
    firstDay: start.day,
    lastDay: lastDay(start, end, isAllDay),
    endDay: end.day,
    zone: isForeign && !isAllDay ? text(abbreviation) || text(timezone) : undefined,
  }
}

interface Wall {
  readonly day: string
  readonly time: string
}

function wallOf(value: unknown): Wall | undefined {
  const wall = typeof value === 'string' ? readDate(value)?.wall : undefined
  return wall === undefined ? undefined : { day: wall.slice(0, 10), time: wall.slice(11, 16) }
}

function lastDay(start: Wall, end: Wall, isAllDay: boolean): string {
  if (end.day <= start.day) return start.day
  const isNight = !isAllDay && end.day === dayAfter(start.day) && end.time <= nightEnds
  return isNight || end.time === '00:00' ? dayAfter(end.day, -1) : end.day
}

const text = (value: unknown): string =>
  typeof value === 'string' ? sanitizeLine(decodeEntities(value)).replace(/\s+/g, ' ').trim() : ''

const category = ({ id, name, slug }: Record<string, unknown>): EventCategory => ({
  id: typeof id === 'number' ? id : 0,
  name: text(name) || text(slug),
})

/** Whether an event is shown on more than one day. */
export const hasManyDays = ({ firstDay, lastDay }: DayEvent): boolean => firstDay !== lastDay

/** The part of an event in a range of days. A night that began on the day before the range is on the first day of it. */
export function daysWithin({ firstDay, lastDay, endDay, endTime }: DayEvent, { first, last }: DaySpan): DaySpan {
  const isNightBefore = lastDay < first && endDay === first && endTime > '00:00'
  if (isNightBefore) return { first, last: first }
  return { first: firstDay > first ? firstDay : first, last: lastDay < last ? lastDay : last }
}

/** The events of each day of a range that has any: first what began before or lasts the whole day, then by the hour. */
export function eventsByDay(events: readonly DayEvent[], range: DaySpan): Map<string, DayEvent[]> {
  const byDay = new Map<string, DayEvent[]>()
  for (const event of events) {
    const { first, last } = daysWithin(event, range)
    for (const day of daysThrough(first, last)) {
      const others = byDay.get(day)
      if (others) others.push(event)
      else byDay.set(day, [event])
    }
  }
  const days = [...byDay].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return new Map(days.map(([day, events]) => [day, events.toSorted((one, other) => compareOn(day, one, other))]))
}

/** By the hour, then in the order of the site. */
function compareOn(day: string, one: DayEvent, other: DayEvent): number {
  const [first, second] = [one, other].map(({ isAllDay, firstDay, startTime }) =>
    isAllDay || firstDay < day ? '' : startTime,
  )
  if (first === second) return 0
  return (first ?? '') < (second ?? '') ? -1 : 1
}
