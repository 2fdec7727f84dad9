import { blankCategory, blankEvent, blankOrganizer, blankTag, blankVenue } from '../blank.ts'
import type { Rows, Site, TableName } from './rows.ts'
import type { Sequence, Snapshot } from './store.ts'
import { tableNames } from './tables.ts'

/** The version of the calendar file that this program reads and writes. */
export const formatVersion = 1

/** What stands in a calendar file of ours. A record leaves out what is empty both in it and in a new record. */
export interface CalendarFile extends Records {
  readonly calctl: number
  readonly site: Site
  readonly sequence: Sequence
}

type Records = { readonly [T in TableName]: readonly Partial<Rows[T]>[] }

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

/** The record that stands for a row. */
export function pack<T extends TableName>(name: T, row: Rows[T]): Partial<Rows[T]> {
  const record: Partial<Rows[T]> = {}
  for (const column of columns[name])
    if (!isEmpty(row[column]) || !isEmpty(blanks[name][column])) record[column] = row[column]
  return record
}

/** The row that a record of ours stands for; nothing is checked. */
export const unpack = <T extends TableName>(name: T, record: Partial<Rows[T]>): Rows[T] => ({
  ...blanks[name],
  ...record,
})

/** The rows that a calendar file of ours stands for. */
export const unpackAll = (records: Records): Snapshot['rows'] => ({
  events: records.events.map(record => unpack('events', record)),
  venues: records.venues.map(record => unpack('venues', record)),
  organizers: records.organizers.map(record => unpack('organizers', record)),
  categories: records.categories.map(record => unpack('categories', record)),
  tags: records.tags.map(record => unpack('tags', record)),
  images: records.images.map(record => unpack('images', record)),
})

const isEmpty = (value: unknown) =>
  value === '' || value === false || value === null || (Array.isArray(value) && value.length === 0)

/** The text of a calendar file, piece by piece, one record a line. Others get their turn between the pieces. */
export async function* textOf(site: Site, { rows, sequence }: Snapshot): AsyncIterable<string> {
  let text = `{"calctl": ${formatVersion}, "site": ${JSON.stringify(site)}, "sequence": ${JSON.stringify(sequence)}`
  for (const name of tableNames) {
    text += `, "${name}": [`
    let separator = '\n'
    for (const row of rows[name].toSorted((a, b) => a.id - b.id)) {
      text += separator + JSON.stringify(pack(name, row))
      separator = ',\n'
      if (text.length < pieceLength) continue
      yield text
      text = ''
      await turn()
    }
    text += '\n]'
  }
  yield `${text}}\n`
}

const pieceLength = 1 << 18
const turn = () => new Promise<void>(resolve => setImmediate(resolve))
