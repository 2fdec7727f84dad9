import { usage } from '../../base/failure.ts'
import { listOf, listOfFirst } from '../../base/text/sentence-parts.ts'
import { nearest } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { writtenHeading } from '../../contract/posts.ts'
import type { Resource } from '../../contract/resource.ts'
import { recordsNoun } from '../../contract/resource-words.ts'
import type { FileReading } from '../records/file-reading.ts'
import type { FileRecord } from '../records/file-record.ts'
import { fieldNamed, ignoredColumn, isReadOnlyKey, resourceOfNames, resourceOption } from '../records/record-builder.ts'
import { ColumnMap } from './column-map.ts'
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
import { isLeaflet } from './leaflet-headings.ts'
import programs from './program-columns.json' with { type: 'json' }

/**
 * What a column contains: a field, `id` or the like, or a part of a field that has several columns, such as `start_date.day`. An unknown
 * column is named by its heading.
 */
interface Column {
  readonly heading: string
  readonly name: string
}

export interface Sheet {
  readonly resource: Resource
  readonly columns: readonly Column[]
  /** The fields by which the importer for this kind of sheet identifies a record. */
  readonly match?: readonly string[]
  /** Whether calctl wrote it: then it has IDs, its own headings, and costs and names as the site stores them. */
  readonly isExport: boolean
  /** What all of its records share: how their links are read, and what their fields are called. */
  readonly shared: Pick<FileRecord, 'makesLinks' | 'numbersAreNames' | 'describesPlaces' | 'headings'>
  /** Reports how a row was read, or what was filled in, once for each subject; with its place, as the first of several. */
  readonly remark: (subject: string, said: string, place?: string) => void
}

interface HeadingOptions extends Pick<FileReading, 'name' | 'isOneOfSeveral' | 'notice'> {
  readonly columns?: ColumnMap
  readonly resource: ResourceName | undefined
  /** The other sheets of a workbook. */
  readonly otherSheets?: readonly string[] | undefined
}

/** Recognizes the columns of a sheet by the headings of calctl, of The Events Calendar's importer, or of people. */
export async function readHeadings(written: readonly string[], options: HeadingOptions): Promise<Sheet> {
  const headings = withNumbers(written)
  const { name, notice, resource: requested, columns: map = new ColumnMap() } = options
  if (isLeaflet(headings))
    throw usage(
      phrase('{file} is a sheet for a leaflet, which has no IDs', { file: name }),
      phrase('change and apply the file of: {command}', { command: 'calctl export events --format csv' }),
    )
  const columnOf = programColumns(headings)
  const meant = headings.map(heading => map.columnOf(heading) ?? columnOf(heading) ?? heading)
  const indexOf = (title: string) => meant.findIndex(heading => foldHeading(heading) === foldHeading(title))
  const importer = importerSheets.find(({ title }) => indexOf(title) >= 0)
  if (requested && importer && importer.resource !== requested)
    throw ofOtherRecords(name, headings[indexOf(importer.title)] ?? '', importer.resource, requested)
  const resource = resourceNamed(requested ?? importer?.resource ?? guessResource(meant, options))
  const columns = withPlaces(
    headings.map((text, index) => {
      const heading = text.trim() || phrase('column {number}', { number: index + 1 })
      const mapped = map.columnOf(heading) ?? columnOf(heading)
      const known = mapped === undefined ? columnNamed(written[index] ?? '', resource) : mappedColumn(mapped, resource)
      return { heading, name: known ?? headingAsName(heading) }
    }),
    resource,
  )
  const isCompleted = await completeMap(map, columns, resource, name)
  if (isCompleted) return readHeadings(written, options)
  const known = columns.filter(({ name }) => isKnownColumn(name, resource))
  checkDuplicates(known, name)
  if (!columns.some(column => isKnown(column.name, resource)))
    throw usage(
      phrase('{file} has no column for a field of {records}', { file: name, records: recordsNoun(resource.name) }),
      phrase('name the columns in the first line: {columns}', {
        columns: `${Object.keys(resource.fields).slice(0, 6).join(', ')}, …`,
      }),
    )
  const renames = headingsOfFields(columns, resource)
  const isExport = columns.some(({ name }) => name === 'id' || name === 'origin') && renames.headings === undefined
  checkPlaces(columns, name)
  const said = new Set<string>()
  const namesOnly = columns.some(column => /\.names?$/.test(column.name) && isFieldPart(column.name))
  return {
    resource,
    columns,
    ...(importer && { match: importer.match }),
    isExport,
    shared: {
      ...(importer && { makesLinks: true }),
      ...(namesOnly && { numbersAreNames: true }),
      ...(describesPlaces(columns, resource, isExport) && { describesPlaces: true }),
      ...renames,
    },
    remark(subject, sentence, place) {
      const text = place
        ? phrase('{place}: {said}; the same in other rows like it', { place, said: sentence })
        : sentence
      if (!said.has(subject)) notice(`${name}: ${text}`)
      said.add(subject)
    },
  }
}

