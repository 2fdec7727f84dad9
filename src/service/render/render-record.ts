/**
 * Rows as the API returns them, as JSON in UTF-8. Plain fields follow from the contract; the dialect decides how texts look. The bytes are
 * cached for each row, so that a list is mostly joined from buffers.
 */

import { abbreviation } from '../../base/time/zone.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { events } from '../../contract/events.ts'
import type { Field, Fields } from '../../contract/field.ts'
import { organizers } from '../../contract/organizers.ts'
import { type Resource, writableFields } from '../../contract/resource.ts'
import { venues } from '../../contract/venues.ts'
import { byName } from '../comparisons.ts'
import type { Context, Dialect } from '../dialect.ts'
import { indexesOf } from '../indexes/indexes.ts'
import {
  type CategoryRow,
  type EventRow,
  emptyValueIn,
  type ImageRow,
  type OrganizerRow,
  type PlaceTable,
  type PostRow,
  type Rows,
  type TermRow,
  type TermTable,
  type VenueRow,
} from '../store/rows.ts'
import type { Store, Table } from '../store/store.ts'
import { apiRoot, globalId, imageUrl, pageOf, termPage, termUrls } from './addresses.ts'
import { copyName, copySizes } from './image-sizes.ts'

type Row = Rows[Resource['name']]

/**
 * A record as the API returns it, as JSON in UTF-8. A `single` record is the whole answer, neither an item of a list
 * nor the record that was deleted.
 */
export function renderRecord(context: Context, row: Row, { single }: { readonly single: boolean }): Uint8Array {
  if (single && 'name' in row) return json({ ...term(context, row), ...context.dialect.termLinks(context, row) })
  return recordText(context, textCachesOf(context), row, single)
}

/** The answer to the write of a record. The event's texts are not cached for later answers: that takes a seventh of a create. */
export const renderWritten = (context: Context, row: Row): Uint8Array =>
  'title' in row
    ? joinedText(context, textCachesOf(context), row, ownText(context, row))
    : renderRecord(context, row, { single: true })

const comma = Buffer.from(',')

/** Adds the records of a list, separated by commas. */
export function addRecords(pieces: Buffer[], context: Context, rows: readonly Row[]): void {
  const caches = textCachesOf(context)
  for (const [index, row] of rows.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(context.dialect.listed(row, recordText(context, caches, row, false), index))
  }
}

function recordText(context: Context, caches: TextCaches, row: Row, isUnlocked: boolean): Buffer {
  if ('title' in row) {
    const isProtected = row.post_password !== '' && !isUnlocked && context.dialect.hidesProtected(context, row)
    return isProtected ? protectedText(context, row) : eventText(context, caches, row)
  }
  if ('venue' in row) return caches.parts.text(row, 0, () => json(venue(context, row)))
  if ('organizer' in row) return caches.parts.text(row, 0, () => json(organizer(context, row)))
  return json(term(context, row))
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))

/** The fields of an event without its links, in the order of the API: first those that are not answered in their stored form. */
function ownFields(context: Context, row: EventRow): object {
  const { dialect } = context
  const url = pageOf(context, 'event', row)
  const computed = {
    id: row.id,
    ...globalId(context, row.id),
    ...postHead(context, row),
    url,
    rest_url: `${apiRoot(context, row.lang_code)}/events/${row.id}`,
    title: dialect.title(row.title),
    description: dialect.prose(context, row),
    excerpt: dialect.excerpt(row.excerpt),
    slug: dialect.slug(row),
    image: image(context, row.image),
    all_day: row.all_day,
    start_date: row.start_date,
    start_date_details: details(row.start_date),
    end_date: row.end_date,
    end_date_details: details(row.end_date),
    utc_start_date: row.utc_start_date,
    utc_start_date_details: details(row.utc_start_date),
    utc_end_date: row.utc_end_date,
    utc_end_date_details: details(row.utc_end_date),
    timezone: row.timezone,
    timezone_abbr: abbreviation(row.timezone, row.start_date, row.utc_start_date),
    cost: dialect.cost(row),
    cost_details: dialect.costDetails(row),
    website: dialect.website(row, url),
  }
  // Copying this many fields would take as long as everything in them.
  return Object.assign(computed, plainValues(context, plainFieldsOf(dialect, computed), row))
}

