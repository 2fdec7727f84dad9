import { createHash } from 'node:crypto'
import { badSettings } from '../../base/failure.ts'
import { grouped } from '../../base/groups.ts'
import { lookupTable } from '../../base/memoize.ts'
import { plainText } from '../../base/text/escaping.ts'
import { isObject, objectsIn } from '../../base/text/json.ts'
import { dayAfter, msWall, readDate } from '../../base/time/dates.ts'
import { fixedOffset, isZone, offsetAt, offsetText } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { eventStatusOf } from '../../contract/event-status.ts'
import type { Answer } from '../../contract/resource.ts'
import { isForOwnerOnly, visibilityProperties } from './event-visibility.ts'
import { type XCalctlName, xCalctl } from './parse-components.ts'

export interface ICalendarWriteOptions {
  /** The site of the events, from which their UIDs are made. */
  readonly site: string
  readonly now: Date
  /** The calendar to which the IDs of the events belong, as in exports. */
  readonly origin?: string
  /** The name of the calendar. */
  readonly name?: string
  /** How often subscribers should read it again, as `PT1H`. */
  readonly refresh?: string
}

/**
 * Writes events, as a service returns them, as iCalendar for other calendars: in their own zones if these have names, otherwise in UTC. The
 * VTIMEZONE of a zone comes before its first event.
 */
export async function* writeICalendar(
  events: AsyncIterable<Answer> | Iterable<Answer>,
  { site, now, name, origin, refresh }: ICalendarWriteOptions,
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
  if (name !== undefined) yield joinLines([textLine('x-wr-calname', name)])
  // The first one is that of RFC 7986; Outlook and older programs know the second.
  if (refresh !== undefined)
    yield joinLines([`REFRESH-INTERVAL;VALUE=DURATION:${refresh}`, `X-PUBLISHED-TTL:${refresh}`])
  for await (const event of events) {
    const zone = zoneOf(event)
    if (zone && !definedZones.has(zone)) yield joinLines(vtimezone(zone))
    if (zone) definedZones.add(zone)
    yield joinLines(eventLines(event, { host, now, zone, origin }))
  }
  yield joinLines(['END:VCALENDAR'])
}

export const joinLines = (lines: readonly string[]): string => lines.map(line => `${fold(line)}\r\n`).join('')

/** RFC 5545, 3.1: a line has at most 75 octets, including the space at the beginning of a continuation. */
const maxOctets = 75

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

type Parameters = Readonly<Record<string, string>>

/** A property whose value is written as it is: a date, an address, a joined list. It cannot begin another line. */
export const line = (name: string, value: string, parameters: Parameters = {}): string =>
  `${name.toUpperCase()}${Object.entries(parameters).map(parameter).join('')}:${value.replace(/[\r\n]/g, '')}`

/** A property with a text. */
export const textLine = (name: string, text: string): string => line(name, escapeText(text))

/** A property that only calctl reads; other programs are told that it is a text. */
const ownLine = (name: XCalctlName, text: string): string => line(xCalctl(name), escapeText(text), { value: 'TEXT' })

/** RFC 5545, 3.1: what neither texts nor parameters can contain. */
const controls = /[^\P{Cc}\t]/gu

/** RFC 5545, 3.3.11 */
const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(controls, '')

