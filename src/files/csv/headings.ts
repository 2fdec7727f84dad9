import { Failure } from '../../base/failure.ts'
import { listOf, listOfFirst, nearest, nounFor } from '../../base/text/similarity.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { FileRecord, Notice } from '../records/file-record.ts'
import { fieldNamed, isReadOnlyKey, resourceOfNames, resourceOption } from '../records/record-builder.ts'
import { ColumnMap, ignoredColumn } from './column-map.ts'
import {
  columnNamed,
  foldHeading,
  headingAsName,
  importerSheets,
  isFieldPart,
  isKnownHeading,
  isPhoneHeading,
  nearHeading,
  recordColumns,
} from './heading-names.ts'
import { unreadInLeaflet } from './leaflet-headings.ts'
import { findReportColumns, isReportColumn, reportColumns } from './write-csv.ts'

/**
 * What a column holds: a field, `id` or the like, or a part of a field that is spread over several columns, such as
 * `start_date.day`. Unknown columns keep their heading as name.
 */
interface Column {
  readonly heading: string
  readonly name: string
}

export interface Sheet {
  readonly resource: Resource
  readonly columns: readonly Column[]
  /** The fields by which the importer that the sheet was made for identifies a record. */
  readonly match?: readonly string[]
  /** Whether calctl wrote it: it has IDs, and costs and names as the site stores them. */
  readonly isExport: boolean
  /** What all its records share: how their links are read, and what their fields are called. */
  readonly shared: Pick<FileRecord, 'makesLinks' | 'numbersAreNames' | 'describesPlaces' | 'headings'>
  /** Says what was read into a row that it does not say itself; each subject once. */
  readonly remark: (subject: string, sentence: string) => void
}

export interface HeadingOptions {
  readonly name: string
  readonly resource?: ResourceName | undefined
  readonly isOneOfSeveral?: boolean
  /** The other sheets of a workbook. */
  readonly otherSheets?: readonly string[] | undefined
  readonly notice: Notice
  readonly columns?: ColumnMap
}

/** Recognizes the columns of a sheet by calctl's headings, those of The Events Calendar's importer, or those that people use. */
export async function readHeadings(written: readonly string[], options: HeadingOptions): Promise<Sheet> {
  const headings = withNumbers(written)
  const { name, notice, resource: requested, columns: map = new ColumnMap() } = options
  const unread = unreadInLeaflet(headings)
  if (unread)
    notice(
      `${name}: a sheet for a leaflet (export --human), without IDs: events are matched by title and dates; not read: ${listOf(unread)}`,
    )
  const meant = headings.map(heading => map.columnOf(heading) ?? heading)
  const importer = importerSheets.find(({ title }) =>
    meant.some(heading => foldHeading(heading) === foldHeading(title)),
  )
  if (requested && importer && importer.resource !== requested)
    throw new Failure('usage', `${name} is a sheet of ${importer.resource}, not of ${requested}`, {
      hint: `read it with: --resource ${importer.resource}`,
    })
  const resource = resourceNamed(requested ?? importer?.resource ?? guessResource(meant, options))
  const report = findReportColumns(headings)
  const columns = withPlaces(
    headings.map((text, index) => {
      const heading = text.trim() || `column ${index + 1}`
      const mapped = map.columnOf(heading)
      const known = mapped === undefined ? columnNamed(written[index] ?? '', resource) : mappedColumn(mapped, resource)
      const leftOut = unread?.includes(heading) ? reportColumns.ignored : report.get(index)
      return { heading, name: leftOut ?? known ?? headingAsName(heading) }
    }),
    resource,
  )
  const isCompleted = await completeMap(map, columns, resource, name)
  if (isCompleted) return readHeadings(written, options)
  checkDuplicates(
    columns.filter(({ name }) => isKnownColumn(name, resource)),
    name,
  )
  if (!columns.some(column => isKnown(column.name, resource)))
    throw new Failure('usage', `${name} has no column for a field of ${resource.name}`, {
      hint: `name the columns in the first line: ${Object.keys(resource.fields).slice(0, 6).join(', ')}, …`,
    })
  const isExport = columns.some(({ name }) => name === 'id' || name === 'origin')
  checkPlaces(columns, name)
  const namesOnly = columns.some(column => /\.names?$/.test(column.name) && isFieldPart(column.name))
  return {
    resource,
    columns,
    ...(importer && { match: importer.match }),
    isExport,
    shared: {
      ...(importer && { makesLinks: true }),
      ...(namesOnly && { numbersAreNames: true }),
      ...(describesPlaces(columns, resource) && { describesPlaces: true }),
      ...headingsOfFields(columns, resource),
    },
    remark: once((_, sentence) => notice(`${name}: ${sentence}`)),
  }
}

