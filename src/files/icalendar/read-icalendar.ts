/**
 * iCalendar files (RFC 5545): feeds of other calendars, and files that calctl writes. `parse-components.ts` parses the text of a file; this
 * file groups the VEVENTs by UID and turns them into records of events; `occurrences.ts` expands series into single events, because the API
 * has no recurrence; `event-entries.ts` reads the values of each event. `write-icalendar.ts` writes the events that a service has answered.
 */

import { usage } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { msWall } from '../../base/time/dates.ts'
import { isZone } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordsNoun } from '../../contract/resource-words.ts'
import type { FileReading } from '../records/file-reading.ts'
import type { FeedSeries, FileRecord } from '../records/file-record.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Component } from './component.ts'
import { dateEntries, textEntries } from './event-entries.ts'
import { actualStart, createReadTimes, durationOf, type EventTime, endTime, type ReadTimes } from './event-times.ts'
import {
  describeEvent,
  type EventRevisions,
  exportedEventStatus,
  feedSlug,
  groupRevisions,
  type PlacedEvent,
  statusWithoutPassword,
} from './event-visibility.ts'
import { ambiguousZone, type FeedZone, isAbbreviation, resolveTzid, zoneNamed } from './feed-zones.ts'
import { createSkipped, recordWithMistake, type Skipped, stoppingIfAllInvalid } from './invalid-events.ts'
import { InvalidProperty } from './invalid-property.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'
import { firstValueOf, optionalValueOf, xCalctl, xCalctlValues } from './parse-components.ts'
import { lastSecondOf } from './rrule.ts'

/**
 * Reads the events in the calendars of a file, with a series as single events. Each gets a slug made from its UID, by which it is found
 * when the feed is read again; cancelled events become records to be trashed.
 */
export function* readICalendar(calendars: readonly Component[], options: FileReading): Generator<FileRecord> {
  const { name, resource, notice } = options
  if (resource !== undefined && resource !== 'events')
    throw usage(
      phrase('{file} is iCalendar, which holds events, not {records}', { file: name, records: recordsNoun(resource) }),
      phrase('leave out --resource'),
    )
  const skipped = createSkipped()
  const records = recordsOfCalendars(calendars, { ...options, skipped })
  yield* options.strict ? records : stoppingIfAllInvalid(records)
  for (const sentence of skipped.sentences()) notice(`${name}: ${sentence}`)
}

function* recordsOfCalendars(
  calendars: readonly Component[],
  options: FileReading & { readonly skipped: Skipped },
): Generator<FileRecord> {
  const { skipped, timezone: preferred, notice, now, until } = options
  for (const calendar of calendars) {
    const own = firstValueOf(calendar, 'x-wr-timezone')
    const zone = own === '' ? undefined : zoneOfFeed(own, calendar, preferred)
    const context: CalendarContext = {
      ...options,
      until: until ?? msWall(new Date(now).setUTCFullYear(now.getUTCFullYear() + 1)),
      isUntilGiven: until !== undefined,
      zone: zone?.name ?? preferred,
      isCancelled: /^cancel$/i.test(firstValueOf(calendar, 'method')),
      readTimes: createReadTimes(calendar, zone, preferred, notice),
    }
    skipped.addComponents(calendar)
    for (const revisions of groupRevisions(calendar)) {
      noticeReplaced(revisions, options)
      yield* recordsOf(revisions, context)
      const { event, overrides, duplicates } = revisions
      for (const component of [event, ...overrides, ...duplicates.map(({ component }) => component)])
        component?.forget()
    }
  }
}

/**
 * The zone of a feed by X-WR-TIMEZONE, which is not part of RFC 5545; undefined for an abbreviation that the zone of the calendar does not
 * use.
 */
function zoneOfFeed(own: string, calendar: Component, preferred: string | undefined): FeedZone | undefined {
  const certain = isAbbreviation(own) ? ambiguousZone(own, { calendar, preferred }) : undefined
  return certain === undefined ? resolveTzid(own, { calendar, preferred }) : zoneNamed(certain)
}

/** A notice about events with the same UID: they are two versions of one event (RFC 5545, 3.8.4.7), unless a program has mixed them up. */
function noticeReplaced({ event, place, replaced, uid }: EventRevisions, { name, notice }: FileReading): void {
  if (!event || replaced.length === 0) return
  notice(
    phrase('{file}: {event} replaces {others}: they have the same UID, {uid}', {
      file: name,
      event: describeEvent({ component: event, place }),
      others: listOf(replaced.map(describeEvent)),
      uid,
    }),
  )
}

interface CalendarContext extends FileReading {
  readonly until: string
  readonly isUntilGiven: boolean
  /** The zone to which times in UTC, or in a zone without a name, are converted. */
  readonly zone: string | undefined
  /** METHOD:CANCEL cancels all events of the calendar (RFC 5546, 3.2.5). */
  readonly isCancelled: boolean
  readonly readTimes: ReadTimes
  readonly skipped: Skipped
}

