import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { type Answer, isObject } from '../../contract/resource.ts'
import { Failure } from '../../failure.ts'
import { lookupTable } from '../../text/lookup-table.ts'
import { msWall, readDate, wallMs } from '../../time/dates.ts'
import { fixedOffset, isZone } from '../../time/zone-name.ts'
import { isForOwnerOnly, visibilityProperties } from './event-visibility.ts'
import { plainText, type XCalctlName, xCalctl } from './properties.ts'
import { isCovered, vtimezone } from './vtimezone.ts'

export interface ICalendarWriteOptions {
  /** The site of the events, from which their UIDs are made. */
  readonly site: string
  readonly now: Date
  /** The calendar that the IDs of the events belong to, as exports name it. */
  readonly origin?: string
  /** The name of the calendar. */
  readonly name?: string
}

/**
 * Writes events, as a service returns them, as iCalendar that other calendars read: in their own zones if these have names, in
 * UTC otherwise. The VTIMEZONE of a zone comes before its first event.
 */
export async function* writeICalendar(
  events: AsyncIterable<Answer> | Iterable<Answer>,
  { site, now, name, origin }: ICalendarWriteOptions,
): AsyncGenerator<string> {
  const host = uidHost(site)
  const definedZones = new Set<string>()
  yield joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//calctl//calctl//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
  ])
  if (name !== undefined) yield joinLines([calendarName(name)])
  for await (const event of events) {
    const zone = zoneOf(event)
    if (zone && !definedZones.has(zone)) yield joinLines(componentLines(vtimezone(zone)))
    if (zone) definedZones.add(zone)
    yield joinLines(componentLines(eventComponent(event, { host, now, zone, origin })))
  }
  yield joinLines(['END:VCALENDAR'])
}

const componentLines = (component: ICAL.Component): string[] => [
  `BEGIN:${component.name.toUpperCase()}`,
  ...component.getAllProperties().map(property => property.toICALString()),
  ...component.getAllSubcomponents().flatMap(componentLines),
  `END:${component.name.toUpperCase()}`,
]

const joinLines = (lines: readonly string[]): string => lines.map(line => `${fold(line)}\r\n`).join('')

/** RFC 5545, 3.1: a line has at most 75 octets, the space that begins its continuation included. */
const maxOctets = 75

/** ical.js folds by a length that is set for the whole process, and leaves out the space when it counts. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= maxOctets) return line
  let folded = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += size
  }
  return folded
}

/** ical.js escapes nothing in properties that begin with X-, whose type it does not know. */
const calendarName = (name: string): string => `X-WR-CALNAME:${name.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')}`

/** The host part of UIDs. The path of a calendar file is hashed: it would say too much about the machine. */
function uidHost(site: string): string {
  if (!/^https?:/i.test(site)) return createHash('sha256').update(site).digest('hex').slice(0, 12)
  return site
    .replace(/^\w+:\/+/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/-$/, '')
}

/** The zone to write an event in; undefined, for UTC, if it has no name or its VTIMEZONE does not cover the event. */
function zoneOf(event: Answer): string | undefined {
  const { timezone, all_day, start_date, end_date } = event
  const isNamed = typeof timezone === 'string' && isZone(timezone) && fixedOffset(timezone) === undefined
  if (!isNamed || all_day === true || /^(etc\/)?(utc|gmt)$/i.test(timezone)) return undefined
  return isCovered(String(start_date)) && isCovered(String(end_date)) ? timezone : undefined
}

interface EventContext {
  readonly host: string
  readonly now: Date
  readonly zone: string | undefined
  readonly origin: string | undefined
}

function eventComponent(event: Answer, { host, now, zone, origin }: EventContext): ICAL.Component {
  const component = new ICAL.Component('vevent')
  const add = (name: string, value: unknown) => {
    if (value !== undefined && value !== '') component.addPropertyWithValue(name, value)
  }
  const modifiedWall = wallIn(event.modified_utc)
  const modified = modifiedWall === undefined ? undefined : inUtc(modifiedWall)
  add('uid', `event-${event.id}@${host}`)
  const slug = nonEmptyText(event.slug)?.replace(/__trashed$/, '')
  if (slug) addXCalctl(component, 'slug', slug)
  else if (origin !== undefined) {
    // In production a draft has no slug, by which its calendar would know it.
    addXCalctl(component, 'id', String(event.id))
    addXCalctl(component, 'origin', origin)
  }
  add('dtstamp', modified ?? inUtc(msWall(now.getTime())))
  add('last-modified', modified)
  addDates(component, event, zone)
  add('summary', plainText(event.title))
  addDescription(component, event.description)
  addVenue(component, event.venue)
  addOrganizers(component, event.organizer)
  const categories = objectsIn(event.categories).flatMap(category => plainText(category.name) ?? [])
  if (categories.length > 0) component.addProperty(propertyOf('categories', categories))
  addUrl(component, event)
  add('status', statuses[String(event.status)] ?? 'CONFIRMED')
  if (isForOwnerOnly(event)) add('class', 'PRIVATE')
  for (const [name, text] of visibilityProperties(event)) addXCalctl(component, name, text)
  return component
}