/** Whether people wrote the sheet, who describe a venue and do not ask for a new one: calctl writes IDs, or the kind of record. */
function describesPlaces(columns: readonly Column[], resource: Resource): boolean {
  const names = new Set(columns.map(({ name }) => name))
  if (names.has('venue.name')) return true
  return resource.name === 'events' && names.has('venue') && !['id', 'origin', 'resource'].some(name => names.has(name))
}

const isPlace = ({ name }: Column): boolean => name.startsWith('place.')

/** Where a sheet of events has the address of the venue, the phone is that of the venue too, and the venue is there by name. */
function withPlaces(written: readonly Column[], resource: Resource): Column[] {
  const columns = withSharedDates(written, resource)
  if (!columns.some(isPlace)) return columns
  return columns.map(column => {
    if (column.name === 'venue') return renamed(column, 'venue.name')
    return isPhoneHeading(column.heading) ? renamed(column, 'place.phone') : column
  })
}

/** Throws `usage` for the address of a venue that no column names. */
function checkPlaces(columns: readonly Column[], name: string): void {
  const place = columns.find(isPlace)
  if (!place || columns.some(column => column.name === 'venue.name')) return
  const { heading } = place
  throw new Failure('usage', `${name} has a column "${heading}", but none for the name of the venue`, {
    hint: `if it names the venue, add: --map "${heading}=venue"; to leave it out: --map "${heading}=ignore"`,
  })
}

/** Headings that are there twice get a number, by which `--map` can name them: `Hora` and `Hora (2)`. */
function withNumbers(headings: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return headings.map(heading => {
    const folded = foldHeading(heading)
    const count = (counts.get(folded) ?? 0) + 1
    counts.set(folded, count)
    return count === 1 || !isKnownHeading(heading) ? heading : `${heading.trim()} (${count})`
  })
}

/**
 * Dates of events that are spread over columns. `Date` is the publication date of a record, but the start of events that have no
 * other one; and a start or end beside a column with a time need only be a day.
 */
function withSharedDates(columns: readonly Column[], resource: Resource): Column[] {
  if (resource.name !== 'events') return [...columns]
  const has = (test: (name: string) => boolean) => columns.some(({ name }) => test(name))
  const isStart = (name: string) => /^start_date(\.day|\.at)?$/.test(name)
  const startsWithDate = !has(isStart) && !has(name => name === 'id' || name === 'slug')
  const dated = columns.map(column =>
    startsWithDate && column.name === 'date' ? renamed(column, 'start_date.day') : column,
  )
  const isSplit = dated.some(({ name }) => /^(start|end)_date\./.test(name))
  return dated.map(column => {
    const isWhole = column.name === 'start_date' || column.name === 'end_date'
    return isSplit && isWhole ? renamed(column, `${column.name}.day`) : column
  })
}

const renamed = ({ heading }: Column, name: string): Column => ({ heading, name })

function mappedColumn(column: string, resource: Resource): string {
  if (column === ignoredColumn) return reportColumns.ignored
  const name = columnNamed(column, resource)
  if (name !== undefined) return name
  const suggestion = nearest(headingAsName(column), Object.keys(resource.fields))
  throw new Failure('usage', `--map: ${resource.name} have no column "${column}"`, {
    hint: suggestion ? `did you mean ${suggestion}?` : `columns: ${Object.keys(resource.fields).join(', ')}, ignore`,
  })
}

/**
 * Asks about unknown headings that look like known ones which the sheet does not have otherwise, and adds the answers to the map.
 * Throws `usage` where nobody can be asked: what such a column holds would be lost by a mistyped letter.
 */
async function completeMap(
  map: ColumnMap,
  columns: readonly Column[],
  resource: Resource,
  name: string,
): Promise<boolean> {
  const taken = new Set(columns.map(column => withoutPart(column.name)))
  const near = columns.flatMap(column => {
    const isUnknown = !isKnownColumn(column.name, resource) && !isReadOnlyKey(column.name)
    const known = isUnknown && !isReportColumn(column.name) && nearHeading(column.heading, resource)
    return known && !taken.has(withoutPart(known.column)) ? [{ heading: column.heading, known: known.heading }] : []
  })
  const [first] = near
  if (!first) return false
  if (!map.isThis) {
    const list = near.map(({ heading, known }) => `"${heading}" (did you mean "${known}"?)`)
    const { heading, known } = first
    throw new Failure('usage', `${name}: unknown ${nounFor(near.length, 'heading')} ${listOf(list)}`, {
      hint: `correct ${near.length > 1 ? 'them' : 'it'}, or add: --map "${heading}=${known}"; to leave a column out: --map "${heading}=ignore"`,
    })
  }
  for (const { heading, known } of near) map.set(heading, (await map.isThis(heading, known)) ? known : ignoredColumn)
  return true
}

