import { events } from '../../contract/events.ts'
import type { Field, Fields, ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { organizers } from '../../contract/organizers.ts'
import type { Status } from '../../contract/post-status.ts'
import { categories, tags } from '../../contract/terms.ts'
import { venues } from '../../contract/venues.ts'

/**
 * Records as the calendar file stores them: what was written, never what can be computed from it. The fields of the contract are columns;
 * only columns that do not correspond to a field of that name and type are defined here. Dates are wall times `YYYY-MM-DD HH:MM:SS`;
 * `utc_…` is stored, too, because production's can contradict them. Columns with the value of a new record (`''`, `false`, `null`, `[]`)
 * may be absent in the file, but are always present in memory.
 */
interface Row {
  id: number
  lang_code: Language
  slug: string
  description: string
}

interface Post extends Row {
  author: number
  status: Status
  /** The status before the record was trashed, for restoring it. */
  trashed_from: Status | null
  date: string
  date_utc: string
  modified: string
  modified_utc: string
  image: number | null
}

/** The columns that the fields of a resource are stored in. Links are IDs. */
export type ColumnsOf<F extends Fields> = {
  -readonly [N in keyof F as F[N] extends { queryOnly: true } ? never : N]: F[N] extends { multiple: false }
    ? number | null
    : F[N]['kind']['emptyColumn']
}

type EventColumns = Omit<ColumnsOf<typeof events.fields>, keyof Post | 'website'>
type VenueColumns = Omit<ColumnsOf<typeof venues.fields>, keyof Post>
type OrganizerColumns = Omit<ColumnsOf<typeof organizers.fields>, keyof Post>
type CategoryColumns = Omit<ColumnsOf<typeof categories.fields>, keyof Row>
type TagColumns = Omit<ColumnsOf<typeof tags.fields>, keyof Row>

/** An event, its links as IDs; `cost` as it was written: `15`, `20€`, `10 - 20`. */
export interface EventRow extends Post, EventColumns {
  utc_start_date: string
  utc_end_date: string
  /** Null if there never was one. */
  website: string | null
  post_parent: number | null
  /** Whether `wp/v2` has ever removed its venue. */
  unlinked: boolean
  /** Position, symbol and code of the cost's currency, `prefix|£|GBP`, if the text of the cost implies another one. */
  currency: string
}

export interface VenueRow extends Post, VenueColumns {
  geo_lat: number | null
  geo_lng: number | null
}

export interface OrganizerRow extends Post, OrganizerColumns {}

/** A tag, or what a category shares with it. */
export interface TermRow extends Row, TagColumns {}

/** A category; its parent is null at the top. */
export interface CategoryRow extends Row, CategoryColumns {}

/** An image that was given as a URL, or uploaded; its id is a post id. */
export interface ImageRow extends Partial<Upload> {
  id: number
  /** A URL or, for an uploaded file, its path below the folder of uploads: `2026/12/poster.png`. */
  url: string
}

/** What is known of an uploaded image. */
interface Upload extends Pick<Post, 'date' | 'date_utc' | 'modified' | 'modified_utc'> {
  title: string
  alt_text: string
  caption: string
  author: number | null
  mime_type: string
  width: number | null
  height: number | null
  filesize: number | null
}

/** The type of the rows in each list of the file. */
export interface Rows {
  events: EventRow
  venues: VenueRow
  organizers: OrganizerRow
  categories: CategoryRow
  tags: TermRow
  images: ImageRow
}

/** The resources that WordPress keeps as posts: they have a status, dates and a trash. */
export type PostTable = 'events' | 'venues' | 'organizers'

/** The posts that events link to. */
export type PlaceTable = 'venues' | 'organizers'

/** The resources that WordPress keeps as terms. */
export type TermTable = 'categories' | 'tags'

/** An event, venue or organizer. */
export type PostRow = Rows[PostTable]

/** The names of the file's lists: the resources, and the images of events, venues and organizers. */
export type TableName = ResourceName | 'images'

/** The settings of the calendar as a whole. */
export interface Site {
  /** The language of records without one. */
  readonly language: Language
  readonly timezone: string
  /** Follow production wherever it contradicts the documentation. */
  readonly quirks: boolean
}

/** The value of a field's column before anything is stored in it. */
export const emptyValueIn = ({ kind, multiple }: Field): unknown => (multiple === false ? null : kind.emptyColumn)

/** The columns of a resource's fields, as a new record has them. */
const blankColumns = <F extends Fields>(fields: F): ColumnsOf<F> =>
  Object.fromEntries(
    Object.entries<Field>(fields)
      .filter(([, { queryOnly }]) => !queryOnly)
      .map(([name, field]) => [name, field.initial ?? emptyValueIn(field)]),
  ) as ColumnsOf<F>

const commonBlanks = { id: 0, lang_code: 'ca', slug: '', description: '' } as const

const post = {
  ...commonBlanks,
  author: 1,
  status: 'publish',
  trashed_from: null,
  date: '',
  date_utc: '',
  modified: '',
  modified_utc: '',
  image: null,
} as const

/** Common columns come first, and take precedence over fields of the same name. */
const withFields = <C extends object, F extends Fields>(common: C, fields: F) => ({
  ...common,
  ...blankColumns(fields),
  ...common,
})

/** A new record of each table: the values of columns that were never written, that the file omits, or that were cleared. */
export const blanks: { readonly [T in TableName]: Rows[T] } = {
  events: {
    ...withFields(post, events.fields),
    utc_start_date: '',
    utc_end_date: '',
    website: null,
    post_parent: null,
    unlinked: false,
    currency: '',
  },
  venues: { ...withFields(post, venues.fields), geo_lat: null, geo_lng: null },
  organizers: { ...withFields(post, organizers.fields) },
  categories: { ...withFields(commonBlanks, categories.fields) },
  tags: { ...withFields(commonBlanks, tags.fields) },
  images: {
    id: 0,
    url: '',
    title: '',
    alt_text: '',
    caption: '',
    author: null,
    date: '',
    date_utc: '',
    modified: '',
    modified_utc: '',
    mime_type: '',
    width: null,
    height: null,
    filesize: null,
  },
}

const columnsOf = <T extends TableName>(name: T, title: string): readonly (keyof Rows[T])[] => {
  const all = Object.keys(blanks[name]) as (keyof Rows[T])[]
  return [...new Set<keyof Rows[T]>(['id', title as keyof Rows[T], ...all])]
}

/** The name of a record comes first, so that people can find it. */
const columns: { readonly [T in TableName]: readonly (keyof Rows[T])[] } = {
  events: columnsOf('events', events.title),
  venues: columnsOf('venues', venues.title),
  organizers: columnsOf('organizers', organizers.title),
  categories: columnsOf('categories', categories.title),
  tags: columnsOf('tags', tags.title),
  images: columnsOf('images', 'url'),
}

/** The record for a row, without columns that have the value of a new record. */
export function pack<T extends TableName>(name: T, row: Rows[T]): Partial<Rows[T]> {
  const record: Partial<Rows[T]> = {}
  for (const column of columns[name]) if (!isEmpty(row[column], blanks[name][column])) record[column] = row[column]
  return record
}

/** The row for a record that calctl wrote; nothing is checked. */
export const unpack = <T extends TableName>(name: T, record: Partial<Rows[T]>): Rows[T] => ({
  ...blanks[name],
  ...record,
})

const isEmpty = (value: unknown, blank: unknown) =>
  ((value === '' || value === false || value === null) && value === blank) || (isEmptyList(value) && isEmptyList(blank))

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
