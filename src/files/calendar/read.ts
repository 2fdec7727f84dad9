import ICAL from 'ical.js'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { Failure } from '../../failure.ts'
import { msWall } from '../../time/dates.ts'
import { isZone } from '../../time/zone-name.ts'
import type { Build, Entry } from '../build.ts'
import type { FileRecord, Notice } from '../record.ts'
import { textEntries } from './details.ts'
import { slugOf } from './identity.ts'
import { endOf, lengthOf, type Moment, momentReader } from './moments.ts'
import { type Occurrence, occurrencesOf, type Story, stories } from './series.ts'
import { rawOf, textOf, WrongValue } from './values.ts'
import { inZone, named, type Zone } from './zones.ts'

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
  const { name, resource } = options
  if (resource !== undefined && resource !== 'events')
    throw new Failure('usage', `${name} is iCalendar, which has events only, not ${resource}`, {
      hint: 'leave --resource out',
    })
  for (const calendar of calendarsIn(text, name)) {
    const own = rawOf(calendar.getFirstProperty('x-wr-timezone'))
    const zone = isZone(own) ? own : options.timezone
    const readMoments = momentReader(calendar, zone, options.notice)
    for (const story of stories(calendar)) yield* recordsOf(story, { ...options, zone, readMoments })
  }
}

function calendarsIn(text: string, name: string): ICAL.Component[] {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text))
    throw new Failure('usage', `${name} is not iCalendar: it begins with "${text.trim().slice(0, 40)}"`, {
      hint: 'a feed begins with BEGIN:VCALENDAR; open the address in a browser to see what it answers',
    })
  try {
    const parsed = ICAL.parse(text)
    const [first] = parsed
    return (typeof first === 'string' ? [parsed] : parsed).map((calendar: unknown[]) => new ICAL.Component(calendar))
  } catch (error) {
    throw new Failure('usage', `${name} is not valid iCalendar: ${(error as Error).message}`, {
      hint: 'the feed may have been cut off: fetch it again',
    })
  }
}

interface Reading extends CalendarOptions {
  /** Where times stand that the feed gives in UTC, or in a zone without a name. */
  readonly zone: string | undefined
  readonly readMoments: ReturnType<typeof momentReader>
}

function* recordsOf(story: Story, reading: Reading): Generator<FileRecord> {
  const { now, notice } = reading
  const asked = reading.until ?? msWall(new Date(now).setUTCFullYear(now.getUTCFullYear() + 1))
  const until = asked.length === 10 ? `${asked} 23:59:59` : asked
  try {
    for (const occurrence of occurrencesOf(story, { until, readMoments: reading.readMoments, notice }))
      yield recordOf(story, occurrence, reading)
  } catch (error) {
    yield wrongRecord(story, error, reading.build)
  }
}

function recordOf({ uid, place }: Story, occurrence: Occurrence, { build, readMoments, zone }: Reading): FileRecord {
  const { component, recurrence } = occurrence
  const slug: Entry = { name: 'slug', value: slugOf(uid, recurrence), column: 'UID' }
  const where = recurrence ? `${place}, ${recurrence}` : place
  const isOff = occurrence.isOff || /^cancelled$/i.test(textOf(component, 'status') ?? '')
  if (isOff) return build(events, [slug, { name: 'action', value: 'trash', column: 'STATUS' }], where)
  const length = lengthOf(component, readMoments)
  const entries = [slug, ...textEntries(component), ...dateEntries(occurrence.start, length, zone)]
  return { ...build(events, entries, where), makesLinks: true }
}

const events = resourceNamed('events')

function dateEntries(start: Moment, length: number, zone: string | undefined): Entry[] {
  const target = targetOf(start.zone, zone)
  const shown = (wall: string) => (start.isDay ? wall : inZone(wall, start.zone, target))
  return [
    { name: 'all_day', value: start.isDay, column: 'DTSTART' },
    { name: 'start_date', value: shown(start.wall), column: 'DTSTART' },
    { name: 'end_date', value: shown(endOf(start.wall, length, start.isDay)), column: 'DTEND' },
    { name: 'timezone', value: start.isDay ? undefined : target.name, column: 'DTSTART' },
  ]
}

/** UTC, and zones without a name, say when and not where: such times are shown in the zone of the calendar. */
function targetOf(zone: Zone, fallback: string | undefined): Zone {
  if (zone.isFloating) return zone
  return zone.name === undefined || zone.name === 'UTC' ? named(fallback ?? 'UTC') : zone
}

/** A date or a rule that cannot be read is a mistake of its event, and stops no other. */
function wrongRecord({ uid, place }: Story, error: unknown, build: Build): FileRecord {
  const record = build(events, [{ name: 'slug', value: slugOf(uid), column: 'UID' }], place)
  if (error instanceof WrongValue) {
    const { property, expected, given } = error
    return { ...record, mistakes: [{ column: property.toUpperCase(), expected, given }] }
  }
  if (error instanceof Failure)
    return { ...record, mistakes: [{ column: 'RRULE', expected: 'a series that ends', given: error.message }] }
  throw error
}
