/**
 * Pages with schema.org's Event in JSON-LD: scripts of the type `application/ld+json`. Each event becomes a record as one of a feed does.
 * An event of which parts have a start of their own (`subEvent`) is read as these parts, with what it says of all of them.
 */

import { decodeEntities } from '../base/text/escaping.ts'
import { isObject, jsonProblem, parseJson } from '../base/text/json.ts'
import { phrase } from '../base/words/phrase.ts'
import { priceText } from '../contract/price.ts'
import { isWebsite } from './icalendar/event-entries.ts'
import type { FileReading } from './records/file-reading.ts'
import type { FileRecord } from './records/file-record.ts'
import { checkResource, toldRecords } from './told-events.ts'

type Node = Readonly<Record<string, unknown>>

/** Reads the events of a page; undefined if it has none in JSON-LD. */
export async function eventsOfPage(html: string, reading: FileReading): Promise<FileRecord[] | undefined> {
  const values = (await jsonLdIn(html)).flatMap((block, index) => parseBlock(block, index, reading))
  const nodes = nodesIn(values)
  if (nodes.events.length === 0) return undefined
  checkResource(reading)
  const told = nodes.events.map((event, index) => ({
    uid: uidOf(event),
    place: phrase('event {number}', { number: index + 1 }),
    ...(event.isPart && { isOneOfSeveral: true }),
    ...factsOf(event, nodes.byId),
  }))
  return toldRecords(told, reading)
}

/** The texts of the scripts with JSON-LD. */
async function jsonLdIn(html: string): Promise<string[]> {
  const { Parser } = await import('../base/text/html.lib.ts')
  const blocks: string[] = []
  let isInside = false
  const parser = new Parser({
    onopentag(name, { type = '' }) {
      isInside = name === 'script' && /^\s*application\/ld\+json\s*(;|$)/i.test(type)
      if (isInside) blocks.push('')
    },
    ontext(text) {
      if (isInside) blocks.push(`${blocks.pop()}${text}`)
    },
    onclosetag() {
      isInside = false
    },
  })
  parser.end(html)
  return blocks
}

/** The value of a block; none, with a notice, if it cannot be read. */
function parseBlock(block: string, index: number, { name, notice }: FileReading): unknown[] {
  // Sites put comments for old browsers around it, and line breaks into texts.
  const text = block.replace(/^\s*(<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)|(-->|(\/\/\s*)?\]\]>)\s*$/g, '')
  try {
    const value = parseJson(text.replace(/\p{Cc}+/gu, ' '))
    const problem = jsonProblem(value)
    if (problem === undefined) return [value]
    notice(skippedBlock(name, index, problem))
  } catch (error) {
    notice(skippedBlock(name, index, (error as Error).message))
  }
  return []
}

const skippedBlock = (file: string, index: number, reason: string): string =>
  phrase('{file}: skipped block {number} of JSON-LD: {reason}', { file, number: index + 1, reason })

/** An event with what it has from the event of which it is a part. */
type EventNode = Node & { readonly isPart?: true }

interface Nodes {
  readonly events: EventNode[]
  /** Nodes that others refer to by `@id`. */
  readonly byId: Map<string, Node>
}

function nodesIn(values: readonly unknown[]): Nodes {
  const nodes: Nodes = { events: [], byId: new Map() }
  for (const value of values) addNodes(value, nodes)
  return nodes
}

function addNodes(value: unknown, nodes: Nodes): void {
  if (Array.isArray(value)) for (const item of value) addNodes(item, nodes)
  if (!isObject(value)) return
  const id = value['@id']
  if (typeof id === 'string' && Object.keys(value).length > 1) nodes.byId.set(id, value)
  if (isEvent(value)) nodes.events.push(...partsOf(value))
  else for (const inner of Object.values(value)) addNodes(inner, nodes)
}

/** Events that are not for visitors. */
const otherEvents = /^(Broadcast|Delivery|OnDemand|Publication)Event$/

const isEvent = (node: Node): boolean =>
  listOf(node['@type']).some(type => {
    const name = String(type).replace(/^.*[/:]/, '')
    return /^(\w*Event|EventSeries|Festival|Hackathon)$/.test(name) && !otherEvents.test(name)
  })

const listOf = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat())

/** What parts of an event have in common, unless they say it themselves. */
const common = ['name', 'description', 'image', 'location', 'organizer', 'offers', 'url', 'eventStatus']

function partsOf(event: Node, depth = 0): EventNode[] {
  const parts = [...listOf(event.subEvent), ...listOf(event.subEvents)].filter(isObject).filter(isStarted)
  if (parts.length === 0 || depth > 5) return isStarted(event) || depth === 0 ? [event] : []
  const shared = Object.fromEntries(common.map(name => [name, event[name]]).filter(([, value]) => value !== undefined))
  return parts.flatMap(part => partsOf({ ...shared, ...part, isPart: true }, depth + 1))
}

