/**
 * iCalendar files (RFC 5545): feeds of other calendars, and files that calctl writes. `parse-components.ts` parses the text of a file; this
 * file groups the VEVENTs by UID and turns them into records of events; `occurrences.ts` expands series into single events, because the API
 * has no recurrence; `event-entries.ts` reads the values of each event. `write-icalendar.ts` writes the events that a service has answered.
 */

import { Failure } from '../../base/failure.ts'
import { listOf, listOfFirst } from '../../base/text/similarity.ts'
import { msWall } from '../../base/time/dates.ts'
import { isZone } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { recordCount, recordsNoun } from '../../contract/resource-words.ts'
import type { FeedSeries, FileRecord, Notice } from '../records/file-record.ts'
import type { Build, RecordEntry } from '../records/record-builder.ts'
import type { Component, Property } from './component.ts'
import {
  dateEntries,
  describeEvent,
  type EventRevisions,
  exportedEventStatus,
  feedSlug,
  groupRevisions,
  htmlOf,
  imageProperties,
  isTentative,
  isWebsite,
  noTitle,
  type PlacedEvent,
  partialDateEntries,
  statusWithoutPassword,
  textEntries,
} from './event-entries.ts'
import { actualStart, createReadTimes, durationOf, type EventTime, endTime, type ReadTimes } from './event-times.ts'
import { ambiguousZone, type FeedZone, floatingIn, isAbbreviation, resolveTzid, zoneNamed } from './feed-zones.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'
import { firstValueOf, InvalidProperty, optionalValueOf, valuesOf, xCalctl, xCalctlValues } from './parse-components.ts'
import { lastSecondOf } from './rrule.ts'

export interface ICalendarOptions {
  readonly name: string
  readonly resource?: ResourceName
  /** How far series are expanded, a day or a wall time; by default a year from `now`. */
  readonly until?: string
  /** The zone of the calendar for which the records are read. */
  readonly timezone?: string
  /** Whether an invalid event, or a line that cannot be read, is a failure of the whole file. */
  readonly strict?: boolean
  readonly now: Date
  readonly notice: Notice
  readonly build: Build
}

/**
 * Reads the events in the calendars of a file, with a series as single events. Each gets a slug made from its UID, by which it is found
 * when the feed is read again; cancelled events become records to be trashed.
 */
