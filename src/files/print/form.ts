import { decodeEntities, escapeFormula, sanitizeLine } from '../../base/text/escaping.ts'

/** An object to print: a record of a resource, or any other. */
export type Row = Readonly<Record<string, unknown>>

/** Properties of rows that printing depends on. Every resource is a shape. */
export interface Shape {
  /** Of a table, and of CSV and TSV. */
  readonly columns: readonly string[]
  /** All names, in the order of a card. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The column that `-o ids` prints, if it is not `id`. */
  readonly key?: string
  /** The column that people look for first: a table cuts it last. */
  readonly title?: string
  /** Columns that a table never cuts, besides those of numbers and dates. */
  readonly whole?: readonly string[]
}

/** Creates a shape of these names; by default all of them are columns. */
export const shapeOf = (names: readonly string[], { columns = names, key }: Partial<Shape> = {}): Shape => ({
  columns,
  fields: Object.fromEntries(names.map(name => [name, true])),
  ...(key !== undefined && { key }),
})

/** Several records, possibly a stream. */
export type Records = Iterable<Row> | AsyncIterable<Row>

/** Whether it is a single record, not a list. */
export const isOne = (records: Row | Records): records is Row =>
  !(Symbol.iterator in records || Symbol.asyncIterator in records)

/** Properties of the terminal that tables depend on; without `columns`, lines may have any length. */
export interface Surface {
  readonly color: boolean
  readonly columns: number | undefined
  /** The viewer's time zone. */
  readonly zone?: string | undefined
}

/** How records become text, one after another, so that a stream need not be in memory as a whole. */
export interface Form {
  readonly open?: string
  record(record: Row, index: number): string
  close?(count: number): string
}

const chunkLength = 65_536
/** In ms: a slow stream is written at least this often. */
const longestWait = 100

/** Writes records in chunks as they arrive. Records that were read before a failure are written too. */
export async function writeForm(records: Records, form: Form, write: (text: string) => Promise<void>): Promise<void> {
  let chunk = form.open ?? ''
  let count = 0
  let written = Date.now()
  try {
    for await (const record of records) {
      chunk += form.record(record, count)
      count += 1
      if (chunk.length < chunkLength && Date.now() - written < longestWait) continue
      const full = chunk
      chunk = ''
      await write(full)
      written = Date.now()
    }
    chunk += form.close?.(count) ?? ''
  } finally {
    if (chunk !== '') await write(chunk)
  }
}

/** The paths of `--fields` as a tree: `id,venue.city` is id, and city inside venue. */
type PathTree = ReadonlyMap<string, PathTree>

/** Parses paths such as `venue.city`. A path to a whole object takes precedence over paths into it. */
export function pathTree(paths: readonly string[]): PathTree {
  const tree = new Map<string, PathTree>()
  const tops = new Set(paths.map(path => path.split('.')[0] ?? ''))
  for (const top of tops) {
    const inside = paths.filter(path => path === top || path.startsWith(`${top}.`))
    tree.set(top, inside.includes(top) ? new Map() : pathTree(inside.map(path => path.slice(top.length + 1))))
  }
  return tree
}

/** The record with only these fields: keeps nesting, maps over lists, and gives null for missing fields. */
export function selectFields(value: unknown, fields: PathTree): unknown {
  if (fields.size === 0) return value ?? null
  if (Array.isArray(value)) return value.map(item => selectFields(item, fields))
  return Object.fromEntries([...fields].map(([name, inside]) => [name, selectFields(property(value, name), inside)]))
}

/** The value at a path; in a list, the list of its items' values. */
export function valueAt(value: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.')
  return rest.reduce<unknown>(stepInto, property(value, name))
}

const stepInto = (value: unknown, name: string): unknown =>
  Array.isArray(value) ? value.map(item => stepInto(item, name)) : property(value, name)

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The fields that can be the name of a linked record or image, in order of preference. */
const nameFields = ['title', 'name', 'venue', 'organizer', 'url']

/** Any value as text: a linked record by its name, a list with commas, a missing value as an empty text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value))
    return value
      .map(cellText)
      .filter(text => text !== '')
      .join(', ')
  return typeof value === 'object' ? nameOf(value) : String(value)
}

function nameOf(record: object): string {
  const values = new Map<string, unknown>(Object.entries(record))
  return String(
    nameFields.map(name => values.get(name)).find(value => typeof value === 'string') ?? JSON.stringify(record),
  )
}

/** Selects the fields of a record to print: all, or those of --fields. */
export type Projection = (record: unknown) => unknown

const indented = (value: unknown) => JSON.stringify(value, null, 2)

/** One indented object. */
export const jsonObject = (project: Projection): Form => ({ record: record => `${indented(project(record))}\n` })

/** An indented array, on a terminal and in a pipe alike. */
export const jsonArray = (project: Projection): Form => ({
  open: '[',
  record: (record, index) => `${index === 0 ? '' : ','}\n  ${indented(project(record)).replaceAll('\n', '\n  ')}`,
  close: count => (count === 0 ? ']\n' : '\n]\n'),
})

export const ndjson = (project: Projection): Form => ({ record: record => `${JSON.stringify(project(record))}\n` })

/** Tab-separated, complete values without headings, one record per line, for `cut`, `sort` and `awk`. */
export const plain = (paths: readonly string[]): Form => ({
  record: record => `${cellsAt(record, paths).map(sanitizeLine).join('\t')}\n`,
})

/** For spreadsheets, as CSV is. */
export const tsv = (paths: readonly string[]): Form => ({
  open: `${paths.join('\t')}\n`,
  record: record => `${cellsAt(record, paths).map(sanitizeLine).map(escapeFormula).join('\t')}\n`,
})

/** The key of each record, one per line; records without a key are left out. */
export const ids = (key = 'id'): Form => ({
  record: ({ [key]: value }) => (value === undefined || value === null ? '' : `${value}\n`),
})

/** Quoted as in RFC 4180, but with the line ends of the other forms. */
export async function csv(paths: readonly string[]): Promise<Form> {
  const { stringify } = await import('csv-stringify/sync')
  const line = (cells: readonly string[]) => stringify([cells])
  return { open: line(paths), record: record => line(cellsAt(record, paths).map(escapeFormula)) }
}

const cellsAt = (record: Row, paths: readonly string[]): string[] => paths.map(path => cellText(valueAt(record, path)))

/** Fields that sites escape as HTML. Descriptions and excerpts are HTML and stay as they are. */
const escapedFields = new Set(['title', 'venue', 'organizer', 'name', 'website', 'cost'])

/** Decodes HTML entities in the names of a record and its linked records: `Jazz &#038; Blues` becomes Jazz & Blues. */
export function decodeNames(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return escapedFields.has(name) ? decodeEntities(value) : value
  if (Array.isArray(value)) return value.map(item => decodeNames(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeNames(inner, key)]))
}