const plain = new WeakMap<Dialect, readonly PlainField[]>()

/** The fields of events that are neither computed nor links. */
function plainFieldsOf(dialect: Dialect, computed: object): readonly PlainField[] {
  const known = plain.get(dialect)
  if (known) return known
  const written = { ...computed, ...Object.fromEntries(links.map(({ name }) => [name, true])) }
  const fields = plainFields(events.fields, written).filter(([, { site }]) => dialect.showsApart || !site?.apart)
  plain.set(dialect, fields)
  return fields
}

const details = (wall: string): object => ({
  year: wall.slice(0, 4),
  month: wall.slice(5, 7),
  day: wall.slice(8, 10),
  hour: wall.slice(11, 13),
  minutes: wall.slice(14, 16),
  seconds: wall.slice(17, 19),
})

/** What the public sees of an event with a password in lists: when and where it takes place, but nothing of what it is about. */
const hidden = {
  description: '',
  excerpt: '',
  image: false,
  all_day: null,
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  website: '',
}

/** A field with linked records, and what comes before them in the text of an event. */
interface Link {
  readonly name: string
  readonly of: TermTable | PlaceTable
  readonly isList: boolean
  readonly key: Buffer
}

const links: readonly Link[] = writableFields(events)
  .filter(([, { kind }]) => kind.shape === 'links')
  .map(([name, { of, multiple }]) => {
    const isList = multiple !== false
    return { name, of: of as TermTable | PlaceTable, isList, key: Buffer.from(`,"${name}":${isList ? '[' : ''}`) }
  })

const none = Buffer.from('[]')
const listEnd = Buffer.from(']')

/** The text of an object to which more fields are added. */
const open = (value: object): Buffer => Buffer.from(JSON.stringify(value).slice(0, -1))

const endIn = (language: string): Buffer => Buffer.from(`,"custom_fields":[],"lang_code":"${language}"}`)

const ends = { ca: endIn('ca'), en: endIn('en'), es: endIn('es') }

/** The text of an event: its own fields, and the current state of linked records. */
function eventText(context: Context, caches: TextCaches, row: EventRow): Buffer {
  const { linkedVersion } = indexesOf(context.store)
  return caches.events.text(row, linkedVersion, () =>
    joinedText(
      context,
      caches,
      row,
      caches.parts.text(row, 0, () => ownText(context, row)),
    ),
  )
}

const ownText = (context: Context, row: EventRow): Buffer => open(ownFields(context, row))

function joinedText(context: Context, caches: TextCaches, row: EventRow, own: Buffer): Buffer {
  const pieces = [own]
  for (const link of links) pieces.push(...linkPieces(context, caches.parts, link, row))
  pieces.push(ends[row.lang_code])
  return Buffer.concat(pieces)
}

/** The text of an event whose password was not sent: without the fields that it protects, and without links. */
function protectedText(context: Context, row: EventRow): Buffer {
  const own = ownFields(context, row)
  const pieces = [open({ ...own, ...hidden, ...hiddenValues(plain.get(context.dialect) ?? []) })]
  for (const { key, isList } of links) pieces.push(key, isList ? listEnd : none)
  return Buffer.concat([...pieces, ends[row.lang_code]])
}

function linkPieces(context: Context, cache: TextCache, link: Link, row: EventRow): Buffer[] {
  const linked = linkedTexts(context, cache, link.of, [Reflect.get(row, link.name)].flat())
  if (!link.isList) return [link.key, linked[0] ?? none]
  return [link.key, ...linked.flatMap((text, index) => (index > 0 ? [comma, text] : [text])), listEnd]
}

/** The texts of linked records: terms by their names, venues and organizers in the order of the event. */
function linkedTexts(context: Context, cache: TextCache, of: Link['of'], ids: readonly (number | null)[]): Buffer[] {
  if (of === 'categories' || of === 'tags') {
    const terms = rowsOf<TermRow | CategoryRow>(context.store.table(of), ids)
    if (terms.length > 1) terms.sort(byName)
    return terms.map(term => {
      const count = indexesOf(context.store).countEvents(term)
      return cache.text(term, count, () => json(embeddedTerm(context, term, count)))
    })
  }
  return rowsOf<VenueRow | OrganizerRow>(context.store.table(of), ids)
    .filter(({ status }) => status !== 'trash')
    .map(row => cache.text(row, 0, () => json('venue' in row ? venue(context, row) : organizer(context, row))))
}