/** RFC 6868 encodes what a parameter cannot contain. */
function parameter([name, text]: [string, string]): string {
  const value = text.replace(/[\n^"]/g, sign => caretForms[sign] ?? sign).replace(controls, '')
  return `;${name.toUpperCase()}=${/[,:;]/.test(value) ? `"${value}"` : value}`
}

const caretForms: Readonly<Record<string, string>> = { '\n': '^n', '^': '^^', '"': "^'" }

/** The host part of UIDs. The path of a calendar file is hashed, because it would tell too much about the machine. */
function uidHost(site: string): string {
  if (!/^https?:/i.test(site)) return createHash('sha256').update(site).digest('hex').slice(0, 12)
  return site
    .replace(/^\w+:\/+/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/-$/, '')
}

/** The zone in which to write an event; undefined, for UTC, if it has no name or its VTIMEZONE does not cover the event. */
function zoneOf(event: Answer): string | undefined {
  const { timezone, all_day, start_date, end_date } = event
  const isNamed = typeof timezone === 'string' && isZone(timezone) && fixedOffset(timezone) === undefined
  if (!isNamed || all_day === true || /^(etc\/)?(utc|gmt)$/i.test(timezone)) return undefined
  return isCovered(String(start_date)) && isCovered(String(end_date)) ? timezone : undefined
}

interface EventContext extends Pick<ICalendarWriteOptions, 'now' | 'origin'> {
  readonly host: string
  readonly zone: string | undefined
}

function eventLines(event: Answer, { host, now, zone, origin }: EventContext): string[] {
  const modified = wallIn(event.modified_utc)
  const summary = plainText(event.title)
  return [
    'BEGIN:VEVENT',
    line('uid', `event-${event.id}@${host}`),
    ...identityLines(event, origin),
    line('dtstamp', inUtc(modified ?? msWall(now.getTime()))),
    ...(modified === undefined ? [] : [line('last-modified', inUtc(modified))]),
    ...dateLines(event, zone),
    ...(summary === undefined ? [] : [textLine('summary', summary)]),
    ...descriptionLines(event.description),
    ...linkLines(event),
    ...urlLines(event),
    line('status', statuses[eventStatusOf(event) ?? ''] ?? statuses[String(event.status)] ?? 'CONFIRMED'),
    ...(isForOwnerOnly(event) ? [line('class', 'PRIVATE')] : []),
    ...visibilityProperties(event).map(([name, text]) => ownLine(name, text)),
    'END:VEVENT',
  ]
}

/** The venue, the organizers and the categories of an event. */
export function linkLines({ venue, organizer, categories }: Answer): string[] {
  const names = objectsIn(categories).flatMap(category => plainText(category.name) ?? [])
  return [
    ...venueLines(venue),
    ...organizerLines(organizer),
    ...(names.length > 0 ? [line('categories', names.map(escapeText).join(','))] : []),
  ]
}

/** The lines by which the calendar of an event recognizes it: in production a draft has no slug. */
function identityLines({ id, slug: answered }: Answer, origin: string | undefined): string[] {
  const slug = nonEmptyText(answered)?.replace(/__trashed$/, '')
  if (slug) return [ownLine('slug', slug)]
  return origin === undefined ? [] : [ownLine('id', String(id)), ownLine('origin', origin)]
}

const statuses: Readonly<Record<string, string>> = lookupTable({
  draft: 'TENTATIVE',
  pending: 'TENTATIVE',
  trash: 'CANCELLED',
  canceled: 'CANCELLED',
})

export function dateLines(event: Answer, zone: string | undefined): string[] {
  const lines = (start: string, end: string, parameters?: Parameters) => [
    line('dtstart', start, parameters),
    line('dtend', end, parameters),
  ]
  if (event.all_day === true) {
    const lastDay = wallOf(event, 'end_date').slice(0, 10)
    return lines(dayOf(wallOf(event, 'start_date')), dayOf(dayAfter(lastDay)), { value: 'DATE' })
  }
  if (zone) return lines(localTime(wallOf(event, 'start_date')), localTime(wallOf(event, 'end_date')), { tzid: zone })
  const timezone = nonEmptyText(event.timezone)
  return [
    ...(timezone ? [ownLine('timezone', timezone)] : []),
    ...lines(inUtc(wallOf(event, 'utc_start_date')), inUtc(wallOf(event, 'utc_end_date'))),
  ]
}

/** A date of an event as `YYYY-MM-DD HH:MM:SS`; throws `settings` if the site has answered something else. */
function wallOf(event: Answer, name: string): string {
  const wall = wallIn(event[name])
  if (wall !== undefined) return wall
  throw badSettings(
    phrase('event {id} has no valid {field}', { id: event.id, field: name }),
    phrase('check the answer of the site with: {command}', { command: `calctl events get ${event.id} --json` }),
  )
}

const wallIn = (value: unknown): string | undefined => (typeof value === 'string' ? readDate(value)?.wall : undefined)

const dayOf = (wall: string): string => wall.slice(0, 10).replaceAll('-', '')

export const inUtc = (wall: string): string => `${localTime(wall)}Z`

function descriptionLines(description: unknown): string[] {
  const text = plainText(description)
  if (text === undefined) return []
  const html = text === description ? [] : [ownLine('description', String(description))]
  return [textLine('description', text), ...html]
}

function venueLines(venue: unknown): string[] {
  if (!isObject(venue)) return []
  const parts = [venue.venue, venue.address, [venue.zip, venue.city].filter(part => part).join(' '), venue.country]
  const location = parts.map(plainText).filter(part => part !== undefined)
  const name = plainText(venue.venue)
  const { geo_lat: latitude, geo_lng: longitude } = venue
  const isPlaced = typeof latitude === 'number' && typeof longitude === 'number'
  return [
    ...(location.length > 0 ? [textLine('location', location.join(', '))] : []),
    ...(name ? [ownLine('venue', name)] : []),
    ...(isPlaced ? [line('geo', `${latitude};${longitude}`)] : []),
  ]
}

/** RFC 5545, 3.6.1 and 3.8.4.3: an event has at most one ORGANIZER, with an address; other organizers become CONTACTs. */
function organizerLines(organizers: unknown): string[] {
  const [first, ...others] = objectsIn(organizers)
  if (!first) return []
  const email = nonEmptyText(first.email)
  const named = others.length > 0 ? [first, ...others] : []
  const contacts = others
    .map(({ organizer, email, phone }) => [organizer, email, phone].map(plainText).filter(part => part !== undefined))
    .filter(contact => contact.length > 0)
  return [
    line('organizer', email ? `mailto:${email}` : 'invalid:nomail', { cn: plainText(first.organizer) ?? '' }),
    ...named.map(({ organizer }) => ownLine('organizer', plainText(organizer) ?? '')),
    ...contacts.map(contact => textLine('contact', contact.join(', '))),
  ]
}

/** The website of an event, or else its page, which must not come back as the website. */
function urlLines(event: Answer): string[] {
  const [website, page] = [event.website, event.url]
    .map(nonEmptyText)
    .map(url => (url && /^https?:/i.test(url) ? url : undefined))
  const url = website ?? page
  return [...(url ? [line('url', url)] : []), ...(page && url === page ? [ownLine('page', page)] : [])]
}

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const firstYear = 1970
const endYear = 2050

/** Whether `vtimezone` contains the clock changes of the year of a wall time. */
const isCovered = (wall: string): boolean => Number(wall.slice(0, 4)) > firstYear && Number(wall.slice(0, 4)) < endYear

type Transition = ReturnType<typeof transitionAt>

/** The VTIMEZONE of an IANA zone: its clock changes from 1970 to 2050, with one observance for each pair of offsets. */
function vtimezone(name: string): string[] {
  const byOffsets = grouped(transitionsIn(name), one => `${one.offsetBefore} ${one.offsetAfter}`)
  const observances = [...byOffsets.values()].flatMap(observance)
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...observances, 'END:VTIMEZONE']
}

/** The clock changes of a zone, found by its offsets in `zone.ts`, so that each zone that can be read can also be written. */
export function transitionsIn(name: string): Transition[] {
  const start = Date.UTC(firstYear, 0)
  const offset = offsetAt(start, name)
  const transitions: Transition[] = [transitionAt(start - offset, offset, offset)]
  let before = offset
  for (let moment = start; moment < Date.UTC(endYear, 0); moment += step) {
    const after = offsetAt(moment + step, name)
    if (after === before) continue
    const change = changeBetween(moment, moment + step, name, before)
    if (change >= Date.UTC(endYear, 0)) break
    transitions.push(transitionAt(change, before, after))
    before = after
  }
  return transitions
}

/** No zone has changed its clocks twice within ten days since 1970. */
const step = 10 * 86_400_000

function transitionAt(moment: number, before: number, after: number) {
  return {
    moment,
    wall: localTime(msWall(moment + before)),
    offsetBefore: basicOffset(before),
    offsetAfter: basicOffset(after),
    isForward: after > before,
  }
}

/** The second between two moments at which the offset changes. */
function changeBetween(first: number, last: number, name: string, before: number): number {
  let [low, high] = [first, last]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (offsetAt(middle, name) === before) low = middle
    else high = middle
  }
  return high
}

function observance(transitions: readonly Transition[]): string[] {
  const [first] = transitions
  if (!first) return []
  const name = first.isForward ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${name}`,
    `DTSTART:${first.wall}`,
    `TZOFFSETFROM:${first.offsetBefore}`,
    `TZOFFSETTO:${first.offsetAfter}`,
    // One RDATE line for each, including the first date: some readers look only at RDATE.
    ...(transitions.length > 1 ? transitions.map(({ wall }) => `RDATE:${wall}`) : []),
    `END:${name}`,
  ]
}

/** `2026-12-05 19:00:00` as iCalendar writes a local time: `20261205T190000`. */
export const localTime = (wall: string): string => wall.replace(/[-:]/g, '').replace(' ', 'T')

/** `+01:00` as iCalendar writes it: `+0100`. */
const basicOffset = (ms: number): string => offsetText(ms).replaceAll(':', '')
