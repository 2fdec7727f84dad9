/**
 * iCalendar files (RFC 5545): feeds of other calendars, and what calctl writes itself.
 *
 * read-icalendar.ts turns the text of a file into records of events: parse-components.ts parses it, event-revisions.ts groups
 * the VEVENTs by UID, occurrences.ts expands series into single events (the API has no recurrence), event-entries.ts reads the
 * values of each. write-icalendar.ts writes the events that a service answered.
 */

import type ICAL from 'ical.js'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { Failure } from '../../failure.ts'
import { counted } from '../../text/words.ts'
import { msWall } from '../../time/dates.ts'
import { isZone } from '../../time/zone-name.ts'
import type { FeedSeries, FileRecord, Notice } from '../records/file-record.ts'
import type { Build, RecordEntry } from '../records/record-builder.ts'
import { dateEntries, partialDateEntries, textEntries, unsupportedProperties } from './event-entries.ts'
import { describeEvent, type EventRevisions, feedSlug, groupRevisions, type PlacedEvent } from './event-revisions.ts'
import { actualStart, createReadTimes, durationOf, endTime, type ReadTimes } from './event-times.ts'
import { floating, resolveTzid } from './feed-zones.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'
import { invalidLine, parseCalendars } from './parse-components.ts'
import { firstValueOf, InvalidProperty, optionalValueOf, xCalctlValues } from './properties.ts'
import { endOfDay } from './rrule.ts'

export interface ICalendarOptions {
  readonly name: string
  readonly resource?: ResourceName
  /** How far series are expanded, a day or a wall time; a year from `now` if unset. */
  readonly until?: string
  /** The zone of the calendar that the records are for. */
  readonly timezone?: string
  readonly now: Date
  readonly notice: Notice
  readonly build: Build
}

/**
 * Reads the events of an iCalendar file, a series as single events. Each gets a slug made from its UID, so that reading the
 * feed again finds it; cancelled events become records to trash.
 */
export function* readICalendar(text: string, options: ICalendarOptions): Generator<FileRecord> {
  const { name, resource, notice, timezone: preferred } = options
  if (resource !== undefined && resource !== 'events')
    throw new Failure('usage', `${name} is iCalendar, which holds events, not ${resource}`, {
      hint: 'leave out --resource',
    })
  for (const calendar of parseCalendars(text, name)) {
    const zone = resolveTzid(firstValueOf(calendar, 'x-wr-timezone'), calendar, preferred)
    const context = {
      ...options,
      zone: zone?.name ?? preferred,
      isCancelled: /^cancel$/i.test(firstValueOf(calendar, 'method')),
      readTimes: createReadTimes(calendar, { defaultZone: zone ?? floating, preferred }, notice),
    }
    for (const revisions of groupRevisions(calendar)) yield* recordsOf(revisions, context)
    noticeUnsupported(calendar, options)
  }
}

/** Reports the properties that no field can hold, once a feed. */
function noticeUnsupported(calendar: ICAL.Component, { name, notice }: ICalendarOptions): void {
  const counts = new Map<string, number>()
  for (const component of calendar.getAllSubcomponents('vevent'))
    for (const property of unsupportedProperties(component)) counts.set(property, (counts.get(property) ?? 0) + 1)
  if (counts.size === 0) return
  const properties = [...counts].map(([property, count]) => `${property} (${counted(count, 'event')})`)
  notice(`${name}: skipped properties that have no field: ${properties.join(', ')}`)
}

interface CalendarContext extends ICalendarOptions {
  /** The zone in which times in UTC, or in a zone without a name, are rendered. */
  readonly zone: string | undefined
  /** METHOD:CANCEL cancels all events of the calendar (RFC 5546, 3.2.5). */
  readonly isCancelled: boolean
  readonly readTimes: ReadTimes
}

function* recordsOf(revisions: EventRevisions, context: CalendarContext): Generator<FileRecord> {
  const { now, until = msWall(new Date(now).setUTCFullYear(now.getUTCFullYear() + 1)) } = context
  const records: FileRecord[] = []
  let from: string | undefined
  let current: Occurrence | undefined
  try {
    for (const component of [revisions.event, ...revisions.overrides]) if (component) checkLines(component)
    const isUntilGiven = context.until !== undefined
    for (const occurrence of occurrencesOf(revisions, { ...context, until, isUntilGiven })) {
      current = occurrence
      records.push(recordOf(revisions, occurrence, context))
      from = occurrence.from
      current = undefined
    }
  } catch (error) {
    if (!(error instanceof InvalidProperty)) throw error
    records.push(invalidRecord(revisions, current, error, context))
  }
  for (const duplicate of revisions.duplicates) records.push(duplicateRecord(revisions, duplicate, context))
  const isComplete = records.every(({ mistakes }) => mistakes.length === 0)
  const series = isComplete ? seriesOf(revisions, from, until) : undefined
  for (const record of records) yield series ? { ...record, series } : record
}

/**
 * The series by which later readings find occurrences that the feed has dropped. Overrides alone do not say what else the
 * series has; events that calctl exported have slugs of their own.
 */
function seriesOf({ uid, event }: EventRevisions, from: string | undefined, until: string): FeedSeries | undefined {
  if (!event || xCalctlValues(event, 'slug').length > 0) return undefined
  return {
    slug: feedSlug(uid),
    name: optionalValueOf(event, 'summary') ?? uid,
    ...(from !== undefined && { from }),
    until: endOfDay(until),
  }
}

function checkLines(component: ICAL.Component): void {
  if (component.hasProperty(invalidLine))
    throw new InvalidProperty(
      '',
      'a line such as SUMMARY:Concert, and END:VEVENT last',
      firstValueOf(component, invalidLine),
    )
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
  const entries = [slug, ...textEntries(component), ...dateEntries(start, end, zone)]
  return { ...buildEvent(build, entries, fullPlace), makesLinks: true }
}

const events = resourceNamed('events')

function slugEntry(component: ICAL.Component, uid: string, key?: string): RecordEntry {
  const [exported] = xCalctlValues(component, 'slug')
  return { name: 'slug', value: (!key && exported) || feedSlug(uid, key), column: 'UID' }
}

/** An invalid record keeps its values under calctl's field names, so that `--errors` can write a sheet of them. */
function buildEvent(build: Build, entries: readonly RecordEntry[], place: string): FileRecord {
  const record = build(events, entries, place)
  return record.mistakes.length > 0 ? { ...record, source: sourceOf(entries) } : record
}

const sourceOf = (entries: readonly RecordEntry[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(entries.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]))

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

function recordWithMistake(
  event: PlacedEvent,
  slug: readonly RecordEntry[],
  { property, expected, value }: InvalidProperty,
  { build, readTimes, zone }: CalendarContext,
): FileRecord {
  const { component } = event
  const entries = [...slug, ...textEntries(component), ...partialDateEntries(component, readTimes, zone)]
  const column = property.toUpperCase()
  const isMissing = property !== '' && value === ''
  const mistakes = [{ column, expected, value, ...(isMissing && { message: `${column} is missing` }) }]
  return { ...build(events, slug, describeEvent(event)), mistakes, source: sourceOf(entries) }
}
