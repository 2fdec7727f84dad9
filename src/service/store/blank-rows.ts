import { events } from '../../contract/events.ts'
import type { Field, Fields } from '../../contract/field.ts'
import { organizers } from '../../contract/organizers.ts'
import { categories, tags } from '../../contract/terms.ts'
import { venues } from '../../contract/venues.ts'
import type { ColumnsOf, Rows, TableName } from './rows.ts'

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

/** Common columns come first, and win over fields of the same name. */
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
    event_status: '',
    event_status_reason: '',
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

/** The name of a record comes first, so that a person finds it. */
const columns: { readonly [T in TableName]: readonly (keyof Rows[T])[] } = {
  events: columnsOf('events', events.title),
  venues: columnsOf('venues', venues.title),
  organizers: columnsOf('organizers', organizers.title),
  categories: columnsOf('categories', categories.title),
  tags: columnsOf('tags', tags.title),
  images: columnsOf('images', 'url'),
}

/** The record that stands for a row: without the columns that are empty as in a new record. */
export function pack<T extends TableName>(name: T, row: Rows[T]): Partial<Rows[T]> {
  const record: Partial<Rows[T]> = {}
  for (const column of columns[name]) if (!isEmpty(row[column], blanks[name][column])) record[column] = row[column]
  return record
}

/** The row that a record of ours stands for; nothing is checked. */
export const unpack = <T extends TableName>(name: T, record: Partial<Rows[T]>): Rows[T] => ({
  ...blanks[name],
  ...record,
})

const isEmpty = (value: unknown, blank: unknown) =>
  ((value === '' || value === false || value === null) && value === blank) || (isEmptyList(value) && isEmptyList(blank))

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
