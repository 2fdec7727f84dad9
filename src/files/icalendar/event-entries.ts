/** The values of a VEVENT as entries of a record: its dates, and all others. */

import { createHash } from 'node:crypto'
import { memoize } from '../../base/memoize.ts'
import { decodePercent } from '../../base/text/escaping.ts'
import { keyOf } from '../../base/text/match-key.ts'
import { readDate } from '../../base/time/dates.ts'
import { withOffset } from '../../base/time/zone.ts'
import { phrase } from '../../base/words/phrase.ts'
import { eventStatusOf } from '../../contract/event-status.ts'
import { events } from '../../contract/events.ts'
import { isImagePath } from '../../contract/kinds/image-kind.ts'
import { checkValue } from '../../contract/kinds/kind-values.ts'
import { organizers } from '../../contract/organizers.ts'
import type { Status } from '../../contract/post-status.ts'
import { storedValue } from '../../contract/record.ts'
import type { Answer } from '../../contract/resource.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Component, Property } from './component.ts'
import { actualStart, durationOf, type EventTime, endTime, type ReadTimes } from './event-times.ts'
import { type FeedZone, zoneNamed } from './feed-zones.ts'
import {
  copyText,
  firstValueOf,
  InvalidProperty,
  optionalValueOf,
  plainText,
  valuesOf,
  type XCalctlName,
  xCalctlValues,
} from './parse-components.ts'

/** The dates of an event: in its own zone if that has a name, otherwise in `zone`. */
export function dateEntries(start: EventTime, end: EventTime, zone: string | undefined): RecordEntry[] {
  const target = targetZone(start, zone)
  return [
    { name: 'all_day', value: start.isDay, column: 'DTSTART' },
    { name: 'start_date', value: renderTime(start, target), column: 'DTSTART' },
    { name: 'end_date', value: renderTime(end, target), column: 'DTEND' },
    { name: 'timezone', value: target.name, column: 'DTSTART' },
  ]
}

/**
 * The zone for a time. UTC and zones without a name say when an event is, not where: their times are converted to the zone of the calendar.
 */
function targetZone({ zone, isDay }: EventTime, fallback: string | undefined): FeedZone {
  if (zone.isFloating || isDay) return zone
  return zone.name === undefined || zone.name === 'UTC' ? zoneNamed(fallback ?? 'UTC') : zone
}

const renderTime = ({ wall, zone, isDay }: EventTime, target: FeedZone): string =>
  isDay || (zone === target && zone.isUnique(wall)) ? wall : target.render(zone.toUtc(wall))

/** The dates of an event with invalid properties; an invalid date stays as it is in the feed. */
export function partialDateEntries(
  component: Component,
  readTimes: ReadTimes,
  zone: string | undefined,
): RecordEntry[] {
  const start = orUndefined(() => readTimes(component, 'dtstart')[0])
  const end = orUndefined(() => readTimes(component, 'dtend')[0])
  const valid = orUndefined(() => {
    if (!start) return undefined
    const actual = actualStart(start)
    return dateEntries(actual, endTime(actual, durationOf(component, readTimes)), zone)
  })
  if (valid) return valid
  const dateOf = (property: string, time: EventTime | undefined) =>
    (time && orUndefined(() => renderTime(time, targetZone(time, zone)))) ?? firstValueOf(component, property)
  return [
    { name: 'all_day', value: start?.isDay, column: 'DTSTART' },
    { name: 'start_date', value: dateOf('dtstart', start), column: 'DTSTART' },
    { name: 'end_date', value: dateOf('dtend', end), column: 'DTEND' },
    { name: 'timezone', value: start && targetZone(start, zone).name, column: 'DTSTART' },
  ]
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidProperty) return undefined
    throw error
  }
}

/** What Google and Apple show for an event without a SUMMARY. */
export const noTitle = '(no title)'

/** The values of an event except its dates. A missing property leaves its field as it is. */
export function textEntries(component: Component): RecordEntry[] {
  const location = optionalValueOf(component, 'location')
  const values: readonly (readonly [string, unknown, string])[] = [
    ['title', optionalValueOf(component, 'summary') ?? noTitle, 'SUMMARY'],
    ['description', descriptionOf(component), 'DESCRIPTION'],
    ['venue', venueOf(component, location), 'LOCATION'],
    ['organizer', organizersOf(component), 'ORGANIZER'],
    ['categories', categoriesOf(component), 'CATEGORIES'],
    ['image', imageProperties(component).flatMap(valuesOf)[0], 'ATTACH'],
    ['website', websiteOf(component, location), 'URL'],
  ]
  return [...values.map(([name, value, column]) => ({ name, value, column })), ...visibilityEntries(component)]
}