function rowsOf<R>(table: Pick<Table<R>, 'get'>, ids: readonly (number | null)[]): R[] {
  const rows: R[] = []
  for (const id of ids) {
    const row = id === null ? undefined : table.get(id)
    if (row) rows.push(row)
  }
  return rows
}

/** A venue as the API returns it. */
function venue(context: Context, row: VenueRow): object {
  const head = headOf(context, 'venue', row, row.venue)
  const computed = { stateprovince: context.dialect.stateprovince(row), geo_lat: row.geo_lat, geo_lng: row.geo_lng }
  venueFields ??= plainFields(venues.fields, { ...head.post, ...head.own, ...computed })
  return place(context, row, head, { ...plainValues(context, venueFields, row), ...computed })
}

let venueFields: readonly PlainField[] | undefined

/** An organizer as the API returns it. */
function organizer(context: Context, row: OrganizerRow): object {
  const head = headOf(context, 'organizer', row, row.organizer)
  organizerFields ??= plainFields(organizers.fields, { ...head.post, ...head.own })
  return place(context, row, head, plainValues(context, organizerFields, row))
}

let organizerFields: readonly PlainField[] | undefined

/** The keys with which both begin; `kind` is also the key of the name. */
const headOf = (context: Context, kind: 'venue' | 'organizer', row: VenueRow | OrganizerRow, name: string) => ({
  post: { id: row.id, ...postHead(context, row), url: pageOf(context, kind, row) },
  own: {
    [kind]: context.dialect.title(name),
    description: context.dialect.prose(context, row),
    slug: row.slug,
    image: image(context, row.image),
  },
})

/** Empty fields are left out, but flags are always present, after the others. */
function place(
  context: Context,
  { id, lang_code }: VenueRow | OrganizerRow,
  { post, own }: ReturnType<typeof headOf>,
  values: Readonly<Record<string, unknown>>,
): object {
  const entries = Object.entries(values)
  const flags = entries.filter(([, value]) => typeof value === 'boolean')
  const others = entries.filter(([, value]) => typeof value !== 'boolean')
  return {
    ...post,
    ...withContent([...Object.entries(own), ...others]),
    ...Object.fromEntries(flags),
    ...globalId(context, id),
    lang_code,
  }
}

const withContent = (entries: readonly (readonly [string, unknown])[]): object =>
  Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== null && value !== false))

type Term = TermRow | CategoryRow

const tableOf = (term: Term): TermTable => ('parent' in term ? 'categories' : 'tags')

const taxonomy = { categories: 'tribe_events_cat', tags: 'post_tag' } as const

const parentOf = (term: Term): number | null => ('parent' in term ? term.parent : null)

const plainOfTerm: { [T in TermTable]?: readonly PlainField[] } = {}

/** A category or tag as the API returns it. */
function term(context: Context, row: Term): object {
  const of = tableOf(row)
  const own = {
    id: row.id,
    count: indexesOf(context.store).countEvents(row),
    description: context.dialect.termDescription(row.description),
    name: context.dialect.term(row.name),
    slug: row.slug,
    taxonomy: taxonomy[of],
    ...(of === 'categories' && { parent: parentOf(row) ?? 0 }),
  }
  plainOfTerm[of] ??= plainFields(resourceNamed(of).fields, own)
  return {
    ...own,
    ...plainValues(context, plainOfTerm[of], row),
    meta: [],
    url: termPage(context, row),
    urls: termUrls(context, of, row, parentOf(row)),
    lang_code: row.lang_code,
  }
}

/** A category or tag as events contain it. */
function embeddedTerm(context: Context, row: Term, count: number): object {
  const of = tableOf(row)
  return {
    name: context.dialect.term(row.name),
    slug: row.slug,
    term_group: 0,
    term_taxonomy_id: row.id,
    taxonomy: taxonomy[of],
    description: context.dialect.termDescription(row.description),
    parent: parentOf(row) ?? 0,
    count,
    filter: 'raw',
    id: row.id,
    urls: termUrls(context, of, row, parentOf(row)),
  }
}

