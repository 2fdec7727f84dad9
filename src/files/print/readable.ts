import { lookupTable } from '../../base/memoize.ts'
import { decodeEntities, escapeFormula, sanitize, sanitizeLine, singleLine } from '../../base/text/escaping.ts'
import { capitalized } from '../../base/text/sentence-parts.ts'
import { shortDays, shortMonths } from '../../base/time/calendar-words.ts'
import { interfaceLanguage } from '../../base/words/phrase.ts'
import { writtenHeading } from '../../contract/posts.ts'
import { quoted, type Resource } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'

const dateTime = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

const spellings: Readonly<Record<string, string>> = lookupTable({
  id: 'ID',
  url: 'URL',
  utc: 'UTC',
  lang: 'Language',
  code: '',
})

/** The heading for a path: Start date for `start_date`, Venue city for `venue.city`. */
export function heading(path: string): string {
  const words = path.split(/[._]/).map(word => spellings[word] ?? word)
  return capitalized(words.filter(Boolean).join(' '))
}

/** Where and when somebody reads a text. */
export interface Viewer {
  /** The reader's time zone: dates of events in another zone show theirs. */
  readonly zone?: string | undefined
  /** The year of reading, which dates leave out. */
  readonly year?: string | undefined
}

/** The value at a path, for people: without control characters, and with weekdays in dates. */
export function readable(record: Row, path: string, viewer: Viewer = {}): string {
  const text = sanitize(cellText(valueAt(record, path))).replaceAll('\t', ' ')
  if (!dateTime.test(text)) return text
  if (!/^(start|end)_date$/.test(path)) return shortDate(text, viewer.year)
  return `${shortDate(text, viewer.year, record.all_day === true)}${foreignZone(record, viewer.zone)}`
}

/** The value at a path, on one line. */
export const readableLine = (record: Row, path: string, viewer?: Viewer): string =>
  singleLine(readable(record, path, viewer)).trim()

const foreignZone = ({ timezone, timezone_abbr }: Row, viewerZone: string | undefined): string =>
  typeof timezone !== 'string' || viewerZone === undefined || timezone === viewerZone
    ? ''
    : ` ${timezone_abbr ?? timezone}`

/** `Sat`; undefined for a day that does not exist. */
const weekdayOf = (wall: string): string | undefined =>
  shortDays[interfaceLanguage()].split(',')[new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay()]

const wallTime = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2}))?/

/** `Sat 21 Nov 08:00`, with the year if it is not `year`; a whole day has no time. */
export function shortDate(wall: string, year: string | undefined, isWholeDay = false): string {
  const [, ownYear = '', month = '', day = '', time] = wallTime.exec(wall) ?? []
  const monthName = shortMonths[interfaceLanguage()].split(',')[Number(month) - 1]
  const weekday = weekdayOf(wall)
  if (!monthName || !weekday) return wall
  const date = [weekday, Number(day), monthName, ...(ownYear === year ? [] : [ownYear])]
  return [...date, ...(time && !isWholeDay ? [time] : [])].join(' ')
}

/** What to name a record by. */
interface Naming {
  /** The fields of the record, as they were read or are to be sent. */
  readonly record: Row
  /** The year in which the sentence is read, which dates leave out. */
  readonly year: string
  /** What comes in parentheses: the ID, the row of a file. */
  readonly details?: readonly (string | number | undefined)[]
}

/** `"Mercat de pagès" (57)`, `venue "Plaça Major" (12)`: an event needs no noun. */
export function recordName(resource: Resource, { record, details = [record.id as number] }: Omit<Naming, 'year'>) {
  return withDetails(nounAndTitle(resource, record), resource, details)
}

/** `"Mercat de pagès", Sat 21 Nov 08:00, Plaça Major (57)` */
export function recordInFull(resource: Resource, { record, year, details = [record.id as number] }: Naming): string {
  const { start_date: start, all_day: isWholeDay, venue } = record
  const title = nounAndTitle(resource, record)
  const when = typeof start === 'string' && start !== '' ? shortDate(start, year, isWholeDay === true) : ''
  const where = resource.name === 'events' && typeof venue === 'object' ? venueName(venue) : ''
  return withDetails(title && [title, when, where].filter(part => part !== '').join(', '), resource, details)
}