const isUrl = (text: string | undefined): boolean => text !== undefined && /^https?:\/\/\S+$/i.test(text)

/** Whether a property is the address of a picture: an IMAGE (RFC 7986, 5.10), or an ATTACH with a picture. */
function isImage(property: Property): boolean {
  const [address = ''] = valuesOf(property)
  const type = property.parameters.get('fmttype') ?? ''
  const isPicture = type === '' ? property.name === 'image' || endsAsImage(address) : /^image\//i.test(type)
  if (isImagePath(address)) return isPicture && endsAsImage(address)
  return isPicture && isUrl(address) && checkValue(events.fields.image, address).ok
}

const endsAsImage = (address: string): boolean => /\.(jpe?g|png|gif|webp|avif)([?#]|$)/i.test(address)

/** The properties that are addresses of pictures, with the preferred one first. */
export const imageProperties = (component: Component): Property[] =>
  [...component.all('image'), ...component.all('attach')].filter(isImage)

/** The HTML that calctl exported, unless another program has changed the text since; or the HTML that Outlook and others add to it. */
function descriptionOf(component: Component): string | undefined {
  const text = optionalValueOf(component, 'description')
  return xCalctlValues(component, 'description').find(html => plainText(html) === text) ?? htmlOf(component) ?? text
}

/** X-ALT-DESC as HTML without the page around it. */
export function htmlOf(component: Component): string | undefined {
  const property = component.first('x-alt-desc')
  if (!property || !/^text\/html$/i.test(property.parameters.get('fmttype') ?? '')) return undefined
  const [html = ''] = valuesOf(property)
  const body = /<body[^>]*>(.*)<\/body>/is.exec(html)?.[1] ?? html.replace(/^\s*<!doctype[^>]*>/i, '')
  const content = body.replace(/<!--.*?-->|<(style|script|head|title)\b.*?<\/\1>/gis, '').trim()
  return plainText(content) === undefined && !/<(img|iframe|video|audio)\b/i.test(content) ? undefined : content
}

/** The first line is the name of the venue, the others are its address. If there is only the address of a page, that is the website. */
function venueOf(component: Component, location = ''): unknown {
  const exported = xCalctlValues(component, 'venue').find(name => location.startsWith(name))
  if (exported) return [exported]
  if (location === '' || isUrl(location)) return undefined
  const [name = '', ...lines] = location.split('\n').map(line => line.trim())
  const address = lines.filter(line => line !== '').join(', ')
  return [address === '' ? name : { venue: name, address }]
}

/** The URL, unless it is the page of the event on the site that exported it. LOCATION can be an address, too. */
function websiteOf(component: Component, location: string | undefined): string | undefined {
  const url = optionalValueOf(component, 'url')
  const isExportedPage = xCalctlValues(component, 'page').includes(url ?? '')
  return [isExportedPage ? undefined : url, location].find(isWebsite)
}

/** Whether the website of an event may be this address. */
export const isWebsite = (address: string | undefined): address is string =>
  isUrl(address) && checkValue(events.fields.website, address).ok

interface Organizer {
  readonly organizer: string
  readonly email?: string
}

/** Organizers by name, with an e-mail address for those that have to be created. */
function organizersOf(component: Component): (Organizer | string)[] | undefined {
  const inFeed = component
    .all('organizer')
    .map(parseOrganizer)
    .filter(({ organizer }) => organizer !== '')
  const exported = xCalctlValues(component, 'organizer')
  const isUnchanged = inFeed.some(({ organizer }) => exported.includes(organizer))
  const organizers = isUnchanged
    ? exported.map(name => inFeed.find(({ organizer }) => organizer === name) ?? { organizer: name })
    : inFeed
  if (organizers.length === 0) return undefined
  return organizers.map(organizer => (organizer.email === undefined ? organizer.organizer : organizer))
}

function parseOrganizer(property: Property): Organizer {
  const [address = ''] = valuesOf(property)
  const email = /^mailto:\s*(.+)$/i.exec(address)?.[1] ?? ''
  const name = decodeName(property.parameters.get('cn') ?? '').trim()
  // Programs write `invalid:nomail` for an organizer without an address.
  const fallback = email === '' ? address.replace(/^invalid:.*/i, '') : email.replace(/@.*/, '')
  return { organizer: name || fallback, email: isReadByPeople(email) ? email : undefined }
}

/** Whether mail to an address is read by people: Google and others write addresses that accept no mail. */
const isReadByPeople = (email: string): boolean =>
  email !== '' &&
  checkValue(organizers.fields.email, email).ok &&
  !/^(no-?reply|do-?not-?reply|unknownorganizer)@|@group\.calendar\.google\.com$/i.test(email)

/** The Events Calendar percent-encodes names: `Coral%20Vella`. */
const decodeName = (name: string): string =>
  /^(?=.*%)(?:[\w.~-]|%[0-9a-f]{2})+$/i.test(name) ? decodePercent(name) : name

function categoriesOf(component: Component): string[] | undefined {
  const names = component.all('categories').flatMap(valuesOf)
  const categories = [...new Set(names.filter(name => name !== ''))]
  return categories.length > 0 ? categories : undefined
}

/** Who may see an event: what iCalendar says about it (CLASS), and what calctl adds, so that no draft becomes public in a feed. */

/** The statuses in X-CALCTL-STATUS. An event without it is published. */
const carried: readonly Status[] = ['draft', 'pending', 'private', 'future']

const isUnfinished = (status: unknown): boolean => status === 'draft' || status === 'pending'

/** The properties for an event that is not public. They do not contain its password, only that there was one. */
export function visibilityProperties(event: Answer): readonly (readonly [XCalctlName, string])[] {
  const { status, hide_from_listings: isHidden } = event
  const eventStatus = eventStatusOf(event)
  const [date, utc] = [event.date, event.date_utc].map(text => readDate(String(text))?.wall)
  return [
    ...(carried.some(name => name === status) ? [['status', String(status)] as const] : []),
    ...(status === 'future' && date && utc ? [['date', withOffset(date, utc)] as const] : []),
    ...(eventStatus === undefined ? [] : [['event-status', eventStatus] as const]),
    ...(isHidden === true ? [['hide-from-listings', 'TRUE'] as const] : []),
    ...(hasPassword(event) ? [['protected', 'TRUE'] as const] : []),
  ]
}

/** Whether other programs should show an event only to its owner. */
export const isForOwnerOnly = (event: Answer): boolean => event.status === 'private' || hasPassword(event)

/** Whether an event has a password, which `withPasswordMarks` has marked. */
const hasPassword = (event: Answer): boolean => (storedValue('post_password', event) ?? '') !== ''

/** The entries of an event that say who may see it. */
function visibilityEntries(component: Component): RecordEntry[] {
  const isHidden = xCalctlValues(component, 'hide-from-listings').some(isTrue)
  return [
    { name: 'status', value: statusOf(component), column: 'CLASS' },
    { name: 'event_status', value: exportedEventStatus(component), column: 'X-CALCTL-EVENT-STATUS' },
    { name: 'date', value: xCalctlValues(component, 'date')[0], column: 'X-CALCTL-DATE' },
    { name: 'hide_from_listings', value: isHidden || undefined, column: 'X-CALCTL-HIDE-FROM-LISTINGS' },
  ]
}

/** The status of an event: what an owner does not share must not be published. */
function statusOf(component: Component): string | undefined {
  const status = exportedStatus(component)
  const isPrivate =
    !wasProtected(component) && /^(private|confidential)$/i.test(optionalValueOf(component, 'class') ?? '')
  return isPrivate && !isUnfinished(status) ? 'private' : status
}

/** Whether an event that calctl exported takes place. An event that another program has cancelled is removed instead. */
export const exportedEventStatus = (component: Component): string | undefined =>
  xCalctlValues(component, 'event-status')[0]?.toLowerCase()

const exportedStatus = (component: Component): Status | undefined =>
  carried.find(status => xCalctlValues(component, 'status')[0]?.toLowerCase() === status)

const wasProtected = (component: Component): boolean => xCalctlValues(component, 'protected').some(isTrue)

const isTrue = (text: string): boolean => /^true$/i.test(text)

/** The status of a new event whose password was not exported; an existing event may still have its password. */
export const statusWithoutPassword = (component: Component): { readonly status: Status } | undefined =>
  wasProtected(component) && !isUnfinished(exportedStatus(component)) ? { status: 'private' } : undefined

/** Whether an event is tentative but will be published, because the file does not say what tentative means in its calendar. */
export const isTentative = (component: Component): boolean =>
  /^tentative$/i.test(optionalValueOf(component, 'status') ?? '') && statusOf(component) === undefined

/** A VEVENT and its position in the file: `event 3`. */
export interface PlacedEvent {
  readonly component: Component
  readonly place: string
}

/**
 * All VEVENTs with one UID (RFC 5545, 3.8.4.7). The newest revision counts, by SEQUENCE, then LAST-MODIFIED, then DTSTAMP. Overrides of
 * single occurrences (RECURRENCE-ID) belong to it.
 */
export interface EventRevisions {
  readonly uid: string
  readonly place: string
  /** The newest revision; missing if the feed has only overrides. */
  readonly event?: Component
  /** Different events with the same UID that are as new as `event`. */
  readonly overrides: readonly Component[]
  /** Different events with the same UID and as new as `event`. */
  readonly duplicates: readonly PlacedEvent[]
  /** Older events that differ from `event`. */
  readonly replaced: readonly PlacedEvent[]
}

/**
 * Groups the events of a calendar by UID. One group at a time is parsed, because all of a large feed would need ten times its size in
 * memory.
 */
export function* groupRevisions(calendar: Component): Generator<EventRevisions> {
  const events = calendar.childrenNamed('vevent')
  const byUid = new Map<string, number[]>()
  for (const [index, component] of events.entries()) {
    const uid = uidOf(component)
    const others = byUid.get(uid)
    if (others) others.push(index)
    else byUid.set(uid, [index])
    component.forget()
  }
  const placed = (index: number) => ({
    component: events[index] as Component,
    place: phrase('event {number}', { number: index + 1 }),
  })
  for (const [uid, indices] of byUid) yield revisionsOf(uid, indices.map(placed))
}

/** The UID, which RFC 5545 requires; events without one are told apart by title and start. */
const uidOf = (component: Component): string =>
  keyOf(component.uid) ?? copyText(`${firstValueOf(component, 'summary')} ${firstValueOf(component, 'dtstart')}`)

function revisionsOf(uid: string, all: readonly PlacedEvent[]): EventRevisions {
  const [only] = all
  if (only && all.length === 1 && !only.component.has('recurrence-id'))
    return { uid, place: only.place, event: only.component, overrides: [], duplicates: [], replaced: [] }
  const oldestFirst = all.toSorted((one, other) => compareAge(one.component, other.component))
  const isOverride = ({ component }: PlacedEvent) => component.has('recurrence-id')
  const events = oldestFirst.filter(event => !isOverride(event))
  const newest = events.at(-1)
  const newestEvents = newest ? events.filter(event => compareAge(event.component, newest.component) === 0) : []
  const [event, ...others] = newestEvents
  return {
    uid,
    place: event?.place ?? all[0]?.place ?? '',
    event: event?.component,
    overrides: oldestFirst.filter(isOverride).map(({ component }) => component),
    duplicates: others.filter(other => !isEqual(other, event)),
    replaced: events.filter(other => !newestEvents.includes(other) && !isEqual(other, event)),
  }
}

/** Whether two events have the same lines, except for those that say when they were written. */
const isEqual = (one: PlacedEvent, other: PlacedEvent | undefined): boolean =>
  other !== undefined && textOf(one.component) === textOf(other.component)

const textOf = ({ lines }: Component): string =>
  lines
    .map(({ text }) => text)
    .filter(text => !/^(DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE)\b/i.test(text))
    .join('\n')

/** Negative if the first one is older. */
function compareAge(one: Component, other: Component): number {
  const revision = Number(firstValueOf(one, 'sequence')) - Number(firstValueOf(other, 'sequence'))
  if (revision) return revision
  for (const property of ['last-modified', 'dtstamp']) {
    const [first, second] = [firstValueOf(one, property), firstValueOf(other, property)]
    if (first !== second) return first < second ? -1 : 1
  }
  return 0
}

/** An event in messages: `event 3 "Fira"`. */
export const describeEvent = ({ place, component }: PlacedEvent): string =>
  `${place} "${optionalValueOf(component, 'summary') ?? firstValueOf(component, 'uid')}"`

/**
 * The slug of an event in a feed. It is made from the UID and, for an occurrence of a series, from its day, so that the same event gets it
 * each time the feed is read. At most 155 characters of `[a-z0-9-]`; a digest tells apart UIDs that differ only in other characters.
 */
export const feedSlug = (uid: string, occurrence?: string): string =>
  occurrence ? `${uidSlug(uid)}-${occurrence}` : uidSlug(uid)

const uidSlug = memoize(uid => {
  const readable = uid
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 120)
    .replace(/^-|-$/g, '')
  const digest = createHash('sha256').update(uid).digest('hex').slice(0, 10)
  return readable === '' ? digest : `${readable}-${digest}`
})

/** Splits a slug of `feedSlug` into the part made from the UID and the day of the occurrence, `20261205`, empty if there is none. */
export function splitFeedSlug(slug: string): { readonly uidSlug: string; readonly day: string } {
  const [, uidSlug = slug, day = ''] = /^(.+)-(\d{8})(?:t\d{6})?$/.exec(slug) ?? []
  return { uidSlug, day }
}