/** A field that answers show in its stored form. */
type PlainField = readonly [name: string, field: Field]

/**
 * The fields of a resource that answers show in their stored form: all except those that its renderer has written. Throws for links, which
 * only a renderer can write.
 */
function plainFields(fields: Fields, written: object): readonly PlainField[] {
  const plain = Object.entries(fields).filter(
    ([name, { queryOnly, secret }]) => !queryOnly && !secret && !(name in written),
  )
  const link = plain.find(([, { kind }]) => kind.shape === 'links')
  if (link) throw new Error(`nothing renders the field ${link[0]}`)
  return plain
}

/** The values of plain fields. */
function plainValues(context: Context, fields: readonly PlainField[], row: object): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, { kind }] of fields) {
    const value = Reflect.get(row, name)
    values[name] = kind.shape === 'picture' ? image(context, value) : value
  }
  return values
}

/** Plain fields for a reader without access to them: flags are null, other fields are empty. */
const hiddenValues = (fields: readonly PlainField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(([name, field]) => [name, field.kind.shape === 'flag' ? null : emptyValueIn(field)]))

/** The fields with which events, venues and organizers begin. */
const postHead = ({ dialect }: Context, row: PostRow) => ({
  author: String(row.author),
  status: row.status,
  date: row.date,
  date_utc: dialect.publishedUtc(row),
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** An image as the API returns it; what only its file could tell is null. */
function image(context: Context, id: number | null): object | false {
  if (id === null) return false
  const row = context.store.table('images').get(id)
  const url = row ? imageUrl(context, row) : null
  const extension = url === null ? null : (/\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? null)
  const { width = null, height = null, filesize = null } = row ?? {}
  return {
    url,
    id,
    extension,
    width,
    height,
    filesize,
    sizes: row && url !== null ? copiesOf(context, row, url) : null,
  }
}

/** The smaller copies of a picture as the API returns them; null if there are none. */
function copiesOf({ store }: Context, row: ImageRow, url: string): object | null {
  const { width, height, mime_type } = row
  if (!width || !height || !store.files.hasCopiesOf?.(row.url)) return null
  const copies = Object.entries(copySizes({ width, height })).map(([name, size]) => [
    name,
    { ...size, 'mime-type': mime_type, url: copyName(url, size) },
  ])
  return Object.fromEntries(copies)
}

/** The texts of rows. Rows never change, so a text is valid until something else in it changes, which its stamp shows. */
interface TextCache {
  text(row: object, stamp: number, render: () => Buffer): Buffer
}

/** A cache of `room` bytes, and up to as many again: what was not used while it filled up is dropped. */
function createTextCache(room: number): TextCache {
  let recent = new Map<object, { stamp: number; bytes: Buffer }>()
  let before = recent
  let used = 0
  return {
    text(row, stamp, render) {
      const cached = recent.get(row)
      if (cached?.stamp === stamp) return cached.bytes
      const older = before.get(row)
      const entry = older?.stamp === stamp ? older : { stamp, bytes: render() }
      if (used > room) {
        before = recent
        recent = new Map()
        used = 0
      }
      recent.set(row, entry)
      used += entry.bytes.length
      return entry.bytes
    },
  }
}

/** The texts from which answers are made. */
interface TextCaches {
  /** The own fields of rows. */
  readonly parts: TextCache
  /** Events with their links. */
  readonly events: TextCache
}

interface CachesOfDialect extends TextCaches {
  readonly dialect: Dialect
  readonly root: string
}

const cachesOfStores = new WeakMap<Store, CachesOfDialect[]>()

const megabyte = 1024 * 1024

/** The caches of a calendar for a base URL and a dialect, on which its texts depend. */
function textCachesOf(context: Context): TextCaches {
  const { store, dialect } = context
  const root = apiRoot(context, store.site.language)
  const all = cachesOfStores.get(store) ?? []
  const existing = all.find(one => one.dialect === dialect && one.root === root)
  if (existing) return existing
  const caches = { dialect, root, parts: createTextCache(12 * megabyte), events: createTextCache(16 * megabyte) }
  cachesOfStores.set(store, [...all, caches])
  return caches
}