const isStarted = ({ startDate, subEvent }: Node): boolean => startDate !== undefined || subEvent !== undefined

const uidOf = (event: Node): string =>
  [event['@id'], event.identifier, event.url].find((id): id is string => typeof id === 'string' && id !== '') ??
  `${textOf(event.name)} ${textOf(event.startDate)}`

/** The text of a value, which may have several, or one with its language; without the entities that sites leave in it. */
function textOf(value: unknown): string | undefined {
  const [first] = listOf(value)
  const text = isObject(first) ? (first['@value'] ?? first.name) : first
  const plain = typeof text === 'string' || typeof text === 'number' ? decodeEntities(String(text)).trim() : ''
  return plain === '' ? undefined : plain
}

function factsOf(event: Node, byId: Nodes['byId']) {
  const status = textOf(event.eventStatus) ?? ''
  const follow = (value: unknown): unknown => (isObject(value) ? (byId.get(String(value['@id'])) ?? value) : value)
  const places = listOf(event.location).map(follow)
  const organizers = listOf(event.organizer).map(follow).flatMap(organizerOf)
  return {
    start: textOf(event.startDate),
    end: textOf(event.endDate),
    isCancelled: /EventCancell?ed$/.test(status),
    values: {
      title: textOf(event.name),
      // The Events Calendar writes the line break at its end as a backslash and an n.
      description: textOf(event.description)?.replace(/\\n$/, ''),
      venue: places.flatMap(venueOf).slice(0, 1),
      organizer: organizers.length > 0 ? organizers : undefined,
      image: addressOf(follow(listOf(event.image)[0])),
      website: addressOf(event.url),
      cost: costOf(event, follow),
      ...(/EventPostponed$/.test(status) && { event_status: 'postponed' }),
    },
  }
}

function addressOf(value: unknown): string | undefined {
  const [first] = listOf(value)
  const address = textOf(isObject(first) ? (first.url ?? first.contentUrl) : first)
  return isWebsite(address) ? address : undefined
}

/** The venue of an event that is somewhere. */
function venueOf(place: unknown): Node[] {
  if (!isObject(place)) return textOf(place) === undefined ? [] : [{ venue: textOf(place) }]
  if (listOf(place['@type']).includes('VirtualLocation')) return []
  const address: Node = isObject(place.address) ? place.address : { streetAddress: place.address }
  const street = textOf(address.streetAddress)
  const name = textOf(place.name) ?? street
  if (name === undefined) return []
  return [
    withoutUnsaid({
      venue: name,
      address: street,
      city: textOf(address.addressLocality),
      province: textOf(address.addressRegion),
      zip: textOf(address.postalCode),
      country: textOf(address.addressCountry),
      phone: textOf(place.telephone),
      website: addressOf(place.sameAs) ?? addressOf(place.url),
    }),
  ]
}

function organizerOf(one: unknown): Node[] {
  const organizer = textOf(isObject(one) ? one.name : one)
  if (organizer === undefined) return []
  if (!isObject(one)) return [{ organizer }]
  const website = addressOf(one.sameAs) ?? addressOf(one.url)
  return [withoutUnsaid({ organizer, phone: textOf(one.telephone), email: textOf(one.email), website })]
}

const withoutUnsaid = (node: Node): Node => Object.fromEntries(Object.entries(node).filter(([, value]) => value))

/** The lowest and the highest price of all offers. */
function costOf(event: Node, follow: (value: unknown) => unknown): string | undefined {
  const offers = listOf(event.offers).map(follow).filter(isObject)
  const prices = offers.flatMap(offer => [offer.lowPrice, offer.highPrice, offer.price].flatMap(amountOf))
  const isFree = /true$/i.test(String(event.isAccessibleForFree))
  if (prices.length === 0) return isFree ? '0' : undefined
  const currency = textOf(offers.find(offer => offer.priceCurrency)?.priceCurrency) ?? ''
  const amounts = [...new Set([Math.min(...prices), Math.max(...prices)])].map(String)
  const money = { symbol: symbols[currency] ?? currency, isBefore: /^(GBP|USD)$/.test(currency) }
  return priceText({ amounts, ...(currency !== '' && amounts.join() !== '0' && { money }) })
}

const amountOf = (price: unknown): number[] => {
  const text = textOf(price)?.replace(',', '.') ?? ''
  return /^\d+(\.\d+)?$/.test(text) ? [Number(text)] : []
}

const symbols: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', USD: '$' }