/** A venue by name is the venue; a day and a time are different things. */
const withoutPart = (column: string): string => column.replace(/\.(names?|amount|day|at)$/, '')

/** The headings of fields that a sheet calls otherwise than calctl. */
function headingsOfFields(columns: readonly Column[], resource: Resource): Pick<FileRecord, 'headings'> {
  const headings: Record<string, string> = {}
  for (const { heading, name } of columns) {
    const field = name.split('.')[0] ?? ''
    if (fieldNamed(resource, field) && headingAsName(heading) !== field) headings[field] ??= heading
  }
  return Object.keys(headings).length > 0 ? { headings } : {}
}

/** Passes on what is said first about each subject. */
function once(say: (subject: string, sentence: string) => void): (subject: string, sentence: string) => void {
  const said = new Set<string>()
  return (subject, sentence) => {
    if (said.has(subject)) return
    said.add(subject)
    say(subject, sentence)
  }
}

/** Whether a column is about a record, or is read into one of its fields. */
export const isKnownColumn = (name: string, resource: Resource): boolean =>
  recordColumns.has(name) || isKnown(name, resource)

const isKnown = (name: string, resource: Resource): boolean =>
  name === 'id' || fieldNamed(resource, name) !== undefined || isFieldPart(name)

/** The resource whose sheets have these headings; only events have a title and a start. */
function guessResource(
  headings: readonly string[],
  { name, isOneOfSeveral, otherSheets }: HeadingOptions,
): ResourceName {
  const columnsFor = (resource: Resource) =>
    new Set(headings.map(heading => columnNamed(heading, resource)).filter(column => column !== undefined))
  const ofEvents = [...columnsFor(resourceNamed('events'))]
  if (ofEvents.includes('title') && ofEvents.some(column => column.startsWith('start_date'))) return 'events'
  const ofOwnNames = resourceOfNames(new Set(headings.map(headingAsName)))
  if (ofOwnNames) return ofOwnNames
  const counts = resources.map(resource => {
    const columns = columnsFor(resource)
    return { resource, count: columns.has(resource.title) ? columns.size : 0 }
  })
  const [most, second] = counts.toSorted((one, other) => other.count - one.count)
  if (most && second && most.count > second.count) return most.resource.name
  const unknown = headings.filter(heading => heading.trim() !== '' && !isKnownHeading(heading))
  const [first] = unknown
  const named = listOfFirst(
    unknown.map(heading => JSON.stringify(heading.trim())),
    mostNamed,
  )
  const list = first === undefined ? '' : `; unknown ${nounFor(unknown.length, 'heading')}: ${named}`
  const map = first === undefined ? '' : `, and say what headings mean: --map "${first.trim()}=title"`
  if (otherSheets)
    throw new Failure('usage', `${name}: this sheet has no headings that are known${list}`, {
      hint: `read another one of the workbook: --sheet ${listOf(
        otherSheets.map(sheet => JSON.stringify(sheet)),
        'or',
      )}${map}`,
    })
  throw new Failure('usage', `${name}: cannot tell which resource its records are${list}`, {
    hint: isOneOfSeveral
      ? `add a column "resource", or apply it alone with: ${resourceOption}${map}`
      : `set it with: ${resourceOption}${map}`,
  })
}

const mostNamed = 5

function checkDuplicates(columns: readonly Column[], name: string): void {
  const headings = new Map<string, string>()
  for (const { heading, name: column } of columns) {
    const first = headings.get(column)
    if (first !== undefined)
      throw new Failure('usage', `${name} has two columns for ${column}: "${first}" and "${heading}"`, {
        hint: `say what one of them means, for example --map "${heading}=${otherMeaning(column)}", or leave it out: --map "${heading}=ignore"`,
      })
    headings.set(column, heading)
  }
}

/** What the second column of a kind probably is. */
const otherMeaning = (column: string): string => {
  if (column.startsWith('start_date')) return column.endsWith('.time') ? 'end time' : 'end day'
  return column === 'description' ? 'excerpt' : 'description'
}

/** Whether a line is the first of a sheet: Excel's `sep=;`, or one with a known heading. */
export const isHeadingLine = (line: string): boolean =>
  /^"?sep=/i.test(line) ||
  line
    .replaceAll('"', '')
    .split(/[,;\t|]/)
    .some(isKnownHeading)