const wordsIn = (list: string): string[] => list.split(', ')

/** What the headings of another calendar program mean, where they would be read otherwise, or not at all. */
function programColumns(headings: readonly string[]): (heading: string) => string | undefined {
  const written = new Set(headings.map(heading => heading.trim().toLowerCase()))
  const program = Object.values<Readonly<Record<string, string>>>(programs).find(({ has = '' }) =>
    wordsIn(has).every(heading => written.has(heading)),
  )
  const { has: _, ...columns } = program ?? {}
  const meanings = Object.entries(columns).flatMap(([column, list]) => wordsIn(list).map(one => [one, column] as const))
  const known = new Map(meanings)
  return heading => known.get(heading.trim().toLowerCase())
}

function ofOtherRecords(file: string, heading: string, found: ResourceName, wanted: ResourceName) {
  const linked = resourceNamed(found).singular
  const map = `--map "${heading}=${linked in resourceNamed(wanted).fields ? linked : ignoredColumn}"`
  const words = { file, heading, found: recordsNoun(found), wanted: recordsNoun(wanted) }
  return usage(
    phrase('{file}: "{heading}" is a heading of a sheet of {found}, not of {wanted}', words),
    phrase('read it with: {option}', { option: listOf([`--resource ${found}`, map], 'or') }),
  )
}

/** Whether people wrote the sheet: they describe a venue, and do not ask for a new one. */
function describesPlaces(columns: readonly Column[], resource: Resource, isExport: boolean): boolean {
  const has = (name: string) => columns.some(column => column.name === name)
  return has('venue.name') || (resource.name === 'events' && has('venue') && !isExport && !has('resource'))
}

const isPlace = ({ name }: Column): boolean => name.startsWith('place.')

/** In a sheet of events with the address of a venue, the phone number is that of the venue, too, and the venue is given by name. */
function withPlaces(written: readonly Column[], resource: Resource): Column[] {
  const columns = withSharedDates(written, resource)
  if (!columns.some(isPlace)) return columns
  return columns.map(column => {
    if (column.name === 'venue') return renamed(column, 'venue.name')
    return isPhoneHeading(column.heading) ? renamed(column, 'place.phone') : column
  })
}

/** Throws `usage` for an address if no column has the name of the venue. */
function checkPlaces(columns: readonly Column[], name: string): void {
  const place = columns.find(isPlace)
  if (!place || columns.some(column => column.name === 'venue.name')) return
  const { heading } = place
  throw usage(
    phrase('{file} has a column "{heading}", but none for the name of the venue', { file: name, heading }),
    phrase('if it names the venue, add: --map "{heading}=venue"; to leave it out: --map "{heading}=ignore"', {
      heading,
    }),
  )
}

/** Numbers repeated headings, so that `--map` can name them: `Hora` and `Hora (2)`. */
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
 * The columns of dates as those of people: a start or end beside a column with a time may be just a day. `date` beside `date_utc` is the
 * publication date, as earlier versions exported it.
 */
function withSharedDates(columns: readonly Column[], resource: Resource): Column[] {
  if (resource.name !== 'events') return [...columns]
  const isEarlierExport = columns.some(({ heading }) => heading === 'date_utc')
  const dated = columns.map(column => (isEarlierExport && column.heading === 'date' ? renamed(column, 'date') : column))
  const isSplit = dated.some(({ name }) => /^(start|end)_date\./.test(name))
  return dated.map(column => {
    const isWhole = column.name === 'start_date' || column.name === 'end_date'
    return isWhole ? renamed(column, `${column.name}.${isSplit ? 'day' : 'at'}`) : column
  })
}

const renamed = ({ heading }: Column, name: string): Column => ({ heading, name })

function mappedColumn(column: string, resource: Resource): string {
  if (column === ignoredColumn) return ignoredColumn
  const name = columnNamed(column, resource)
  if (name !== undefined) return name
  const suggestion = nearest(headingAsName(column), Object.keys(resource.fields))
  throw usage(
    phrase('--map: {records} have no column "{column}"', { records: recordsNoun(resource.name), column }),
    suggestion
      ? phrase('did you mean {suggestion}?', { suggestion })
      : phrase('columns: {columns}', { columns: [...Object.keys(resource.fields), ignoredColumn].join(', ') }),
  )
}