export function* readICalendar(calendars: readonly Component[], options: ICalendarOptions): Generator<FileRecord> {
  const { name, resource, notice } = options
  if (resource !== undefined && resource !== 'events')
    throw new Failure(
      'usage',
      phrase('{file} is iCalendar, which holds events, not {records}', { file: name, records: recordsNoun(resource) }),
      { hint: phrase('leave out --resource') },
    )
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

/**
 * The zone of a feed by X-WR-TIMEZONE, which is not part of RFC 5545; undefined for an abbreviation that the zone of the calendar does not
 * use.
 */
function zoneOfFeed(own: string, calendar: Component, preferred: string | undefined): FeedZone | undefined {
  const certain = isAbbreviation(own) ? ambiguousZone(own, { calendar, preferred }) : undefined
  return certain === undefined ? resolveTzid(own, { calendar, preferred }) : zoneNamed(certain)
}

const componentsOf = ({ event, overrides, duplicates }: EventRevisions): Component[] => [
  ...(event ? [event] : []),
  ...overrides,
  ...duplicates.map(({ component }) => component),
]

/** A notice about events with the same UID: they are two versions of one event (RFC 5545, 3.8.4.7), unless a program has mixed them up. */
function noticeReplaced({ event, place, replaced, uid }: EventRevisions, { name, notice }: ICalendarOptions): void {
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

interface CalendarContext extends ICalendarOptions {
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
  return {
    slug: feedSlug(uid),
    name: optionalValueOf(event, 'summary') ?? uid,
    from,
    until: lastSecondOf(until),
  }
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
    return buildEvent(build, [slug, { name: 'action', value: 'trash', column: 'STATUS' }], fullPlace)
  const start = actualStart(occurrence.start)
  const end = endTime(start, occurrence.duration ?? durationOf(component, readTimes))
  const zone = xCalctlValues(component, 'timezone').find(isZone) ?? context.zone
  const id = idEntries(component)
  const entries = [...id, slug, ...textEntries(component), ...dateEntries(start, end, zone)]
  const valuesIfNew = statusWithoutPassword(component)
  const record = buildEvent(build, entries, fullPlace)
  const [from = '', to = ''] = [record.values.start_date, record.values.end_date].map(wallTime)
  if (to <= from && toUtc(end) > toUtc(start))
    context.skipped.addTurnedBack(phrase('{place}, {from} to {to}', { place: fullPlace, from, to: to.slice(11) }))
  return {
    ...record,
    makesLinks: true,
    numbersAreNames: true,
    hasSlugOfFile: id.length > 0 || undefined,
    valuesIfNew,
  }
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

/** Builds the record of an event. An invalid record keeps its values by field, so that `--errors` can write a sheet of them. */
function buildEvent(build: Build, entries: readonly RecordEntry[], place: string): FileRecord {
  const record = build(events, entries, place)
  return record.mistakes.length > 0 ? { ...record, source: sourceOf(entries) } : record
}

/** The record of an event with an invalid property; the other events of the feed are still read. */
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
  return recordWithMistake(duplicate, [], error, context)
}

/** The events of a feed that cannot be read: each becomes a record with a mistake, which stops no other event as long as one is valid. */

/** Makes the mistakes failures of the whole feed if no event is valid: otherwise it would look like a feed without changes. */
function* stoppingIfAllInvalid(records: Iterable<FileRecord>): Generator<FileRecord> {
  let invalid: FileRecord[] | undefined = []
  for (const record of records) {
    if (record.mistakes.length > 0 && invalid) {
      invalid.push(record)
      continue
    }
    if (invalid) yield* invalid
    invalid = undefined
    yield record
  }
  for (const { stopsOnlyItself, ...record } of invalid ?? []) yield record
}

interface ReadingContext {
  readonly build: Build
  readonly readTimes: ReadTimes
  /** The zone to which times in UTC, or in a zone without a name, are converted. */
  readonly zone: string | undefined
}

/** The record of an event with an invalid property; it keeps the valid values. */
function recordWithMistake(
  event: PlacedEvent,
  slug: readonly RecordEntry[],
  { property, expected, value }: InvalidProperty,
  { build, readTimes, zone }: ReadingContext,
): FileRecord {
  const { component } = event
  const entries = [...slug, ...textEntries(component), ...partialDateEntries(component, readTimes, zone)]
  const column = property.toUpperCase()
  const isMissing = property !== '' && value === ''
  const hasEnd = entries.some(entry => entry.name === 'end_date' && entry.value)
  const advice = hasEnd ? undefined : rowAdvice(component)
  const message = isMissing ? phrase('{column} is missing', { column }) : undefined
  const mistakes = [{ column, expected, value, message, advice }]
  const source = { ...sourceOf(entries), ...statusWithoutPassword(component) }
  return { ...build(resourceNamed('events'), slug, describeEvent(event)), mistakes, source }
}

/** The values of entries by field, for a row of `--errors`. */
const sourceOf = (entries: readonly RecordEntry[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(entries.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]))

/** What a row for an event without a readable end needs besides a correction, because its end cannot follow from another start there. */
function rowAdvice(component: Component): string {
  const duration = firstValueOf(component, 'duration')
  return duration === ''
    ? phrase('in a row of --errors, give start_date and end_date')
    : phrase('in a row of --errors, give start_date and end_date ({duration} later)', { duration })
}

/** What a feed contains but no field can express, reported once for each kind. */
interface Skipped {
  /** Adds what a calendar has besides events. */
  addComponents(calendar: Component): void
  /** Adds an event that was read. For an invalid event, its mistake is reported instead. */
  addEvent(event: Component): void
  /** Adds an event that ends at the wall time at which it begins, or earlier, because clocks are set back in between. */
  addTurnedBack(event: string): void
  sentences(): string[]
}

/** Properties that are read into a field, or that tell how old an event is. */
const read = new Set([
  ...['uid', 'dtstamp', 'created', 'last-modified', 'sequence', 'recurrence-id', 'status', 'class'],
  ...['summary', 'description', 'location', 'categories', 'organizer', 'dtstart', 'dtend', 'duration'],
  ...['rrule', 'rdate', 'exdate'],
])

function createSkipped(): Skipped {
  const properties = new Map<string, number>()
  const components = new Map<string, number>()
  const lines: number[] = []
  const turnedBack: string[] = []
  let untitled = 0
  let tentative = 0
  return {
    addComponents(calendar) {
      for (const { name } of calendar.components)
        if (!/^(vevent|vtimezone|vcalendar)$/.test(name)) count(components, name.toUpperCase())
    },
    addEvent(event) {
      for (const kind of kindsWithoutField(event)) count(properties, kind)
      for (const { number } of event.unreadable) lines.push(number)
      if (!event.has('summary') && !event.has('recurrence-id')) untitled += 1
      if (isTentative(event)) tentative += 1
    },
    addTurnedBack(event) {
      turnedBack.push(event)
    },
    sentences() {
      const kinds = [...properties].map(([name, number]) => `${name} (${recordCount(number, 'events')})`)
      const others = [...components].map(([name, number]) => `${number} ${name}`)
      const sentences: readonly (readonly [count: number, sentence: () => string])[] = [
        [kinds.length, () => phrase('skipped properties that have no field: {kinds}', { kinds: kinds.join(', ') })],
        [others.length, () => phrase('skipped components that are not events: {kinds}', { kinds: others.join(', ') })],
        [lines.length, () => skippedLines(lines)],
        [
          untitled,
          () =>
            phrase('{count, plural, one {# event} other {# events}} without SUMMARY: titled "{title}"', {
              count: untitled,
              title: noTitle,
            }),
        ],
        [
          tentative,
          () =>
            phrase(
              '{count, plural, one {# event is tentative: published like the others} other {# events are tentative: published like the others}}',
              { count: tentative },
            ),
        ],
        [turnedBack.length, () => endsEarlier(turnedBack)],
      ]
      return sentences.filter(([count]) => count > 0).map(([, sentence]) => sentence())
    },
  }
}

const maxPlaces = 5

const skippedLines = (lines: readonly number[]): string =>
  phrase(
    '{count, plural, one {skipped # line that cannot be read: line {lines}} other {skipped # lines that cannot be read: lines {lines}}}',
    { count: lines.length, lines: listOfFirst(lines.map(String), maxPlaces) },
  )

const endsEarlier = (events: readonly string[]): string =>
  phrase(
    '{count, plural, one {# event ends no later on the clock than it begins} other {# events end no later on the clock than they begin}}, because clocks go back in between: {events}',
    { count: events.length, events: listOfFirst(events, maxPlaces, 'other') },
  )

function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

/** The kinds of properties of an event that no field can express, each once. */
function kindsWithoutField(event: Component): Set<string> {
  const kinds = new Set<string>()
  const images = imageProperties(event)
  // An exported event has its venue and organizers in other properties already.
  const isExported = (['venue', 'slug', 'id'] as const).some(name => xCalctlValues(event, name).length > 0)
  for (const property of event.properties) {
    const { name } = property
    if (read.has(name) || name.startsWith('x-calctl-')) continue
    if (isExported && (name === 'geo' || name === 'contact')) continue
    if (!hasField(event, property, images)) kinds.add(name.toUpperCase())
  }
  for (const { name } of event.components) kinds.add(name.toUpperCase())
  return kinds
}

function hasField(event: Component, property: Property, images: readonly Property[]): boolean {
  if (property.name === 'url') return isWebsite(valuesOf(property)[0])
  // An event has one image.
  if (property.name === 'image' || property.name === 'attach') return property === images[0]
  return property.name === 'x-alt-desc' && htmlOf(event) !== undefined
}
