import type { Answer, Resource } from '../contract/resource.ts'
import { type ComparedName, comparedName } from '../text/compared-names.ts'
import { type Address, addressOf, phoneDigits, websiteAddress } from '../text/contact-details.ts'
import { decodeEntities } from '../text/escaping.ts'
import { isObject } from '../text/json.ts'
import { preferenceOf } from './merge-values.ts'

/** What of a record is compared with others: read once, because each record is compared with many. */
export interface Traits {
  readonly name: ComparedName
  readonly address?: Address
  readonly city?: ComparedName
  readonly zip?: string
  readonly phones: readonly string[]
  /** Host and path. */
  readonly website?: string
  readonly email?: string
  readonly point?: readonly [latitude: number, longitude: number]
  /** Of an event. */
  readonly moment?: Moment
  /** Of a category: the ID of its parent, 0 at the top. */
  readonly parent?: number
}

interface Moment {
  readonly start: string
  readonly end: string
  readonly isWholeDay: boolean
  readonly venue?: { readonly id: number; readonly name: ComparedName }
}

/** Reads what of a record is compared. */
export function traitsOf(resource: Resource, record: Answer): Traits {
  const text = (name: string) => (name in resource.fields ? textOf(record[name]) : '')
  const name = comparedName(textOf(record[resource.title]))
  if (resource.name === 'events') {
    // An event without a website of its own has its page.
    const site = text('website') === textOf(record.url) ? undefined : websiteAddress(text('website'))
    return { name, phones: [], moment: momentOf(record), ...(site && { website: site }) }
  }
  if (resource.name === 'categories') return { name, phones: [], parent: Number(record.parent) || 0 }
  const [address, city] = [text('address'), text('city')]
  const [website, zip, email] = [
    websiteAddress(text('website')),
    text('zip').replace(/\s/g, ''),
    text('email').toLowerCase(),
  ]
  const point = pointOf(record)
  return {
    name,
    phones: phonesIn(text('phone')),
    ...(address && { address: addressOf(address) }),
    ...(city && { city: comparedName(city) }),
    ...(zip && { zip }),
    ...(website && { website }),
    ...(email && { email }),
    ...(point && { point }),
  }
}

const comparedFields = ['status', 'address', 'city', 'zip', 'phone', 'email', 'website', 'geo_lat', 'geo_lng', 'parent']

/** The values of a record that are compared, and those that decide which record is kept; without long texts. */
export const comparedPart = (resource: Resource, record: Answer): Answer => ({
  id: record.id,
  preference: preferenceOf(resource, record),
  ...Object.fromEntries([resource.title, ...comparedFields].map(name => [name, record[name]])),
})

const textOf = (value: unknown): string => (typeof value === 'string' ? decodeEntities(value).trim() : '')

function momentOf({ start_date: start, end_date: end, all_day: isWholeDay, venue }: Answer): Moment {
  const place = [venue].flat().find(isObject)
  return {
    start: textOf(start),
    end: textOf(end),
    isWholeDay: isWholeDay === true,
    ...(place && { venue: { id: Number(place.id), name: comparedName(textOf(place.venue)) } }),
  }
}

/** The numbers in a text that may have several. */
const phonesIn = (text: string): string[] =>
  text
    .replace(/\bext\b.*$/i, '')
    .split(/[/;,|]|\s-\s|\so\s|\si\s|\sy\s/)
    .map(phoneDigits)
    .filter(({ length }) => length >= 6)

function pointOf({ geo_lat: latitude, geo_lng: longitude }: Answer): Traits['point'] | undefined {
  const point = [Number(latitude), Number(longitude)] as const
  return point.every(Number.isFinite) && point.some(part => part !== 0) ? point : undefined
}
