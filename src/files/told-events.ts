import { usage } from '../base/failure.ts'
import { grouped } from '../base/groups.ts'
import { momentOf, msWall, readDate } from '../base/time/dates.ts'
import { fromUtc } from '../base/time/zone.ts'
import { phrase } from '../base/words/phrase.ts'
import { resourceNamed } from '../contract/contract.ts'
import { recordsNoun } from '../contract/resource-words.ts'
import { feedSlug } from './icalendar/event-visibility.ts'
import type { FileReading } from './records/file-reading.ts'
import type { FileRecord } from './records/file-record.ts'

/** An event as a page or open data tells it. Its texts are those of the other program; undefined is what it does not say. */
export interface ToldEvent {
  /** What the other program calls it by. */
  readonly uid: string
  /** Whether several events have this UID, even if there is only one now. */
  readonly isOneOfSeveral?: boolean
  readonly start: string | undefined
  readonly end: string | undefined
  /** The zone of its times, if they have no offset. */
  readonly zone?: string | undefined
  readonly isCancelled?: boolean
  /** Values of its other fields. */
  readonly values: Readonly<Record<string, unknown>>
  readonly place: string
}

/** Refuses to read events as records of another kind. */
export function checkResource({ name, resource }: FileReading): void {
  if (resource !== undefined && resource !== 'events')
    throw usage(
      phrase('{file} has events, not {records}', { file: name, records: recordsNoun(resource) }),
      phrase('leave out --resource'),
    )
}

/**
 * The records of events, by the same rules as in a feed: the slug is made from the UID, and an event that was called off is removed. Where
 * several have one UID, the day tells them apart, or else the hour.
 */
export function toldRecords(events: readonly ToldEvent[], reading: FileReading): FileRecord[] {
  const timed = events.map(event => ({ event, times: timesOf(event, reading.timezone) }))
  const ofUid = grouped(timed, ({ event }) => event.uid)
  const ofDay = grouped(timed, ({ event, times }) => `${event.uid} ${dayOf(times)}`)
  return timed.map(({ event, times }) => {
    const { uid, isOneOfSeveral, isCancelled, place } = event
    const isAlone = ofDay.get(`${uid} ${dayOf(times)}`)?.length === 1
    const hour = isAlone ? '' : `t${times.start_date?.slice(11).replaceAll(':', '')}`
    const isOccurrence = isOneOfSeveral || (ofUid.get(uid)?.length ?? 0) > 1
    const slug = feedSlug(uid, isOccurrence ? `${dayOf(times)}${hour}` : undefined)
    const values = isCancelled ? { action: 'trash' } : { ...event.values, ...times }
    const entries = Object.entries({ slug, ...values }).map(([name, value]) => ({ name, value, column: name }))
    const record = reading.build(resourceNamed('events'), entries, place)
    return { ...record, makesLinks: true, numbersAreNames: true, describesPlaces: true, stopsOnlyItself: true }
  })
}

interface Times {
  readonly start_date: string | undefined
  readonly end_date: string | undefined
  readonly all_day?: boolean
  readonly timezone?: string | undefined
}

const dayOf = ({ start_date: start = '' }: Times): string => start.slice(0, 10).replaceAll('-', '')

/** The times of an event in its zone, or else in that of the calendar. Without an end, it ends as it begins (RFC 5545, 3.6.1). */
function timesOf({ start, end, zone }: ToldEvent, timezone: string | undefined): Times {
  const target = zone ?? timezone
  const first = readDate(start ?? '')
  if (start === undefined || first === undefined) return { start_date: start, end_date: end ?? start }
  const from = wallIn(start, target)
  if (first.dayOnly) return { start_date: from, end_date: wallIn(end ?? from, target), all_day: true }
  return { start_date: from, end_date: endOf(end, from, target), ...(target && { timezone: target }) }
}

/** The end of an event with an hour. A day alone is the last one of several, or says nothing. */
function endOf(end: string | undefined, from: string, zone: string | undefined): string {
  const isDay = end !== undefined && readDate(end)?.dayOnly === true
  if (end === undefined || (isDay && end <= from.slice(0, 10))) return from
  return isDay ? `${end} 23:59:59` : wallIn(end, zone)
}

/** A time with an offset as a wall time of the zone; any other text as it is. */
function wallIn(text: string, zone: string | undefined): string {
  const date = readDate(text)
  if (date === undefined || date.dayOnly) return text
  if (date.offset === undefined) return date.wall
  return zone === undefined ? text : fromUtc(msWall(momentOf(date)), zone)
}