/**
 * Asks about unknown headings that resemble known ones missing in the sheet, and adds the answers to the map. Throws `usage` where nobody
 * can be asked, because a typing mistake would lose the whole column.
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
    const known = isUnknown && column.name !== ignoredColumn && nearHeading(column.heading, resource)
    return known && !taken.has(withoutPart(known.column)) ? [{ heading: column.heading, known: known.heading }] : []
  })
  const [first] = near
  if (!first) return false
  if (!map.isThis) {
    const list = near.map(place => phrase('"{heading}" (did you mean "{known}"?)', place))
    const count = near.length
    const { heading, known } = first
    throw usage(
      phrase('{file}: unknown {count, plural, one {heading} other {headings}} {headings}', {
        file: name,
        count,
        headings: listOf(list),
      }),
      phrase(
        'correct {count, plural, one {it} other {them}}, or add: --map "{heading}={known}"; to leave a column out: --map "{heading}=ignore"',
        { count, heading, known },
      ),
    )
  }
  for (const { heading, known } of near) map.set(heading, (await map.isThis(heading, known)) ? known : ignoredColumn)
  return true
}

/** A column without its part: a venue by name is the venue, but a day and a time are different things. */
const withoutPart = (column: string): string => column.replace(/\.(names?|amount|day|at)$/, '')

/** The headings of fields that have another name in a sheet than in calctl. */
function headingsOfFields(columns: readonly Column[], resource: Resource): Pick<FileRecord, 'headings'> {
  const headings: Record<string, string> = {}
  for (const { heading, name } of columns) {
    const field = name.split('.')[0] ?? ''
    if (fieldNamed(resource, field) && headingAsName(heading) !== writtenHeading(field)) headings[field] ??= heading
  }
  return Object.keys(headings).length > 0 ? { headings } : {}
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
  const unknown = headings.map(heading => heading.trim()).filter(heading => heading !== '' && !isKnownHeading(heading))
  const shown = listOfFirst(unknown.map(inQuotes), mostNamed)
  const named = { file: name, count: unknown.length, headings: shown }
  const option = otherSheets ? `--sheet ${listOf(otherSheets.map(inQuotes), 'or')}` : resourceOption
  const ways = { option, count: unknown.length, map: `--map "${unknown[0]}=title"` }
  if (otherSheets)
    throw usage(
      phrase(
        '{file}: this sheet has no headings that are known{count, plural, =0 {} one {; unknown heading: {headings}} other {; unknown headings: {headings}}}',
        named,
      ),
      phrase(
        'read another sheet of the workbook: {option}{count, plural, =0 {} other {, and map the headings: {map}}}',
        ways,
      ),
    )
  throw usage(
    phrase(
      '{file}: cannot tell which resource its records are{count, plural, =0 {} one {; unknown heading: {headings}} other {; unknown headings: {headings}}}',
      named,
    ),
    isOneOfSeveral
      ? phrase(
          'add a column "resource", or apply it alone with: {option}{count, plural, =0 {} other {, and map the headings: {map}}}',
          ways,
        )
      : phrase('set it with: {option}{count, plural, =0 {} other {, and map the headings: {map}}}', ways),
  )
}

const inQuotes = (text: string): string => JSON.stringify(text)

const mostNamed = 5

function checkDuplicates(columns: readonly Column[], name: string): void {
  const headings = new Map<string, string>()
  for (const { heading, name: column } of columns) {
    const first = headings.get(column)
    if (first !== undefined)
      throw usage(
        phrase('{file} has two columns for {column}: "{first}" and "{heading}"', {
          file: name,
          column,
          first,
          heading,
        }),
        phrase(
          'map one of them to another column, for example --map "{heading}={meaning}", or leave it out: --map "{heading}=ignore"',
          { heading, meaning: otherMeaning(column, heading) },
        ),
      )
    headings.set(column, heading)
  }
}

/** What the second column of a kind probably means. */
const otherMeaning = (column: string, heading: string): string => {
  if (headingAsName(heading) === 'date') return writtenHeading('date')
  if (column.startsWith('start_date')) return column.endsWith('.time') ? 'end time' : 'end day'
  return column === 'description' ? 'excerpt' : 'description'
}

/** Whether a line can be the first one of a sheet: Excel's `sep=;`, or a line with a known heading. */
export const isHeadingLine = (line: string): boolean =>
  /^"?sep=/i.test(line) ||
  line
    .replaceAll('"', '')
    .split(/[,;\t|]/)
    .some(isKnownHeading)
