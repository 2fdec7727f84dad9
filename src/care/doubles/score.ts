import {
  type ComparedName,
  comparedName,
  kilometresBetween,
  matchNames,
  matchShortWords,
  phoneDigits,
  type StreetAddress,
  streetAddress,
  websiteAddress,
} from '../../base/text/compared-names.ts'
import { decodeEntities } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { writtenNumber } from '../../base/text/sentence-parts.ts'
import { wallMs } from '../../base/time/dates.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { preferenceOf } from './merge-plan.ts'

/** How certain it is that two records are the same thing, and why. */
export interface Score {
  /** From 0 to 1. */
  readonly score: number
  /** `same phone`, `name 0.94`: the reasons for it, and those against it. */
  readonly reasons: readonly string[]
}

/** A reason for or against two records being the same: its weight in logits, and a sentence, if it has one. */
type Evidence = readonly [weight: number, reason?: () => string]

/**
 * The highest score if the names leave a doubt or anything speaks against the pair, whatever else the records share: the rooms of a
 * building share everything except their names, the branches of a chain share name and website.
 */
export const mostInDoubt = 0.95

/** What names with this similarity say: the same name alone gives 0.96, and 0.9 gives about 0.77. */
const weightOfName = (similarity: number, ofSame: number): number => ofSame - 20 * (1 - similarity)

/** Compares two records of a resource; undefined if they are certainly different. */
export function scorePair(resource: ResourceName, one: Traits, other: Traits): Score | undefined {
  if (areFarApart(one, other)) return undefined
  const isTerm = resource === 'categories' || resource === 'tags'
  const match =
    matchNames(one.name, other.name, isTownOf(one, other)) ??
    (isTerm ? matchShortWords(one.name, other.name) : undefined)
  if (!match || match.similarity < 0.6) return undefined
  const evidence = evidenceOf(resource, one, other)
  if (!evidence) return undefined
  const sum = evidence.reduce((total, [weight]) => total + weight, weightOfName(match.similarity, sameName[resource]))
  const score = 1 / (1 + Math.exp(-sum))
  const isDoubtful = !match.isCertain || evidence.some(([weight]) => weight < 0)
  const name =
    match.similarity === 1
      ? phrase('same name')
      : phrase('name {similarity}', { similarity: writtenNumber(match.similarity, 2) })
  return {
    score: Number(Math.min(score, isDoubtful ? mostInDoubt : 1).toFixed(3)),
    reasons: [...evidence.flatMap(([, reason]) => reason?.() ?? []), name],
  }
}

/** Whether a word of a name is the town of one of two places. */
const isTownOf =
  (...places: readonly Pick<Traits, 'city'>[]) =>
  (word: string): boolean =>
    places.some(({ city }) => city?.words.some(({ text }) => text === word))

/** Whether two places are in different towns and share no contact data: a cheap test for most pairs. */
const areFarApart = (one: Traits, other: Traits): boolean =>
  one.city !== undefined &&
  other.city !== undefined &&
  one.city.letters.slice(0, 3) !== other.city.letters.slice(0, 3) &&
  one.city.letters.slice(-3) !== other.city.letters.slice(-3) &&
  !sharePhone(one.phones, other.phones) &&
  (one.website === undefined || one.website !== other.website) &&
  (one.email === undefined || one.email !== other.email)

/** Terms and organizers have distinctive names, but there is a Plaça Major in every town. */
const sameName: Readonly<Record<ResourceName, number>> = {
  events: 3.2,
  venues: 3.2,
  organizers: 4,
  categories: 4.6,
  tags: 4.6,
}

function evidenceOf(resource: ResourceName, one: Traits, other: Traits): Evidence[] | undefined {
  if (one.moment || other.moment) return evidenceOfMoments(one, other)
  if (resource === 'categories') return one.parent === other.parent ? [] : evidenceOfParents(one, other)
  return [
    ...compared(one.phones, other.phones, sharePhone, [
      [2, () => phrase('same phone')],
      [-1.2, () => phrase('different phones')],
    ]),
    ...compared(one.email, other.email, isSame, [
      [2, () => phrase('same e-mail')],
      [-1.2, () => phrase('different e-mails')],
    ]),
    ...compared(one.website, other.website, isSame, [[1.5, () => phrase('same website')], websiteConflict(one, other)]),
    ...evidenceOfPlace(one, other),
  ]
}

/** Categories with the same name under different parents are different. */
const evidenceOfParents = (one: Traits, other: Traits): Evidence[] | undefined =>
  one.parent !== 0 && other.parent !== 0 ? undefined : [[-2.5, () => phrase('different parents')]]

function* compared<T>(
  one: T | undefined,
  other: T | undefined,
  same: (one: T, other: T) => boolean,
  [whenSame, whenDifferent]: readonly [Evidence, Evidence],
): Generator<Evidence> {
  if (one === undefined || other === undefined) return
  if (Array.isArray(one) && Array.isArray(other) && (one.length === 0 || other.length === 0)) return
  const evidence = same(one, other) ? whenSame : whenDifferent
  if (evidence[0] !== 0) yield evidence
}

const isSame = (one: string, other: string): boolean => one === other

const sharePhone = (one: readonly string[], other: readonly string[]): boolean =>
  one.some(phone => other.includes(phone))

/** Pages of one site say little. */
function websiteConflict({ website: one = '' }: Traits, { website: other = '' }: Traits): Evidence {
  const [host] = one.split('/')
  return other.split('/')[0] === host ? [0] : [-0.7, () => phrase('different websites')]
}

