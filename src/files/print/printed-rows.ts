import { decodeEntities } from '../../base/text/escaping.ts'

/** An object to print: a record of a resource, or any other. */
export type Row = Readonly<Record<string, unknown>>

/** The names that printing depends on. Every resource is a shape. */
export interface Shape {
  /** The columns of tables, CSV and TSV. */
  readonly columns: readonly string[]
  /** All names, in the order of a card. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The property that `-o ids` prints, if it is not `id`. */
  readonly key?: string
  /** The column that people look for first, which tables shorten last. */
  readonly title?: string
  /** Columns that tables never shorten, besides those with numbers and dates. */
  readonly whole?: readonly string[]
  /** The column that people read in full: if a terminal is too narrow for it, it is below each row. */
  readonly below?: string
}

/** Creates a shape with these names; by default all of them are columns. */
export const shapeOf = (names: readonly string[], { columns = names, ...others }: Partial<Shape> = {}): Shape => ({
  columns,
  fields: Object.fromEntries(names.map(name => [name, true])),
  ...(names.includes('title') && { title: 'title' }),
  ...others,
})

/** Several records, possibly as a stream. */
export type RowSource = Iterable<Row> | AsyncIterable<Row>

/** Whether it is a single record, not a list. */
export const isOne = (records: Row | RowSource): records is Row =>
  !(Symbol.iterator in records || Symbol.asyncIterator in records)

/** How records become text, one after another, so that a stream is never in memory as a whole. */
export interface Form {
  readonly open?: string
  record(record: Row, index: number): string
  close?(count: number): string
}

/** The value at a path; in a list, the list of its items' values. */
export function valueAt(value: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.')
  return rest.reduce<unknown>(stepInto, property(value, name))
}

const stepInto = (value: unknown, name: string): unknown =>
  Array.isArray(value) ? value.map(item => stepInto(item, name)) : property(value, name)

export const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The fields that may contain the name of a linked record, an image or a calendar, in order of preference. */
const nameFields = ['title', 'name', 'venue', 'organizer', 'label', 'url']

/** Any value as text: a linked record by its name, a list with commas, a missing value as an empty text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(cellText).filter(Boolean).join(', ')
  return typeof value === 'object' ? nameOf(value) : String(value)
}

function nameOf(record: object): string {
  const values = new Map<string, unknown>(Object.entries(record))
  return String(
    nameFields.map(name => values.get(name)).find(value => typeof value === 'string') ?? JSON.stringify(record),
  )
}

/** The values at paths, as texts. */
export const cellsAt = (record: Row, paths: readonly string[]): string[] =>
  paths.map(path => cellText(valueAt(record, path)))

/** Fields whose values sites escape as HTML. Descriptions and excerpts are HTML and stay as they are. */
const escapedFields = new Set(['title', 'venue', 'organizer', 'name', 'website', 'cost'])

/** Decodes HTML entities in the names of a record and its linked records: `Jazz &#038; Blues` becomes Jazz & Blues. */
export function decodeNames(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return escapedFields.has(name) ? decodeEntities(value) : value
  if (Array.isArray(value)) return value.map(item => decodeNames(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeNames(inner, key)]))
}