function* recordsOf(revisions: EventRevisions, context: CalendarContext): Generator<FileRecord> {
  const records: FileRecord[] = []
  const read = new Set<Component>()
  let from: string | undefined
  let current: Occurrence | undefined
  try {
    for (const component of [revisions.event, ...revisions.overrides])
      if (component) checkLines(component, context.strict)
    for (const occurrence of occurrencesOf(revisions, context)) {
      current = occurrence
      const record = recordOf(revisions, occurrence, context)
      records.push(record)
      if (record.mistakes.length === 0 && record.action !== 'trash') read.add(occurrence.component)
      from = occurrence.from
      current = undefined
    }
  } catch (error) {
    if (!(error instanceof InvalidProperty)) throw error
    records.push(invalidRecord(revisions, current, error, context))
  }
  for (const component of read) context.skipped.addEvent(component)
  for (const duplicate of revisions.duplicates) records.push(duplicateRecord(revisions, duplicate, context))
  const isComplete = records.every(({ mistakes }) => mistakes.length === 0)
  const series = isComplete ? seriesOf(revisions, from, context.until) : undefined
  const stopsOnlyItself = context.strict ? undefined : true
  for (const record of records) yield { ...record, series, stopsOnlyItself }
}

/**
 * The series by which a later reading finds occurrences that the feed has dropped. Overrides alone do not tell what else the series has;
 * events that calctl exported have their own slugs.
 */
function seriesOf({ uid, event }: EventRevisions, from: string | undefined, until: string): FeedSeries | undefined {
  if (!event || xCalctlValues(event, 'slug').length > 0 || idEntries(event).length > 0) return undefined
  return { slug: feedSlug(uid), name: optionalValueOf(event, 'summary') ?? uid, from, until: lastSecondOf(until) }
}

/** Lines without which an event would be another one, or be at another time. */
const vital = /^\s*(UID|DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|CLASS)\b/i

function checkLines(component: Component, strict = false): void {
  const { wrongEnd, unreadable } = component
  if (wrongEnd !== undefined)
    throw new InvalidProperty(
      '',
      phrase('END:VEVENT for the event that begins on line {line}', { line: component.line }),
      wrongEnd,
    )
  const line = unreadable.find(({ text }) => strict || vital.test(text))
  if (line) throw new InvalidProperty('', phrase('a line such as {example}', { example: 'SUMMARY:Concert' }), line.text)
}

function recordOf({ uid, place }: EventRevisions, occurrence: Occurrence, context: CalendarContext): FileRecord {
  const { component, planned, key } = occurrence
  const { build, readTimes } = context
  const slug = slugEntry(component, uid, key)
  const fullPlace = planned ? `${place}, ${planned}` : place
  const isOwnMark = exportedEventStatus(component) !== undefined
  const hasCancelledStatus = !isOwnMark && /^cancelled$/i.test(optionalValueOf(component, 'status') ?? '')
  if (context.isCancelled || occurrence.isExcluded || hasCancelledStatus)
    return build(events, [slug, { name: 'action', value: 'trash', column: 'STATUS' }], fullPlace)
  const start = actualStart(occurrence.start)
  const end = endTime(start, occurrence.duration ?? durationOf(component, readTimes))
  const zone = xCalctlValues(component, 'timezone').find(isZone) ?? context.zone
  const id = idEntries(component)
  const entries = [...id, slug, ...textEntries(component), ...dateEntries(start, end, zone)]
  const valuesIfNew = statusWithoutPassword(component)
  const record = build(events, entries, fullPlace)
  const [from = '', to = ''] = [record.values.start_date, record.values.end_date].map(wallTime)
  if (to <= from && toUtc(end) > toUtc(start))
    context.skipped.addTurnedBack(phrase('{place}, {from} to {to}', { place: fullPlace, from, to: to.slice(11) }))
  return { ...record, makesLinks: true, numbersAreNames: true, hasSlugOfFile: id.length > 0 || undefined, valuesIfNew }
}

/** `2026-12-05 19:00`, for a date with or without an offset. */
const wallTime = (date: unknown): string => String(date).slice(0, 16).replace('T', ' ')

const toUtc = ({ zone, wall }: EventTime): string => zone.toUtc(wall)

const events = resourceNamed('events')

function slugEntry(component: Component, uid: string, key?: string): RecordEntry {
  const [exported] = xCalctlValues(component, 'slug')
  return { name: 'slug', value: (!key && exported) || feedSlug(uid, key), column: 'UID' }
}

/** The ID of an event without a slug, and the calendar to which it belongs. */
const idEntries = (component: Component): RecordEntry[] =>
  (['id', 'origin'] as const).flatMap(name =>
    xCalctlValues(component, name).map(value => ({ name, value, column: xCalctl(name).toUpperCase() })),
  )

/** The record of an event with an invalid property; the other events of the feed are still read. */
function invalidRecord(
  { uid, event, overrides, place }: EventRevisions,
  occurrence: Occurrence | undefined,
  error: InvalidProperty,
  context: CalendarContext,
): FileRecord {
  const component = occurrence?.component ?? event ?? overrides[0]
  if (!component) throw error
  return recordWithMistake({ component, place }, [slugEntry(component, uid, occurrence?.key)], error, context.build)
}

/** The record of a second event with the same UID: the slug goes to the first one. */
function duplicateRecord(
  { uid, event, place }: EventRevisions,
  duplicate: PlacedEvent,
  context: CalendarContext,
): FileRecord {
  const first = event ? describeEvent({ component: event, place }) : place
  const error = new InvalidProperty(
    'uid',
    phrase('another UID, as {event} has the same one and is not older', { event: first }),
    uid,
  )
  return recordWithMistake(duplicate, [], error, context.build)
}