const statuses: Readonly<Record<string, string>> = lookupTable({
  draft: 'TENTATIVE',
  pending: 'TENTATIVE',
  trash: 'CANCELLED',
})

function addXCalctl(component: ICAL.Component, name: XCalctlName, text: string): void {
  const property = new ICAL.Property(xCalctl(name))
  property.resetType('text')
  property.setValue(text)
  component.addProperty(property)
}

function addDates(component: ICAL.Component, event: Answer, zone: string | undefined): void {
  const add = (name: string, time: ICAL.Time) => {
    const property = component.addPropertyWithValue(name, time)
    if (zone) property.setParameter('tzid', zone)
  }
  if (event.all_day === true) {
    const lastDay = wallMs(`${wallOf(event, 'end_date').slice(0, 10)} 00:00:00`)
    add('dtstart', ICAL.Time.fromDateString(wallOf(event, 'start_date').slice(0, 10)))
    add('dtend', ICAL.Time.fromDateString(msWall(lastDay + 86_400_000).slice(0, 10)))
  } else if (zone) {
    add('dtstart', localTime(wallOf(event, 'start_date')))
    add('dtend', localTime(wallOf(event, 'end_date')))
  } else {
    const timezone = nonEmptyText(event.timezone)
    if (timezone) addXCalctl(component, 'timezone', timezone)
    add('dtstart', inUtc(wallOf(event, 'utc_start_date')))
    add('dtend', inUtc(wallOf(event, 'utc_end_date')))
  }
}

/** A date of an event as `YYYY-MM-DD HH:MM:SS`; throws `settings` if the site answered something else. */
function wallOf(event: Answer, name: string): string {
  const wall = wallIn(event[name])
  if (wall !== undefined) return wall
  throw new Failure('settings', `event ${event.id} has no valid ${name}`, {
    hint: `see what the site answers with: calctl events get ${event.id} --json`,
  })
}

const wallIn = (value: unknown): string | undefined => (typeof value === 'string' ? readDate(value)?.wall : undefined)

const localTime = (wall: string): ICAL.Time => ICAL.Time.fromDateTimeString(wall.replace(' ', 'T'))

const inUtc = (wall: string): ICAL.Time => ICAL.Time.fromDateTimeString(`${wall.replace(' ', 'T')}Z`)

function addDescription(component: ICAL.Component, description: unknown): void {
  const text = plainText(description)
  if (text === undefined) return
  component.addPropertyWithValue('description', text)
  if (text !== description) addXCalctl(component, 'description', String(description))
}

function addVenue(component: ICAL.Component, venue: unknown): void {
  if (!isObject(venue)) return
  const parts = [venue.venue, venue.address, [venue.zip, venue.city].filter(part => part).join(' '), venue.country]
  const location = parts.map(plainText).filter(part => part !== undefined)
  if (location.length > 0) component.addPropertyWithValue('location', location.join(', '))
  const name = plainText(venue.venue)
  if (name) addXCalctl(component, 'venue', name)
  const { geo_lat: latitude, geo_lng: longitude } = venue
  if (typeof latitude === 'number' && typeof longitude === 'number')
    component.addPropertyWithValue('geo', [latitude, longitude])
}

/** RFC 5545, 3.6.1 and 3.8.4.3: an event has one ORGANIZER at most, with an address; the other organizers become CONTACTs. */
function addOrganizers(component: ICAL.Component, organizers: unknown): void {
  const [first, ...others] = objectsIn(organizers)
  if (!first) return
  const email = nonEmptyText(first.email)
  const property = component.addPropertyWithValue('organizer', email ? `mailto:${email}` : 'invalid:nomail')
  property.setParameter('cn', plainText(first.organizer) ?? '')
  if (others.length > 0)
    for (const { organizer } of [first, ...others]) addXCalctl(component, 'organizer', plainText(organizer) ?? '')
  for (const other of others) {
    const contact = [other.organizer, other.email, other.phone].map(plainText).filter(part => part !== undefined)
    if (contact.length > 0) component.addPropertyWithValue('contact', contact.join(', '))
  }
}

/** The website of an event, or else its page, which must not come back as its website. */
function addUrl(component: ICAL.Component, event: Answer): void {
  const [website, page] = [event.website, event.url]
    .map(nonEmptyText)
    .map(url => (url && /^https?:/i.test(url) ? url : undefined))
  const url = website ?? page
  if (url) component.addPropertyWithValue('url', url)
  if (page && url === page) addXCalctl(component, 'page', page)
}

function propertyOf(name: string, values: readonly string[]): ICAL.Property {
  const property = new ICAL.Property(name)
  property.setValues([...values])
  return property
}

const objectsIn = (value: unknown): Readonly<Record<string, unknown>>[] => [value].flat().filter(isObject)

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
