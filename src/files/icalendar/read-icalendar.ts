/**
 * iCalendar files (RFC 5545): feeds of other calendars, and what calctl writes itself.
 *
 * parse-components.ts parses the text of a file; read-icalendar.ts turns it into records of events: event-revisions.ts groups the
 * VEVENTs by UID, occurrences.ts expands series into single events (the API has no recurrence), by their rules (planned-starts.ts)
 * and by what replaces single dates (overrides.ts), event-entries.ts reads the values of each. write-icalendar.ts writes the events
 * that a service answered.
 */

import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { Failure } from '../../failure.ts'
import { listOf } from '../../text/words.ts'
import { msWall } from '../../time/dates.ts'
import { isZone } from '../../time/zone.ts'
import type { FeedSeries, FileRecord, Notice } from '../records/file-record.ts'
import type { Build, RecordEntry } from '../records/record-builder.ts'
import type { Component } from './component.ts'
import { dateEntries, textEntries } from './event-entries.ts'
import { describeEvent, type EventRevisions, feedSlug, groupRevisions, type PlacedEvent } from './event-revisions.ts'
import { actualStart, createReadTimes, durationOf, type EventTime, endTime, type ReadTimes } from './event-times.ts'
import { statusWithoutPassword } from './event-visibility.ts'
import { ambiguousZone, type FeedZone, floatingIn, isAbbreviation, resolveTzid, zoneNamed } from './feed-zones.ts'
import { recordWithMistake, sourceOf, stoppingIfAllInvalid } from './invalid-events.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'
import { firstValueOf, InvalidProperty, optionalValueOf, xCalctl, xCalctlValues } from './properties.ts'
import { endOfDay } from './rrule.ts'
import { createSkipped, type Skipped } from './skipped-properties.ts'

export interface ICalendarOptions {
  readonly name: string
  readonly resource?: ResourceName
  /** How far series are expanded, a day or a wall time; a year from `now` if unset. */
  readonly until?: string
  /** The zone of the calendar that the records are for. */
  readonly timezone?: string
  /** Whether an event that is invalid, or a line that cannot be read, stops the others. */
  readonly strict?: boolean
  readonly now: Date
  readonly notice: Notice
  readonly build: Build
}

/**
 * Reads the events of the calendars of a file, a series as single events. Each gets a slug made from its UID, so that reading the
 * feed again finds it; cancelled events become records to trash.
 */
export function* readICalendar(calendars: readonly Component[], options: ICalendarOptions): Generator<FileRecord> {
  const { name, resource, notice } = options
  if (resource !== undefined && resource !== 'events')
    throw new Failure('usage', `${name} is iCalendar, which holds events, not ${resource}`, {
      hint: 'leave out --resource',
    })
  const skipped = createSkipped()
  const records = recordsOfCalendars(calendars, { ...options, skipped })
  yield* options.strict ? records : stoppingIfAllInvalid(records)
  for (const sentence of skipped.sentences()) notice(`${name}: ${sentence}`)
}

function* recordsOfCalendars(
  calendars: readonly Component[],
  options: ICalendarOptions & { readonly skipped: Skipped },
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
      readTimes: createReadTimes(
        calendar,
        { defaultZone: zone ?? floatingIn(preferred), ownZone: zone?.name, preferred },
        notice,
      ),
    }
    skipped.addComponents(calendar)
    for (const revisions of groupRevisions(calendar)) {
      noticeReplaced(revisions, options)
      yield* recordsOf(revisions, context)
      for (const component of componentsOf(revisions)) component.forget()
    }
  }
}

/** An abbreviation that the calendar's zone does not have says nothing: X-WR-TIMEZONE is not part of RFC 5545. */
function zoneOfFeed(own: string, calendar: Component, preferred: string | undefined): FeedZone | undefined {
  const certain = isAbbreviation(own) ? ambiguousZone(own, { calendar, preferred }) : undefined
  return certain === undefined ? resolveTzid(own, { calendar, preferred }) : zoneNamed(certain)
}

const componentsOf = ({ event, overrides, duplicates }: EventRevisions): Component[] => [
  ...(event ? [event] : []),
  ...overrides,
  ...duplicates.map(({ component }) => component),
]

/** Two events with one UID are two versions of one event (RFC 5545, 3.8.4.7), unless a program has mixed them up. */
function noticeReplaced({ event, place, replaced, uid }: EventRevisions, { name, notice }: ICalendarOptions): void {
  if (!event || replaced.length === 0) return
  const older = listOf(replaced.map(describeEvent))
  notice(`${name}: ${describeEvent({ component: event, place })} replaces ${older}: they have the same UID, ${uid}`)
}

interface CalendarContext extends ICalendarOptions {
  readonly until: string
  readonly isUntilGiven: boolean
  /** The zone in which times in UTC, or in a zone without a name, are rendered. */
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
  const shared = { ...(series && { series }), ...(!context.strict && { stopsOnlyItself: true as const }) }
  for (const record of records) yield { ...record, ...shared }
}

