import { abbreviation } from '../../time/abbreviation.ts'
import type { Context } from '../dialect.ts'
import { indexesOf } from '../indexes/indexes.ts'
import { byName } from '../list/sort-order.ts'
import { apiRoot } from '../request-context.ts'
import type { EventRow, TermRow } from '../store/rows.ts'
import { globalId, pageOf } from './addresses.ts'
import { organizer, venue } from './place.ts'
import { image, postHead } from './post.ts'
import type { Shelf, Shelves } from './shelf.ts'
import { embeddedTerm } from './term.ts'

/** All that an event says of itself, in the order of the API; what it is linked to follows. */
function ownFields(context: Context, row: EventRow): object {
  const { dialect } = context
  const url = pageOf(context, 'event', row)
  return {
    id: row.id,
    ...globalId(context, row.id),
    ...postHead(context, row),
    url,
    rest_url: `${apiRoot(context, row.lang_code)}/events/${row.id}`,
    title: dialect.title(row.title),
    description: dialect.prose(row.description),
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
    show_map: row.show_map,
    show_map_link: row.show_map_link,
    hide_from_listings: row.hide_from_listings,
    sticky: row.sticky,
    featured: row.featured,
  }
}

const details = (wall: string): object => ({
  year: wall.slice(0, 4),
  month: wall.slice(5, 7),
  day: wall.slice(8, 10),
  hour: wall.slice(11, 13),
  minutes: wall.slice(14, 16),
  seconds: wall.slice(17, 19),
})

/** What the public sees of an event with a password, in lists: when and where it is found, and nothing of what it is about. */
const veiled = {
  description: '',
  excerpt: '',
  image: false,
  all_day: null,
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  website: '',
  show_map: null,
  show_map_link: null,
  hide_from_listings: null,
  sticky: null,
  featured: null,
}

const tagsFollow = Buffer.from('],"tags":[')
const venueFollows = Buffer.from('],"venue":')
const organizersFollow = Buffer.from(',"organizer":[')
const comma = Buffer.from(',')
const none = Buffer.from('[]')

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))

/** An object's text that more fields follow. */
const open = (value: object): Buffer => Buffer.from(`${JSON.stringify(value).slice(0, -1)},"categories":[`)

const ends = {
  ca: Buffer.from('],"custom_fields":[],"lang_code":"ca"}'),
  en: Buffer.from('],"custom_fields":[],"lang_code":"en"}'),
  es: Buffer.from('],"custom_fields":[],"lang_code":"es"}'),
}

/** The text of an event: what it says itself, and what it is linked to as that is now. */
export function eventText(context: Context, shelves: Shelves, row: EventRow): Buffer {
  const { linkedVersion } = indexesOf(context.store)
  return shelves.events.text(row, linkedVersion, () => {
    const pieces = [shelves.parts.text(row, 0, () => open(ownFields(context, row)))]
    addTerms(pieces, context, shelves.parts, 'categories', row.categories)
    pieces.push(tagsFollow)
    addTerms(pieces, context, shelves.parts, 'tags', row.tags)
    pieces.push(venueFollows, venueText(context, shelves.parts, row.venue), organizersFollow)
    addOrganizers(pieces, context, shelves.parts, row.organizer)
    pieces.push(ends[row.lang_code])
    return Buffer.concat(pieces)
  })
}

/** The text of an event that needs a password which was not given. */
export function veiledText(context: Context, row: EventRow): Buffer {
  const unlinked = [tagsFollow, venueFollows, none, organizersFollow, ends[row.lang_code]]
  return Buffer.concat([open({ ...ownFields(context, row), ...veiled }), ...unlinked])
}

function addTerms(
  pieces: Buffer[],
  context: Context,
  shelf: Shelf,
  of: 'categories' | 'tags',
  ids: readonly number[],
): void {
  const table = context.store.table(of)
  const terms = ids.map(id => table.get(id)).filter((term): term is TermRow => term !== undefined)
  if (terms.length > 1) terms.sort(byName)
  for (const [index, term] of terms.entries()) {
    if (index > 0) pieces.push(comma)
    const count = indexesOf(context.store).countEvents(term)
    pieces.push(shelf.text(term, count, () => json(embeddedTerm(context, term, count))))
  }
}

function venueText(context: Context, shelf: Shelf, id: number | null): Buffer {
  const row = id === null ? undefined : context.store.table('venues').get(id)
  return row && row.status !== 'trash' ? shelf.text(row, 0, () => json(venue(context, row))) : none
}

function addOrganizers(pieces: Buffer[], context: Context, shelf: Shelf, ids: readonly number[]): void {
  let first = true
  for (const id of ids) {
    const row = context.store.table('organizers').get(id)
    if (!row || row.status === 'trash') continue
    if (!first) pieces.push(comma)
    first = false
    pieces.push(shelf.text(row, 0, () => json(organizer(context, row))))
  }
}
