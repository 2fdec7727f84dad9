import { abbreviation } from '../../base/time/zone.ts'
import { events } from '../../contract/events.ts'
import { writableFields } from '../../contract/resource.ts'
import type { Context, Dialect } from '../dialect.ts'
import type { LinkField } from '../indexes/timeline.ts'
import { type EventRow, emptyValueIn, type PlaceTable, type TermTable } from '../store/rows.ts'
import { apiRoot, globalId, pageOf } from './addresses.ts'
import { shownImage } from './image.ts'
import { type PlainField, plainFields, plainValues, postHead } from './plain-fields.ts'

/** The fields of an event without its links, in the order of the API: first those that are not answered in their stored form. */
export function eventFields(context: Context, row: EventRow): object {
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
    image: shownImage(context, row.image),
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

/** A field with linked records. */
interface Link {
  readonly name: LinkField
  readonly of: TermTable | PlaceTable
  readonly isList: boolean
}

/** The links of events, in the order of the API. */
export const linkedFields: readonly Link[] = writableFields(events)
  .filter(([, { kind }]) => kind.shape === 'links')
  .map(([name, { of, multiple }]) => ({ name: name as LinkField, of: of as Link['of'], isList: multiple !== false }))

const plain = new WeakMap<Dialect, readonly PlainField[]>()

/** The fields of events that are neither computed nor links. */
function plainFieldsOf(dialect: Dialect, computed: object): readonly PlainField[] {
  const known = plain.get(dialect)
  if (known) return known
  const written = { ...computed, ...Object.fromEntries(linkedFields.map(({ name }) => [name, true])) }
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

/** Plain fields for a reader without access to them: flags are null, other fields are empty. */
const hiddenValues = (fields: readonly PlainField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(([name, field]) => [name, field.kind.shape === 'flag' ? null : emptyValueIn(field)]))

/** The same for a reader without the password of the event. */
export const protectedFields = (context: Context, row: EventRow): object => ({
  ...eventFields(context, row),
  ...hidden,
  ...hiddenValues(plain.get(context.dialect) ?? []),
})