function* evidenceOfPlace(one: Traits, other: Traits): Generator<Evidence> {
  if (one.address && other.address) yield* evidenceOfAddresses(one.address, other.address)
  if (one.city && other.city) yield evidenceOfCities(one.city, other.city)
  if (one.zip && other.zip) yield one.zip === other.zip ? [0.5] : [-1, () => phrase('different postal codes')]
  if (one.point && other.point) {
    const kilometres = kilometresBetween(one.point, other.point)
    if (kilometres < 0.15) yield [1.5, () => phrase('same coordinates')]
    else if (kilometres > 1) yield [-3, () => phrase('{count} km apart', { count: writtenNumber(kilometres, 1) })]
  }
}

function evidenceOfCities(one: ComparedName, other: ComparedName): Evidence {
  const match = matchNames(one, other)
  const isLonger = one.words.length !== other.words.length
  if (match === undefined || match.similarity < (isLonger ? 0.6 : 0.8)) return [-4, () => phrase('different cities')]
  return [isLonger && match.similarity < 1 ? 0.5 : 1, () => phrase('same city')]
}

function* evidenceOfAddresses(one: StreetAddress, other: StreetAddress): Generator<Evidence> {
  const match = matchNames(one.street, other.street)
  const length = Math.min(one.numbers.length, other.numbers.length)
  const isOther = one.numbers.slice(0, length).some((number, index) => number !== other.numbers[index])
  if (isOther || !match || match.similarity < 0.75) yield [-3.5, () => phrase('different addresses')]
  else if (length > 0 || (one.numbers.length === 0 && other.numbers.length === 0))
    yield [2, () => phrase('same address')]
  else yield [0.8, () => phrase('same street')]
}

/** Events with the same title are the same only if they start at the same moment: the dates of a series share everything else. */
function evidenceOfMoments({ moment: one, ...a }: Traits, { moment: other, ...b }: Traits): Evidence[] | undefined {
  if (!one || !other) return undefined
  const ofStart = evidenceOfStarts(one, other)
  const ofVenue = one.venue && other.venue ? evidenceOfVenues(one.venue, other.venue) : []
  if (!ofStart || !ofVenue) return undefined
  const evidence: Evidence[] = [ofStart]
  if (one.end === other.end) evidence.push([0.5])
  evidence.push(...ofVenue, ...compared(a.website, b.website, isSame, [[0.7, () => phrase('same website')], [0]]))
  return evidence
}

function evidenceOfStarts(one: Moment, other: Moment): Evidence | undefined {
  if (one.isWholeDay || other.isWholeDay) {
    if (one.day !== other.day) return undefined
    return one.isWholeDay === other.isWholeDay
      ? [1.5, () => phrase('same day')]
      : [0, () => phrase('same day, one of them all day')]
  }
  const minutes = minutesBetween(one.start, other.start)
  if (minutes === 0) return [1.5, () => phrase('same start')]
  // A wrong time zone at an import makes one hour or two.
  return minutes === 60 || minutes === 120
    ? [-1.5, () => phrase('{count} h apart', { count: minutes / 60 })]
    : undefined
}

type MomentVenue = NonNullable<Moment['venue']>

/** Undefined for venues that have nothing in common, or are in different towns. */
function evidenceOfVenues(one: MomentVenue, other: MomentVenue): Evidence[] | undefined {
  if (one.id === other.id) return [[1.5, () => phrase('same venue')]]
  const areApart = one.city.letters && other.city.letters && evidenceOfCities(one.city, other.city)[0] < 0
  return areApart || (matchNames(one.name, other.name, isTownOf(one, other))?.similarity ?? 0) < 0.85
    ? undefined
    : [[1, () => phrase('venues of one name')]]
}

const minutesBetween = (one: string, other: string): number => Math.abs(wallMs(one) - wallMs(other)) / 60_000

/** What is compared of a record, read once, because each record is compared with many. */
export interface Traits {
  readonly name: ComparedName
  readonly address?: StreetAddress
  readonly city?: ComparedName
  readonly zip?: string
  readonly phones: readonly string[]
  /** Host and path. */
  readonly website?: string
  readonly email?: string
  readonly point?: readonly [latitude: number, longitude: number]
  /** The times of an event. */
  readonly moment?: Moment
  /** The ID of a category's parent, 0 at the top. */
  readonly parent?: number
}

type Moment = ReturnType<typeof momentOf>

/** Reads what is compared of a record. */
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
    ...(address && { address: streetAddress(address) }),
    ...(city && { city: comparedName(city) }),
    ...(zip && { zip }),
    ...(website && { website }),
    ...(email && { email }),
    ...(point && { point }),
  }
}

const comparedFields = ['status', 'address', 'city', 'zip', 'phone', 'email', 'website', 'geo_lat', 'geo_lng', 'parent']

/** The compared values of a record, and those that decide which record is kept; without long texts. */
export const comparedPart = (resource: Resource, record: Answer): Answer => ({
  id: record.id,
  preference: preferenceOf(resource, record),
  ...Object.fromEntries([resource.title, ...comparedFields].map(name => [name, record[name]])),
})

const textOf = (value: unknown): string => (typeof value === 'string' ? decodeEntities(value).trim() : '')

/** When and where an event is; events of several time zones are compared in UTC, where it is known. */
function momentOf(event: Answer) {
  const place = [event.venue].flat().find(isObject)
  return {
    day: textOf(event.start_date).slice(0, 10),
    start: textOf(event.utc_start_date ?? event.start_date),
    end: textOf(event.utc_end_date ?? event.end_date),
    isWholeDay: event.all_day === true,
    ...(place && {
      venue: { id: Number(place.id), name: comparedName(textOf(place.venue)), city: comparedName(textOf(place.city)) },
    }),
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
