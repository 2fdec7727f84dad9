import { events } from '../../contract/events.ts'
import { writableFields } from '../../contract/resource.ts'
import { abbreviation } from '../../time/zone.ts'
import type { Context } from '../dialect.ts'
import { indexesOf } from '../indexes/indexes.ts'
import { byName } from '../list/sort-order.ts'
import { apiRoot } from '../request-context.ts'
import type { CategoryRow, EventRow, OrganizerRow, PlaceTable, TermRow, TermTable, VenueRow } from '../store/rows.ts'
import type { Table } from '../store/store.ts'
import { globalId, pageOf } from './addresses.ts'
import { hiddenValues, image, type PlainField, plainFields, plainValues, postHead } from './fields.ts'
import { organizer, venue } from './place.ts'
import { embeddedTerm } from './term.ts'
import type { TextCache, TextCaches } from './text-cache.ts'

/** The fields of an event without its links, in the order of the API: first those that are not rendered as they are stored. */
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
    cost: dialect.cost(row.cost),
    cost_details: dialect.costDetails(row.cost),
    website: dialect.website(row, url),
  }
  return { ...computed, ...plainValues(context, plainFieldsOf(computed), row) }
}

let plain: readonly PlainField[] | undefined

/** The fields of events that are neither computed nor links. */
function plainFieldsOf(computed: object): readonly PlainField[] {
  plain ??= plainFields(events.fields, { ...computed, ...Object.fromEntries(links.map(({ name }) => [name, true])) })
  return plain
}

const details = (wall: string): object => ({
  year: wall.slice(0, 4),
  month: wall.slice(5, 7),
  day: wall.slice(8, 10),
  hour: wall.slice(11, 13),
  minutes: wall.slice(14, 16),
  seconds: wall.slice(17, 19),
})

/** What the public sees in lists of an event with a password: when and where it is found, and nothing of what it is about. */
const hidden = {
  description: '',
  excerpt: '',
  image: false,
  all_day: null,
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  website: '',
}

/** A field that holds linked records, and what stands before them in the text of an event. */
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

const comma = Buffer.from(',')
const none = Buffer.from('[]')
const listEnd = Buffer.from(']')

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))

/** An object's text that more fields follow. */
const open = (value: object): Buffer => Buffer.from(JSON.stringify(value).slice(0, -1))

const endIn = (language: string): Buffer => Buffer.from(`,"custom_fields":[],"lang_code":"${language}"}`)

const ends = { ca: endIn('ca'), en: endIn('en'), es: endIn('es') }

/** The text of an event: its own fields, and the records that it is linked to as they are now. */
export function eventText(context: Context, caches: TextCaches, row: EventRow): Buffer {
  const { linkedVersion } = indexesOf(context.store)
  return caches.events.text(row, linkedVersion, () => {
    const pieces = [caches.parts.text(row, 0, () => open(ownFields(context, row)))]
    for (const link of links) addLinked(pieces, context, caches.parts, link, row)
    pieces.push(ends[row.lang_code])
    return Buffer.concat(pieces)
  })
}

/** The text of an event whose password was not sent: without the fields that it protects, and without links. */
export function protectedText(context: Context, row: EventRow): Buffer {
  const own = ownFields(context, row)
  const pieces = [open({ ...own, ...hidden, ...hiddenValues(plain ?? []) })]
  for (const { key, isList } of links) pieces.push(key, isList ? listEnd : none)
  return Buffer.concat([...pieces, ends[row.lang_code]])
}

function addLinked(pieces: Buffer[], context: Context, cache: TextCache, link: Link, row: EventRow): void {
  const linked = linkedTexts(context, cache, link.of, [Reflect.get(row, link.name)].flat())
  pieces.push(link.key)
  if (!link.isList) {
    pieces.push(linked[0] ?? none)
    return
  }
  for (const [index, text] of linked.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(text)
  }
  pieces.push(listEnd)
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