const venueName = (venue: unknown): string => sanitizeLine(decodeEntities(cellText([venue].flat()[0])))

function nounAndTitle({ name, title }: Resource, record: Row): string {
  const value = record[title]
  if (value === undefined || value === '') return ''
  return name === 'events' ? quoted(String(value)) : namedRecord(name, quoted(String(value)))
}

/** A record without a title is named by its ID: `event 57 (row 3)`. */
function withDetails(name: string, resource: Resource, details: NonNullable<Naming['details']>): string {
  const known = details.filter(detail => detail !== undefined && detail !== '')
  const [head, rest] = name === '' ? [namedRecord(resource.name, known[0] ?? ''), known.slice(1)] : [name, known]
  return rest.length > 0 ? `${head} (${rest.join(', ')})` : head
}

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
}

/** Creates a shape with these names; by default all of them are columns. */
export const shapeOf = (names: readonly string[], { columns = names, key }: Partial<Shape> = {}): Shape => ({
  columns,
  fields: Object.fromEntries(names.map(name => [name, true])),
  ...(key !== undefined && { key }),
})

/** Several records, possibly as a stream. */
export type RowSource = Iterable<Row> | AsyncIterable<Row>

/** Whether it is a single record, not a list. */
export const isOne = (records: Row | RowSource): records is Row =>
  !(Symbol.iterator in records || Symbol.asyncIterator in records)

/** The properties of the terminal on which tables depend; without `columns`, lines may have any length. */
export interface Surface extends Viewer {
  readonly color: boolean
  readonly columns: number | undefined
}

/** How records become text, one after another, so that a stream is never in memory as a whole. */
export interface Form {
  readonly open?: string
  record(record: Row, index: number): string
  close?(count: number): string
}

const chunkLength = 65_536
/** In ms: a slow stream is written at least this often. */
const longestWait = 100

/** Writes records in chunks as they arrive. Records that were read before a failure are written, too. */
export async function writeForm(records: RowSource, form: Form, write: (text: string) => Promise<void>): Promise<void> {
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

/** The paths of `--fields` as a tree: for `id,venue.city`, id, and city inside venue. */
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

/** The record with only these fields: nesting stays, lists are mapped, and missing fields are null. */
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

/** The fields that may contain the name of a linked record or image, in order of preference. */
const nameFields = ['title', 'name', 'venue', 'organizer', 'url']

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

/** For spreadsheet programs, like CSV. */
export const tsv = (paths: readonly string[]): Form => ({
  open: `${paths.map(writtenHeading).join('\t')}\n`,
  record: record => `${cellsAt(record, paths).map(sanitizeLine).map(escapeFormula).join('\t')}\n`,
})

/** The key of each record, one per line; records without a key are left out. */
export const idForm = (key = 'id'): Form => ({
  record: ({ [key]: value }) => (value === undefined || value === null ? '' : `${value}\n`),
})

/** Quoted as in RFC 4180, but with the line ends of the other forms. */
export async function csv(paths: readonly string[]): Promise<Form> {
  const { stringify } = await import('csv-stringify/sync')
  const line = (cells: readonly string[]) => stringify([cells])
  return { open: line(paths.map(writtenHeading)), record: record => line(cellsAt(record, paths).map(escapeFormula)) }
}

const cellsAt = (record: Row, paths: readonly string[]): string[] => paths.map(path => cellText(valueAt(record, path)))

/** Fields whose values sites escape as HTML. Descriptions and excerpts are HTML and stay as they are. */
const escapedFields = new Set(['title', 'venue', 'organizer', 'name', 'website', 'cost'])

/** Decodes HTML entities in the names of a record and its linked records: `Jazz &#038; Blues` becomes Jazz & Blues. */
export function decodeNames(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return escapedFields.has(name) ? decodeEntities(value) : value
  if (Array.isArray(value)) return value.map(item => decodeNames(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeNames(inner, key)]))
}
