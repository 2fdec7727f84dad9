import type ICAL from 'ical.js'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { Failure } from '../../failure.ts'
import { msWall } from '../../time/dates.ts'
import { isZone } from '../../time/zone-name.ts'
import type { FileRecord, Notice, Series } from '../records/file-record.ts'
import type { Build, Entry } from '../records/record-builder.ts'
import { dateEntries, legibleDates } from './dates.ts'
import { leftOut, textEntries } from './event-entries.ts'
import { called, type Story, stories, type Told } from './event-revisions.ts'
import { beginning, endOf, lengthOf, momentReader } from './event-times.ts'
import { floating, zoneOf } from './feed-zones.ts'
import { slugOf } from './identity.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'
import { ownValues } from './own.ts'
import { calendarsIn, unreadable } from './parse-components.ts'
import { rawOf, textOf, WrongValue } from './properties.ts'
import { wholeDay } from './rrule.ts'

/** How a feed is to be read. */
export interface CalendarOptions {
  readonly name: string
  readonly resource?: ResourceName
  /** How far recurrences are followed, a day or a wall time; a year from `now` if unset. */
  readonly until?: string
  /** The zone of the calendar that the records are for. */
  readonly timezone?: string
  readonly now: Date
  readonly notice: Notice
  readonly build: Build
}

/**
 * Reads the events of an iCalendar file, a series as single events. Each is named by a slug made from its UID, so that reading
 * the feed again finds it; what the feed calls off is to be put in the trash.
 */
export function* readCalendar(text: string, options: CalendarOptions): Generator<FileRecord> {
  const { name, resource, notice, timezone: preferred } = options
  if (resource !== undefined && resource !== 'events')
    throw new Failure('usage', `${name} is iCalendar, which has events only, not ${resource}`, {
      hint: 'leave --resource out',
    })
  for (const calendar of calendarsIn(text, name)) {
    const own = zoneOf(rawOf(calendar, 'x-wr-timezone'), calendar, preferred)
    const reading = {
      ...options,
      zone: own?.name ?? preferred,
      isOff: /^cancel$/i.test(rawOf(calendar, 'method')),
      readMoments: momentReader(calendar, { own: own ?? floating, preferred }, notice),
    }
    for (const story of stories(calendar)) yield* recordsOf(story, reading)
    tellLeftOut(calendar, options)
  }
}

/** What might be missed, once. */
function tellLeftOut(calendar: ICAL.Component, { name, notice }: CalendarOptions): void {
  const events = new Map<string, number>()
  for (const component of calendar.getAllSubcomponents('vevent'))
    for (const property of leftOut(component)) events.set(property, (events.get(property) ?? 0) + 1)
  const counts = [...events].map(([property, count]) => `${property} (${count === 1 ? '1 event' : `${count} events`})`)
  if (counts.length > 0) notice(`${name}: left out, as there is no field for it: ${counts.join(', ')}`)
}

interface Reading extends CalendarOptions {
  /** Where times stand that the feed gives in UTC, or in a zone without a name. */
  readonly zone: string | undefined
  /** Whether the whole calendar is called off. */
  readonly isOff: boolean
  readonly readMoments: ReturnType<typeof momentReader>
}

function* recordsOf(story: Story, reading: Reading): Generator<FileRecord> {
  const { now, until = msWall(new Date(now).setUTCFullYear(now.getUTCFullYear() + 1)) } = reading
  const records: FileRecord[] = []
  let from: string | undefined
  let failed: Occurrence | undefined
  try {
    for (const component of [story.event, ...story.changes]) if (component) checkLines(component)
    for (const occurrence of occurrencesOf(story, { ...reading, until, isAsked: reading.until !== undefined })) {
      failed = occurrence
      records.push(recordOf(story, occurrence, reading))
      from = occurrence.from
      failed = undefined
    }
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    records.push(wrongRecord(story, failed, error, reading))
  }
  for (const rival of story.rivals) records.push(rivalRecord(story, rival, reading))
  const series = records.every(({ mistakes }) => mistakes.length === 0) ? seriesOf(story, from, until) : undefined
  for (const record of records) yield series ? { ...record, series } : record
}

/** Changes alone do not say what else there is, and what calctl wrote is named by the slug that it has. */
function seriesOf({ uid, event }: Story, from: string | undefined, until: string): Series | undefined {
  if (!event || ownValues(event, 'slug').length > 0) return undefined
  return {
    slug: slugOf(uid),
    name: textOf(event, 'summary') ?? uid,
    ...(from !== undefined && { from }),
    until: wholeDay(until),
  }
}

function checkLines(component: ICAL.Component): void {
  if (component.hasProperty(unreadable))
    throw new WrongValue('', 'a line such as SUMMARY:Concert, and END:VEVENT last', rawOf(component, unreadable))
}

function recordOf({ uid, place }: Story, occurrence: Occurrence, reading: Reading): FileRecord {
  const { component, planned, key } = occurrence
  const { build, readMoments } = reading
  const slug = slugEntry(component, uid, key)
  const where = planned ? `${place}, ${planned}` : place
  const isOff = reading.isOff || occurrence.isOff || /^cancelled$/i.test(textOf(component, 'status') ?? '')
  if (isOff) return asRow(build, [slug, { name: 'action', value: 'trash', column: 'STATUS' }], where)
  const start = beginning(occurrence.start)
  const end = endOf(start, occurrence.length ?? lengthOf(component, readMoments))
  const zone = ownValues(component, 'timezone').find(isZone) ?? reading.zone
  const entries = [slug, ...textEntries(component), ...dateEntries(start, end, zone)]
  return { ...asRow(build, entries, where), makesLinks: true }
}

const events = resourceNamed('events')

const slugEntry = (component: ICAL.Component, uid: string, key?: string): Entry => {
  const [own] = ownValues(component, 'slug')
  return { name: 'slug', value: (!key && own) || slugOf(uid, key), column: 'UID' }
}

/** What cannot be done is kept under our names, so that it can be mended in a sheet. */
function asRow(build: Build, entries: readonly Entry[], place: string): FileRecord {
  const record = build(events, entries, place)
  return record.mistakes.length > 0 ? { ...record, source: sourceOf(entries) } : record
}

const sourceOf = (entries: readonly Entry[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(entries.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))

/** What cannot be read is a mistake of its event, and stops no other. */
function wrongRecord(
  { uid, event, changes, place }: Story,
  failed: Occurrence | undefined,
  error: WrongValue,
  reading: Reading,
): FileRecord {
  const component = failed?.component ?? event ?? changes[0]
  if (!component) throw error
  return mistaken({ component, place }, [slugEntry(component, uid, failed?.key)], error, reading)
}

/** Which of two events with one UID is meant, nobody can say: the slug is the first one's. */
function rivalRecord({ uid, event, place }: Story, rival: Told, reading: Reading): FileRecord {
  const first = event ? called({ component: event, place }) : place
  const error = new WrongValue('uid', `a UID of its own, as ${first} has this one and is no older`, uid)
  return mistaken(rival, [], error, reading)
}

function mistaken(
  told: Told,
  slug: readonly Entry[],
  { property, expected, given }: WrongValue,
  { build, readMoments, zone }: Reading,
): FileRecord {
  const { component } = told
  const entries = [...slug, ...textEntries(component), ...legibleDates(component, readMoments, zone)]
  const mistakes = [{ column: property.toUpperCase(), expected, given }]
  return { ...build(events, slug, called(told)), mistakes, source: sourceOf(entries) }
}
