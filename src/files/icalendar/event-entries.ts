/** The values of a VEVENT as entries of a record: its dates, and all others. */

import { decodePercent, plainText } from '../../base/text/escaping.ts'
import { events } from '../../contract/events.ts'
import { isImagePath } from '../../contract/kinds/image-kind.ts'
import { checkValue } from '../../contract/kinds/kind-values.ts'
import { organizers } from '../../contract/organizers.ts'
import type { RecordEntry } from '../records/record-builder.ts'
import type { Component, Property } from './component.ts'
import type { EventTime } from './event-times.ts'
import { visibilityEntries } from './event-visibility.ts'
import { type FeedZone, zoneNamed } from './feed-zones.ts'
import { optionalValueOf, valuesOf, xCalctlValues } from './parse-components.ts'

/** The dates of an event: in its own zone if that has a name, otherwise in `zone`. */
export function dateEntries(start: EventTime, end: EventTime, zone: string | undefined): RecordEntry[] {
  const target = targetZone(start, zone)
  return entriesOf(start.isDay, renderTime(start, target), renderTime(end, target), target.name)
}

const entriesOf = (
  isDay: boolean | undefined,
  start: string,
  end: string,
  timezone: string | undefined,
): RecordEntry[] => [
  { name: 'all_day', value: isDay, column: 'DTSTART' },
  { name: 'start_date', value: start, column: 'DTSTART' },
  { name: 'end_date', value: end, column: 'DTEND' },
  { name: 'timezone', value: timezone, column: 'DTSTART' },
]

/**
 * The zone for a time. UTC and zones without a name say when an event is, not where: their times are converted to the zone of the calendar.
 */
function targetZone({ zone, isDay }: EventTime, fallback: string | undefined): FeedZone {
  if (zone.isFloating || isDay) return zone
  return zone.name === undefined || zone.name === 'UTC' ? zoneNamed(fallback ?? 'UTC') : zone
}

const renderTime = ({ wall, zone, isDay }: EventTime, target: FeedZone): string =>
  isDay || (zone === target && zone.isUnique(wall)) ? wall : target.render(zone.toUtc(wall))

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
  const inFeed = component.all('organizer').flatMap(property => parseOrganizer(property) ?? [])
  const exported = xCalctlValues(component, 'organizer')
  const isUnchanged = inFeed.some(({ organizer }) => exported.includes(organizer))
  const organizers = isUnchanged
    ? exported.map(name => inFeed.find(({ organizer }) => organizer === name) ?? { organizer: name })
    : inFeed
  if (organizers.length === 0) return undefined
  return organizers.map(organizer => (organizer.email === undefined ? organizer.organizer : organizer))
}

function parseOrganizer(property: Property): Organizer | undefined {
  const [address = ''] = valuesOf(property)
  const email = /^mailto:\s*(.+)$/i.exec(address)?.[1] ?? ''
  const name = decodeName(property.parameters.get('cn') ?? '').trim()
  // Programs write `invalid:nomail` for an organizer without an address.
  const fallback = email === '' ? address.replace(/^invalid:.*/i, '') : email.replace(/@.*/, '')
  const organizer = name || fallback
  return organizer === '' ? undefined : { organizer, email: isReadByPeople(email) ? email : undefined }
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
