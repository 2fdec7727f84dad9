import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { type Answer, isObject } from '../../contract/resource.ts'
import { msWall, readDate, wallMs } from '../../time/dates.ts'
import { fixedOffset, isZone } from '../../time/zone-name.ts'
import { addOwn } from './own.ts'
import { plainText } from './plain-text.ts'
import { isCovered, zoneComponent } from './vtimezone.ts'

// The space that begins the second line of a folded one counts, too.
ICAL.foldLength = 74

/** How a feed is to be written. */
export interface CalendarWriting {
  /** Where the events are; makes their UIDs the same each time. */
  readonly site: string
  readonly now: Date
  /** What the calendar is called. */
  readonly name?: string
}

/**
 * Writes events, as a service answers them, as an iCalendar file that other calendars read: in their own zones where these have
 * names, in UTC otherwise. A zone is described before the first event that stands in it.
 */
export async function* writeCalendar(
  events: AsyncIterable<Answer> | Iterable<Answer>,
  { site, now, name }: CalendarWriting,
): AsyncGenerator<string> {
  const host = hostOf(site)
  const described = new Set<string>()
  yield `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//calctl//calctl//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'].join('\r\n')}\r\n`
  if (name !== undefined) yield `${calendarName(name)}\r\n`
  for await (const event of events) {
    const zone = zoneOf(event)
    if (zone && !described.has(zone)) yield `${zoneComponent(zone)}\r\n`
    if (zone) described.add(zone)
    yield `${eventComponent(event, { host, now, zone })}\r\n`
  }
  yield 'END:VCALENDAR\r\n'
}

/** ical.js knows no type of what begins with X-, and escapes nothing there. */
const calendarName = (name: string): string => {
  const property = new ICAL.Property('x-wr-calname')
  property.setValue(name.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n'))
  return property.toICALString()
}

/** A file's path says more about a machine than its events should. */
const hostOf = (site: string): string =>
  /^https?:/i.test(site)
    ? site
        .replace(/^\w+:\/+/, '')
        .replace(/[^\w.-]+/g, '-')
        .replace(/-$/, '')
    : createHash('sha256').update(site).digest('hex').slice(0, 12)

/** The zone to write an event in; UTC where it has no name, or the times are older or newer than what zones describe. */
function zoneOf(event: Answer): string | undefined {
  const { timezone, all_day, start_date, end_date } = event
  const isNamed = typeof timezone === 'string' && isZone(timezone) && fixedOffset(timezone) === undefined
  const isKnown = isNamed && isCovered(String(start_date)) && isCovered(String(end_date))
  return isKnown && all_day !== true && !/^(etc\/)?(utc|gmt)$/i.test(timezone) ? timezone : undefined
}

interface EventWriting {
  readonly host: string
  readonly now: Date
  readonly zone: string | undefined
}

function eventComponent(event: Answer, { host, now, zone }: EventWriting): ICAL.Component {
  const component = new ICAL.Component('vevent')
  const add = (name: string, value: unknown) => {
    if (value !== undefined && value !== '') component.addPropertyWithValue(name, value)
  }
  const changed = textOf(event.modified_utc)
  const modified = changed && readDate(changed) ? inUtc(changed) : undefined
  add('uid', `event-${event.id}@${host}`)
  const slug = textOf(event.slug)?.replace(/__trashed$/, '')
  if (slug) addOwn(component, 'slug', slug)
  add('dtstamp', modified ?? inUtc(msWall(now.getTime())))
  add('last-modified', modified)
  addDates(component, event, zone)
  add('summary', plainText(event.title))
  addDescription(component, event.description)
  addPlace(component, event.venue)
  addOrganizers(component, event.organizer)
  const categories = listOf(event.categories).flatMap(category => plainText(category.name) ?? [])
  if (categories.length > 0) component.addProperty(propertyOf('categories', categories))
  const [website, page] = [event.website, event.url]
    .map(textOf)
    .map(url => (/^https?:/i.test(url ?? '') ? url : undefined))
  add('url', website ?? page)
  if (page && (website ?? page) === page) addOwn(component, 'page', page)
  add('status', statuses[String(event.status)] ?? 'CONFIRMED')
  if (event.status === 'private') add('class', 'PRIVATE')
  return component
}

const statuses: Readonly<Record<string, string>> = { draft: 'TENTATIVE', pending: 'TENTATIVE', trash: 'CANCELLED' }

function addDates(component: ICAL.Component, event: Answer, zone: string | undefined): void {
  const add = (name: string, time: ICAL.Time) => {
    const property = component.addPropertyWithValue(name, time)
    if (zone) property.setParameter('tzid', zone)
  }
  if (event.all_day === true) {
    const lastDay = wallMs(`${String(event.end_date).slice(0, 10)} 00:00:00`)
    add('dtstart', ICAL.Time.fromDateString(String(event.start_date).slice(0, 10)))
    add('dtend', ICAL.Time.fromDateString(msWall(lastDay + 86_400_000).slice(0, 10)))
  } else {
    const timezone = textOf(event.timezone)
    if (!zone && timezone) addOwn(component, 'timezone', timezone)
    const [start, end] = zone ? [event.start_date, event.end_date] : [event.utc_start_date, event.utc_end_date]
    const timeOf = zone ? (wall: string) => ICAL.Time.fromDateTimeString(wall.replace(' ', 'T')) : inUtc
    add('dtstart', timeOf(String(start)))
    add('dtend', timeOf(String(end)))
  }
}

const inUtc = (wall: string): ICAL.Time => ICAL.Time.fromDateTimeString(`${wall.replace(' ', 'T')}Z`)

function addDescription(component: ICAL.Component, description: unknown): void {
  const text = plainText(description)
  if (text === undefined) return
  component.addPropertyWithValue('description', text)
  if (text !== description) addOwn(component, 'description', String(description))
}

function addPlace(component: ICAL.Component, venue: unknown): void {
  if (!isObject(venue)) return
  const parts = [venue.venue, venue.address, [venue.zip, venue.city].filter(part => part).join(' '), venue.country]
  const location = parts.map(plainText).filter(part => part !== undefined)
  if (location.length > 0) component.addPropertyWithValue('location', location.join(', '))
  const name = plainText(venue.venue)
  if (name) addOwn(component, 'venue', name)
  const { geo_lat: latitude, geo_lng: longitude } = venue
  if (typeof latitude === 'number' && typeof longitude === 'number')
    component.addPropertyWithValue('geo', [latitude, longitude])
}

/** There can be one ORGANIZER only, with an address; the others are contacts. */
function addOrganizers(component: ICAL.Component, organizers: unknown): void {
  const [first, ...others] = listOf(organizers)
  if (!first) return
  const address = textOf(first.email)
  const property = component.addPropertyWithValue('organizer', address ? `mailto:${address}` : 'invalid:nomail')
  property.setParameter('cn', plainText(first.organizer) ?? '')
  if (others.length > 0)
    for (const { organizer } of [first, ...others]) addOwn(component, 'organizer', plainText(organizer) ?? '')
  for (const other of others) {
    const contact = [other.organizer, other.email, other.phone].map(plainText).filter(part => part !== undefined)
    if (contact.length > 0) component.addPropertyWithValue('contact', contact.join(', '))
  }
}

function propertyOf(name: string, values: readonly string[]): ICAL.Property {
  const property = new ICAL.Property(name)
  property.setValues([...values])
  return property
}

const listOf = (value: unknown): Readonly<Record<string, unknown>>[] => [value].flat().filter(isObject)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
