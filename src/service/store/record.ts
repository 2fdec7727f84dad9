import { blankCategory, blankEvent, blankOrganizer, blankTag, blankVenue } from './blank.ts'
import type { Rows, TableName } from './rows.ts'

const unnamed = { id: 0, lang_code: 'ca' } as const

/** What a record holds where it says nothing. */
export const blanks: { readonly [T in TableName]: Rows[T] } = {
  events: { ...unnamed, ...blankEvent },
  venues: { ...unnamed, ...blankVenue },
  organizers: { ...unnamed, ...blankOrganizer },
  categories: { ...unnamed, ...blankCategory },
  tags: { ...unnamed, ...blankTag },
  images: { id: 0, url: '' },
}

const columnsOf = <T extends TableName>(name: T, title: keyof Rows[T]): readonly (keyof Rows[T])[] => {
  const all = Object.keys(blanks[name]) as (keyof Rows[T])[]
  return [...new Set<keyof Rows[T]>(['id', title, ...all])]
}

/** What a record calls itself comes first, so that a person finds it. */
const columns: { readonly [T in TableName]: readonly (keyof Rows[T])[] } = {
  events: columnsOf('events', 'title'),
  venues: columnsOf('venues', 'venue'),
  organizers: columnsOf('organizers', 'organizer'),
  categories: columnsOf('categories', 'name'),
  tags: columnsOf('tags', 'name'),
  images: columnsOf('images', 'url'),
}

/** The record that stands for a row: without what is empty in it as in a new record. */
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