/**
 * The series by which later readings find occurrences that the feed has dropped. Overrides alone do not say what else the
 * series has; events that calctl exported have slugs of their own.
 */
function seriesOf({ uid, event }: EventRevisions, from: string | undefined, until: string): FeedSeries | undefined {
  if (!event || xCalctlValues(event, 'slug').length > 0 || idEntries(event).length > 0) return undefined
  return {
    slug: feedSlug(uid),
    name: optionalValueOf(event, 'summary') ?? uid,
    ...(from !== undefined && { from }),
    until: endOfDay(until),
  }
}

/** Lines without which an event would be another one, or at another time. */
const vital = /^\s*(UID|DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|CLASS)\b/i

function checkLines(component: Component, strict = false): void {
  const { wrongEnd, unreadable } = component
  if (wrongEnd !== undefined)
    throw new InvalidProperty('', `END:VEVENT for the event that begins on line ${component.line}`, wrongEnd)
  const line = unreadable.find(({ text }) => strict || vital.test(text))
  if (line) throw new InvalidProperty('', 'a line such as SUMMARY:Concert', line.text)
}

function recordOf({ uid, place }: EventRevisions, occurrence: Occurrence, context: CalendarContext): FileRecord {
  const { component, planned, key } = occurrence
  const { build, readTimes } = context
  const slug = slugEntry(component, uid, key)
  const fullPlace = planned ? `${place}, ${planned}` : place
  const hasCancelledStatus = /^cancelled$/i.test(optionalValueOf(component, 'status') ?? '')
  if (context.isCancelled || occurrence.isExcluded || hasCancelledStatus)
    return buildEvent(build, [slug, { name: 'action', value: 'trash', column: 'STATUS' }], fullPlace)
  const start = actualStart(occurrence.start)
  const end = endTime(start, occurrence.duration ?? durationOf(component, readTimes))
  const zone = xCalctlValues(component, 'timezone').find(isZone) ?? context.zone
  const id = idEntries(component)
  const entries = [...id, slug, ...textEntries(component), ...dateEntries(start, end, zone)]
  const valuesIfNew = statusWithoutPassword(component)
  const record = buildEvent(build, entries, fullPlace)
  const [from = '', to = ''] = [record.values.start_date, record.values.end_date].map(wallTime)
  if (to <= from && toUtc(end) > toUtc(start)) context.skipped.addTurnedBack(`${fullPlace}, ${from} to ${to.slice(11)}`)
  return {
    ...record,
    makesLinks: true,
    numbersAreNames: true,
    ...(id.length > 0 && { hasSlugOfFile: true }),
    ...(valuesIfNew && { valuesIfNew }),
  }
}

/** `2026-12-05 19:00`, of a date with or without an offset. */
const wallTime = (date: unknown): string => String(date).slice(0, 16).replace('T', ' ')

const toUtc = ({ zone, wall }: EventTime): string => zone.toUtc(wall)

const events = resourceNamed('events')

function slugEntry(component: Component, uid: string, key?: string): RecordEntry {
  const [exported] = xCalctlValues(component, 'slug')
  return { name: 'slug', value: (!key && exported) || feedSlug(uid, key), column: 'UID' }
}

/** The ID of an event without a slug, and the calendar that has it. */
const idEntries = (component: Component): RecordEntry[] =>
  (['id', 'origin'] as const).flatMap(name =>
    xCalctlValues(component, name).map(value => ({ name, value, column: xCalctl(name).toUpperCase() })),
  )

/** An invalid record keeps its values under calctl's field names, so that `--errors` can write a sheet of them. */
function buildEvent(build: Build, entries: readonly RecordEntry[], place: string): FileRecord {
  const record = build(events, entries, place)
  return record.mistakes.length > 0 ? { ...record, source: sourceOf(entries) } : record
}

/** The record of an event with an invalid property; the other events of the feed are read. */
function invalidRecord(
  { uid, event, overrides, place }: EventRevisions,
  occurrence: Occurrence | undefined,
  error: InvalidProperty,
  context: CalendarContext,
): FileRecord {
  const component = occurrence?.component ?? event ?? overrides[0]
  if (!component) throw error
  return recordWithMistake({ component, place }, [slugEntry(component, uid, occurrence?.key)], error, context)
}

/** Of two different events with one UID, the slug goes to the first. */
function duplicateRecord(
  { uid, event, place }: EventRevisions,
  duplicate: PlacedEvent,
  context: CalendarContext,
): FileRecord {
  const first = event ? describeEvent({ component: event, place }) : place
  const error = new InvalidProperty('uid', `another UID, as ${first} has the same one and is not older`, uid)
  return recordWithMistake(duplicate, [], error, context)
}
