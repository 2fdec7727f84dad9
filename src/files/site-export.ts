/**
 * The export of a WordPress site (WXR), of which the events, venues and organizers of The Events Calendar are read, each as a record of its
 * own. The contract says under which key a site keeps each field. They keep their slugs, so that addresses stay what they are.
 */

import { Failure, usage } from '../base/failure.ts'
import { grouped } from '../base/groups.ts'
import { decodeEntities } from '../base/text/escaping.ts'
import { isZone } from '../base/time/zone.ts'
import { phrase } from '../base/words/phrase.ts'
import { resources } from '../contract/contract.ts'
import type { Resource } from '../contract/resource.ts'
import { feedSlug } from './icalendar/event-visibility.ts'
import type { FileReading } from './records/file-reading.ts'
import type { FileRecord } from './records/file-record.ts'
import { type Attributes, parseXml } from './xml-events.ts'

/** Whether a text is such an export. */
export const isSiteExport = (text: string): boolean =>
  /^\s*<(\?xml|!--|rss)/.test(text) && /<rss\b[^>]*"https?:\/\/wordpress\.org\/export\//.test(text)

/** An entry of the export: the texts of its elements, and its terms. */
interface Item {
  readonly texts: Map<string, string>
  /** Values by key, of which there may be several. */
  readonly meta: [key: string, value: string][]
  readonly terms: { readonly domain: string; readonly name: string }[]
}

/** Reads the records of an export: venues and organizers before the events that name them. */
export async function recordsOfExport(text: string, reading: FileReading): Promise<FileRecord[]> {
  const items = await itemsIn(text, reading.name)
  const byId = new Map(items.map(item => [textOf(item, 'wp:post_id'), item]))
  const ofType = grouped(items.filter(isKept), item => textOf(item, 'wp:post_type'))
  const events = resources.filter(({ name }) => name === 'events')
  const wanted = [...resources.filter(resource => !events.includes(resource)), ...events].filter(
    ({ name }) => reading.resource === undefined || reading.resource === name,
  )
  return wanted.flatMap(resource =>
    (ofType.get(resource.wordpress ?? '') ?? []).map(item => recordOf(resource, item, { reading, byId })),
  )
}

async function itemsIn(text: string, name: string): Promise<Item[]> {
  const items: Item[] = []
  let item: Item | undefined
  let content = ''
  let attributes: Attributes = {}
  let metaKey = ''
  const close = (tag: string) => {
    if (tag === 'item') item = undefined
    else if (tag === 'wp:meta_key') metaKey = content
    else if (tag === 'wp:meta_value') item?.meta.push([metaKey, content])
    else if (tag === 'category') item?.terms.push({ domain: attributes.domain ?? '', name: decodeEntities(content) })
    else item?.texts.set(tag, content)
  }
  const handlers = {
    open(opened: string, given: Attributes) {
      content = ''
      attributes = given
      if (opened !== 'item') return
      item = { texts: new Map(), meta: [], terms: [] }
      items.push(item)
    },
    text(piece: string) {
      content += piece
    },
    close: (_: string, __: unknown, tag: string) => close(tag),
  }
  try {
    for await (const _ of parseXml(piecesOf(text), name, handlers));
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw usage(error.message, phrase('export the site again: the file may be cut off'))
  }
  return items
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text
}

const textOf = ({ texts }: Item, tag: string): string => texts.get(tag)?.trim() ?? ''

const metaOf = ({ meta }: Item, key: string): string[] =>
  meta.filter(([name]) => name === key).map(([, value]) => value)

/** Whether somebody wrote it, and did not throw it away. */
const isKept = (item: Item): boolean => !/^(trash|auto-draft|inherit)$/.test(textOf(item, 'wp:status'))

interface Export {
  readonly reading: FileReading
  readonly byId: ReadonlyMap<string, Item>
}

/** The elements with what a site keeps outside of its metadata, by key. */
const elements: Readonly<Record<string, string>> = {
  title: 'title',
  content: 'content:encoded',
  excerpt: 'excerpt:encoded',
  slug: 'wp:post_name',
  status: 'wp:status',
  password: 'wp:post_password',
}

function recordOf(resource: Resource, item: Item, { reading, byId }: Export): FileRecord {
  const values: Record<string, unknown> = {}
  for (const [name, { site, kind }] of Object.entries(resource.fields)) {
    const value = valueAt(site?.key ?? '', item, byId)
    if (value === undefined || value === '') continue
    values[name] = kind.shape === 'flag' ? /^(1|yes|true)$/.test(String(value)) : value
  }
  // The site makes it of the other two.
  delete values.stateprovince
  values.slug ??= feedSlug(textOf(item, 'guid'))
  if (resource.name === 'events') Object.assign(values, valuesOfEvent(item, values))
  const entries = Object.entries(values).map(([name, value]) => ({ name, value, column: name }))
  const place = phrase('item {number}', { number: textOf(item, 'wp:post_id') })
  const record = reading.build(resource, entries, place)
  return { ...record, makesLinks: true, numbersAreNames: true, stopsOnlyItself: true }
}

function valueAt(key: string, item: Item, byId: Export['byId']): unknown {
  const element = elements[key]
  if (element !== undefined) return key === 'title' ? decodeEntities(textOf(item, element)) : textOf(item, element)
  if (key === 'featured_media')
    return textOf(byId.get(metaOf(item, '_thumbnail_id')[0] ?? '') ?? noItem, 'wp:attachment_url')
  if (key === 'tags' || key === 'tribe_events_cat') return namesOf(item, key === 'tags' ? 'post_tag' : key)
  const values = metaOf(item, key.replace(/^meta\./, ''))
  if (!/ID$/.test(key)) return values[0]
  const linked = values.flatMap(id => byId.get(id) ?? []).filter(isKept)
  return linked.length > 0 ? linked.map(one => textOf(one, 'wp:post_name') || textOf(one, 'title')) : undefined
}

const noItem: Item = { texts: new Map(), meta: [], terms: [] }

function namesOf({ terms }: Item, domain: string): string[] | undefined {
  const names = terms.filter(term => term.domain === domain).map(({ name }) => name)
  return names.length > 0 ? names : undefined
}

/** Values of events that a site keeps in its own way. */
function valuesOfEvent(item: Item, { cost, timezone, event_status: status }: Readonly<Record<string, unknown>>) {
  const [symbol = ''] = metaOf(item, '_EventCurrencySymbol')
  const isAmount = /^\d+([.,]\d+)?$/.test(String(cost)) && Number(cost) > 0
  return {
    ...(isAmount && symbol !== '' && { cost: `${cost} ${symbol}` }),
    // Some are in zones without a name, such as UTC+1.
    ...(!isZone(String(timezone)) && { timezone: undefined }),
    ...(!/^(canceled|postponed)$/.test(String(status)) && { event_status: undefined }),
  }
}
