/**
 * Sheets: CSV and TSV, as calctl exports them, as spreadsheet programs save them again, and as The Events Calendar's importer
 * reads them; and the sheets of workbooks, which workbook/ reads into the same rows. heading-row.ts finds the headings, headings.ts
 * recognizes the columns, row-entries.ts turns the cells of a row into values, cell-values.ts reads and writes single cells,
 * date-order.ts reads dates that a spreadsheet program has rewritten, write-csv.ts writes.
 */

import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { Failure } from '../../base/failure.ts'
import { isStreet } from '../../base/text/compared-names.ts'
import { unescapeFormula } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { listOfFirst } from '../../base/text/similarity.ts'
import { type DateOrder, dateOrders } from '../../base/time/typed-order.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resources } from '../../contract/contract.ts'
import { eventStatusNamed } from '../../contract/event-status.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { cost, typedCost, withPlainAmounts } from '../../contract/kinds/cost-kind.ts'
import { expectation } from '../../contract/kinds/kind-values.ts'
import { statusNamed } from '../../contract/post-status.ts'
import type { Resource } from '../../contract/resource.ts'
import { type FileRecord, type Mistake, type Notice, readNames, readUnsplit } from '../records/file-record.ts'
import { type Build, fieldNamed, isIgnore, type RecordEntry } from '../records/record-builder.ts'
import { peek } from '../text-streams.ts'
import { type ColumnMeaning, cellFault } from './cell-faults.ts'
import {
  type Cell,
  type CellFormats,
  type CostDetector,
  type CostFormat,
  createCostDetector,
  findHeadingRow,
  type PartOf,
  type Row,
  readBoolean,
  readCell,
  rowsLookedAt,
  type SheetForm,
  type Table,
  toDecimalPoint,
} from './cell-values.ts'
import type { ColumnMap } from './column-map.ts'
import { createDateOrderDetector, type DateOrderDetector, dateEntry, eventDates, readSheetDate } from './event-dates.ts'
import { isFieldPart, languageOfHeadings } from './heading-names.ts'
import { isKnownColumn, readHeadings, type Sheet } from './headings.ts'
import { reportColumns } from './write-csv.ts'

export interface TableOptions {
  readonly name: string
  readonly resource?: ResourceName
  readonly isOneOfSeveral?: boolean
  readonly dateOrder?: DateOrder
  /** The zone of events that do not name one. */
  readonly timezone?: string
  readonly notice: Notice
  readonly build: Build
  readonly log?: SheetLog
  readonly columns?: ColumnMap
}

/** Receives the rows of sheets as they came, for those that will not be applied. */
export interface SheetLog {
  begin(form: SheetForm, headings: Row, sheet: string | undefined): void
  add(place: string, row: Row): void
  /** The order of day and month in its dates, once that is known. */
  end(dateOrder: DateOrder | undefined): void
}

/** Detect how a sheet writes what can be read in two ways. */
interface Detectors {
  readonly dates: DateOrderDetector
  readonly costs: CostDetector
}

/**
 * Reads a sheet row by row. Rows are held back only while one has an ambiguous date or cost and no other has decided how to read
 * it.
 */
export async function* readTable(table: Table, options: TableOptions): AsyncGenerator<FileRecord> {
  const { name, notice, dateOrder, log } = options
  const { peeked, all } = await peek(table.rows, rows => rows.length > rowsLookedAt)
  const headings = findHeadingRow(peeked, name, notice)
  if (!headings) return
  const [firstRow] = peeked.filter(({ number }) => number > headings.number)
  // An export without records: nothing tells its resource, and nothing needs it.
  if (!firstRow && headings.cells.some(isResourceHeading)) return

  const resource = options.resource ?? resourceOfRow(headings.cells, firstRow?.cells)
  const sheet = await readHeadings(headings.cells, { ...options, resource, otherSheets: table.otherSheets })
  const language = languageOfHeadings(headings.cells)
  const detectors = {
    dates: createDateOrderDetector({
      name,
      givenOrder: dateOrder ?? notedDateOrder(sheet, firstRow),
      language,
      notice,
    }),
    costs: createCostDetector({ name, hasSemicolons: table.mayHaveDecimalCommas, language, notice }),
  }
  log?.begin(table.form, headings, table.sheet)
  const reader: RowReader = { ...options, sheet, detectors, table, reported: new Set(), venues: new Map() }
  let waiting: Row[] = []
  const hidden: number[] = []
  for await (const row of all) {
    if (row.number <= headings.number || isBlank(row)) continue
    if (row.isHidden) hidden.push(row.number)
    log?.add(placeOf(table, row), row)
    detect(row, sheet, detectors)
    waiting.push(row)
    if (ambiguous(detectors).length > 0) continue
    yield* waiting.map(row => recordOfRow(row, reader))
    waiting = []
  }
  if (hidden.length > 0) notice(hiddenRows(name, hidden))
  detectors.dates.settle()
  detectors.costs.settle()
  log?.end(detectors.dates.order)
  for (const detector of ambiguous(detectors)) throw detector.failure()
  yield* waiting.map(row => recordOfRow(row, reader))
  reportOrder(detectors)
}

function reportOrder({ dates }: Detectors): void {
  const swapped = dates.swapped()
  if (swapped) throw swapped
  dates.report()
}

const isBlank = ({ cells }: Row): boolean => cells.every(cell => cell.trim() === '')

const ambiguous = ({ dates, costs }: Detectors) => [dates, costs].filter(({ isAmbiguous }) => isAmbiguous)

const maxNamed = 5

/** Who filters a sheet may mean only the rows that are shown. */
const hiddenRows = (file: string, numbers: readonly number[]): string =>
  phrase(
    '{file}: {count, plural, one {# row that the workbook hides is read, too} other {# rows that the workbook hides are read, too}}: {rows}',
    { file, count: numbers.length, rows: listOfFirst(numbers.map(String), maxNamed) },
  )

/** An error sheet says how its dates are to be read, for it lacks the rows that showed it. */
function notedDateOrder({ columns }: Sheet, row: Row | undefined): DateOrder | undefined {
  const cell = row?.cells[columns.findIndex(({ name }) => name === reportColumns.dateOrder)]
  return dateOrders.find(order => order === cell)
}

const rowPlace = (row: number): string => phrase('row {row}', { row })

const placeOf = ({ place = '' }: Table, { number }: Row): string => `${place}${rowPlace(number)}`

const isResourceHeading = (heading: string): boolean => heading.trim().toLowerCase() === 'resource'

/** The resource in the `resource` column of a row. */
function resourceOfRow(headings: readonly string[], cells: readonly string[] = []): ResourceName | undefined {
  const cell = cells[headings.findIndex(isResourceHeading)]?.trim()
  return resources.find(({ name }) => name === cell)?.name
}

interface RowReader extends TableOptions {
  readonly sheet: Sheet
  readonly detectors: Detectors
  readonly table: Table
  /** The notices already given. */
  readonly reported: Set<string>
  /** The names of venues by what stands before a bracket or a comma: that alone, and a longer one. */
  readonly venues: Map<string, { readonly alone?: string; readonly longer?: string }>
}

function recordOfRow(row: Row, reader: RowReader): FileRecord {
  const { sheet, detectors, build, table, name, notice, reported, timezone = 'UTC' } = reader
  const { columns } = sheet
  const place = placeOf(table, row)
  const formats = {
    order: detectors.dates.order,
    costFormat: detectors.costs.format,
    place,
    zone: timezone,
  }
  const faults = columns.map(({ name }, index) =>
    isKnownColumn(name, sheet.resource)
      ? cellFault(row.cells[index] ?? '', row.raw?.[index], meaningOf(name, sheet))
      : undefined,
  )
  const cells = row.cells.map((cell, index) => (faults[index] === undefined ? cell : ''))
  const built = build(sheet.resource, rowEntries(sheet, cells, formats), place, sheet.match)
  const unsplit = unsplitNames(sheet, cells)
  const record: FileRecord = { ...built, ...sheet.shared, ...(unsplit.length > 0 && { unsplit }) }
  if (record.action === 'ignore') return record
  noticeLongerName(record, reader)
  const mistakes: Mistake[] = [...record.mistakes]
  if (row.isStruck)
    mistakes.push({
      column: '',
      expected: phrase('a row that takes place'),
      value: '',
      message: phrase('is struck through in the workbook: delete it, or take the line away'),
    })
  for (const [index, fault] of faults.entries())
    if (fault !== undefined) {
      const column = columns[index]?.heading ?? ''
      const value = row.cells[index] ?? ''
      mistakes.push({ column, expected: phrase('a value'), value, message: `${column}: ${fault}` })
    }
  const extraCells = cells.slice(columns.length).filter(cell => cell !== '')
  if (extraCells.length > 0 && table.form.kind === 'csv') {
    const expected = phrase('{count, plural, one {# cell} other {# cells}}', { count: columns.length })
    const message = phrase('expected {expected}, got {count}', { expected, count: cells.length })
    mistakes.push({ column: '', expected, value: cells.join(','), message })
  } else if (extraCells.length > 0 && !reported.has('no heading')) {
    reported.add('no heading')
    notice(
      phrase('{file}: ignored cells without a heading, the first of them in {place}: "{cell}"', {
        file: name,
        place,
        cell: extraCells[0] ?? '',
      }),
    )
  }
  if (mistakes.length === 0) return record
  const source = Object.fromEntries(
    columns.map(({ heading, name }, index) => [
      heading,
      unambiguousCell(row.cells[index] ?? '', ambiguousKind(sheet, name), detectors),
    ]),
  )
  return { ...record, mistakes, source }
}

function detect(row: Row, sheet: Sheet, { dates, costs }: Detectors): void {
  const { cells, number, raw } = row
  if (sheet.columns.some(({ name }, index) => name === 'action' && isIgnore(cells[index]))) return
  for (const [index, { heading, name }] of sheet.columns.entries()) {
    const kind = ambiguousKind(sheet, name)
    const place = `${rowPlace(number)}, ${heading}`
    if (kind === 'date') dates.add(cells[index] ?? '', place, typeof raw?.[index] === 'object')
    if (kind === 'cost') costs.add(cells[index] ?? '', place)
  }
}

type AmbiguousKind = 'date' | 'cost' | undefined

/** Whether a column holds values that only the other rows may make clear. */
function ambiguousKind({ resource }: Sheet, name: string): AmbiguousKind {
  const kind = fieldNamed(resource, name)?.kind
  if (/\.(day|at)$/.test(name) || kind?.shape === 'moment') return 'date'
  return name === 'cost.amount' || kind?.shape === 'amount' ? 'cost' : undefined
}

/** What the cells of a column can be, to tell what cannot be meant. */
const meaningOf = (name: string, sheet: Sheet): ColumnMeaning => ({
  holds: ambiguousKind(sheet, name),
  isTitle: name === sheet.resource.title,
  isTyped: !sheet.isExport,
})

/** A cell in unambiguous form: a saved plan has it without the rows that make it clear here. */
function unambiguousCell(cell: string, kind: AmbiguousKind, { dates, costs }: Detectors): string {
  if (kind === 'cost') return toDecimalPoint(cell, costs.format)
  return (kind === 'date' && readSheetDate(cell.trim(), dates.order ?? 'dmy')) || cell
}

/** The entry of a cell that holds a whole field, or is about the record. */
function cellEntry(
  field: Field | undefined,
  { name, heading, text }: { readonly name: string; readonly heading: string; readonly text: string },
  { remark, isExport }: Sheet,
  { costFormat, place }: CellFormats,
): RecordEntry {
  const value = readCell(field, text, costFormat)
  if (!isExport && field?.kind.shape === 'amount') return costEntry({ name, value, column: heading, isHeading: true })
  const entry: RecordEntry = { name, value, column: heading, isHeading: true }
  if (typeof value === 'string' && field?.kind.name === 'url' && value !== text.trim())
    remark(
      'address',
      phrase('{place}: {text} is read as {value}; the same in other rows like it', {
        place,
        text: text.trim(),
        value,
      }),
    )
  return name === 'status' || name === 'event_status' ? statusEntry(entry, text) : entry
}

/** A column of statuses says whether an event is public, or whether it takes place: the word tells. */
function statusEntry(entry: RecordEntry, text: string): RecordEntry {
  const eventStatus = eventStatusNamed(text)
  if (eventStatus !== undefined) return { ...entry, name: 'event_status', value: eventStatus }
  const status = entry.name === 'event_status' ? statusNamed(text) : undefined
  return status === undefined ? entry : { ...entry, name: 'status', value: status }
}

/** The entry of a column such as `Cancelled`, if it has a mark. */
function offEntries(part: PartOf): RecordEntry[] {
  const { text, heading } = part('status.off')
  if (text === '' || readBoolean(text) === false) return []
  return [
    { name: 'event_status', value: eventStatusNamed(text) ?? eventStatusNamed(heading) ?? 'canceled', column: heading },
  ]
}

const noCell: Cell = { text: '', heading: '' }

/** The entries of a row: one for each cell with text, or for the cells that make up one field. */
function rowEntries(sheet: Sheet, cells: readonly string[], formats: CellFormats): RecordEntry[] {
  const { resource, columns, isExport } = sheet
  const entries: RecordEntry[] = []
  const parts = new Map<string, Cell>()
  for (const [index, { heading, name }] of columns.entries()) {
    const field = fieldNamed(resource, name)
    const written = cells[index] ?? ''
    const text = isExport ? written : asMeant(written, name, resource)
    const partName = name === 'venue' && !isExport && placeLines(text).length > 1 ? 'venue.name' : name
    if (isFieldPart(partName)) parts.set(partName, { text: text.trim(), heading })
    else if (field?.kind.shape === 'moment' && text !== '')
      entries.push(dateEntry(name, readCell(field, text, 'points'), heading, formats.order))
    else if (text !== '') entries.push(cellEntry(field, { name, heading, text }, sheet, formats))
  }
  if (parts.size === 0) return entries
  const part: PartOf = name => parts.get(name) ?? noCell
  return [
    ...withSecondAddress(entries, part('address.more')),
    ...eventDates(entries, part, sheet, formats),
    ...costEntries(part, formats.costFormat),
    ...venueEntries(part, sheet, formats.place),
    ...linkEntries(parts),
    ...offEntries(part),
  ]
}

/** A cell as the person meant it who typed it: amounts have other signs, and names have blanks that nobody sees. */
function asMeant(cell: string, name: string, resource: Resource): string {
  if (name === 'cost.amount' || fieldNamed(resource, name)?.kind.shape === 'amount')
    return typedCost(withPlainAmounts(cell)) ?? cell
  return isNameColumn(name, resource) ? cell.replace(/[^\S\n\r]+/g, ' ').trim() : cell
}

/** Whether a column has titles, or names of other records. */
const isNameColumn = (name: string, resource: Resource): boolean =>
  name === resource.title || /\.names?$/.test(name) || fieldNamed(resource, name)?.kind.shape === 'links'

/** `15`, `€` and `suffix` make `15€`. Without a symbol, the currency code is used. */
function costEntries(part: PartOf, costFormat: CostFormat): RecordEntry[] {
  const { text, heading } = part('cost.amount')
  if (text === '') return []
  const amount = readCell(cost({ ca: '', en: '', es: '' }), text, costFormat)
  const isPaid = typeof amount === 'string' && /^[\d.,]+$/.test(amount) && !/^0+([.,]0*)?$/.test(amount)
  const value = isPaid ? withCurrency(amount, part) : amount
  return [costEntry({ name: 'cost', value, column: heading })]
}

/** The entry of a cost that a person typed: an amount in words is a mistake. */
const costEntry = (entry: RecordEntry): RecordEntry =>
  typeof entry.value === 'string' && typedCost(entry.value) === undefined
    ? { ...entry, expected: expectation(cost({ ca: '', en: '', es: '' }), entry.value).expected, isWrong: true }
    : entry

function withCurrency(amount: string, part: PartOf): string {
  const symbol = part('cost.symbol').text
  const code = part('cost.code').text
  const isSuffix = /^(suffix|postfix)$/i.test(part('cost.position').text)
  if (symbol) return isSuffix ? `${amount}${symbol}` : `${symbol}${amount}`
  return code ? `${amount} ${code}` : amount
}

/** The venue by name, with what else a row says of it: in other columns, or in further lines of the cell. */
function venueEntries(part: PartOf, { remark }: Sheet, place: string): RecordEntry[] {
  const { text, heading } = part('venue.name')
  const columns = ['address', 'city', 'zip', 'phone'].map(field => [field, part(`place.${field}`)] as const)
  const described = columns.filter(([, { text }]) => text !== '')
  const [alone] = text === '' ? described : []
  if (alone) {
    const [, cell] = alone
    remark(
      'no venue',
      phrase('{place}, {heading}: "{text}" is not read, because no venue is named; the same in other rows', {
        place,
        ...cell,
      }),
    )
  }
  if (text === '') return []
  const name = readCell(undefined, text, 'points')
  if (name === null) return [{ name: 'venue', value: null, column: heading }]
  const [first = '', ...lines] = placeLines(String(name))
  const inLines = addressIn(lines)
  const rest = { ...inLines, ...Object.fromEntries(described.map(([field, { text }]) => [field, text])) }
  if (Object.keys(inLines).length > 0)
    remark(
      'venue lines',
      phrase('{place}: "{name}" is read as the venue, and what follows as its address; the same in other rows', {
        place,
        name: first,
      }),
    )
  if (Object.keys(rest).length > 0)
    remark(
      'venue details',
      phrase('addresses, towns and phones are for venues that are created; those that exist stay as they are'),
    )
  return [{ name: 'venue', value: [Object.keys(rest).length > 0 ? { venue: first, ...rest } : first], column: heading }]
}

/** The name of a venue with its address, which people write below it, or behind a comma if that shows a street. */
function placeLines(text: string): readonly string[] {
  const parts = (separator: RegExp) => text.split(separator).flatMap(part => part.trim() || [])
  const lines = parts(/[\r\n]+/)
  const inLine = lines.length === 1 && text.includes(',') ? parts(/,/) : []
  return isStreet(inLine[1] ?? '') ? inLine : lines
}

/** Says once that two names of a sheet, `Teatre` and `Teatre (Girona)`, are two venues. */
function noticeLongerName({ values: { venue: given }, place }: FileRecord, { sheet, venues }: RowReader): void {
  const [venue] = [given].flat()
  const name = isObject(venue) ? venue.venue : venue
  if (sheet.isExport || typeof name !== 'string') return
  const short = name.replace(/\s*[(,].*$/, '')
  const seen = { ...venues.get(short), [name === short ? 'alone' : 'longer']: name }
  venues.set(short, seen)
  if (seen.alone === undefined || seen.longer === undefined) return
  sheet.remark(
    'venue names',
    phrase('{place}: "{short}" and "{longer}" are read as two venues; if they are one, write one name', {
      place,
      short,
      longer: seen.longer,
    }),
  )
}

/** The lines below the name of a venue: its street, and its town with or without the postal code. */
function addressIn(lines: readonly string[]): Record<string, string> {
  const [, zip, town] = /^(\d{5}),?\s+(\D+)$/.exec(lines.at(-1) ?? '') ?? []
  const city = town ?? (lines.length > 1 && !/\d/.test(lines.at(-1) ?? '') ? lines.at(-1) : undefined)
  const street = (city === undefined ? lines : lines.slice(0, -1)).join(', ')
  return { ...(street && { address: street }), ...(city && { city }), ...(zip && { zip }) }
}

/** Organizers, categories and tags by name, several in a cell. */
function linkEntries(parts: ReadonlyMap<string, Cell>): RecordEntry[] {
  return [...parts].flatMap(([part, { text, heading }]) => {
    const [name = '', kind] = part.split('.')
    if (text === '' || part === 'venue.name' || (kind !== 'name' && kind !== 'names')) return []
    const names = readCell(undefined, text, 'points')
    return [{ name, value: names === null ? null : readNames(String(names)), column: heading }]
  })
}

/** The names of a row with semicolons that are several names, unless records are called so. */
const unsplitNames = ({ resource, columns }: Sheet, cells: readonly string[]): string[] =>
  columns.flatMap(({ name }, index) => {
    const { kind, multiple } = fieldNamed(resource, name) ?? {}
    const isList = name.endsWith('.names') || (kind?.shape === 'links' && multiple !== false)
    const cell = cells[index] ?? ''
    return isList && cell.includes(';') ? readUnsplit(unescapeFormula(cell)) : []
  })

/** Appends the second line of an address to the first. */
function withSecondAddress(entries: readonly RecordEntry[], more: Cell): readonly RecordEntry[] {
  const second = readCell(undefined, more.text, 'points') ?? undefined
  if (second === undefined) return entries
  const first = entries.find(({ name, value }) => name === 'address' && value !== null)
  const value = first ? `${first.value}, ${second}` : second
  return [...entries.filter(({ name }) => name !== 'address'), { name: 'address', value, column: more.heading }]
}

export interface CsvOptions {
  readonly name: string
  /** The separator, if the heading line does not show it. */
  readonly separator: ',' | '\t'
  /** How the text was encoded. */
  readonly encoding?: Pick<SheetForm, 'charset' | 'hasBom'>
}

/** Reads a sheet that is text. */
export async function readCsv(text: AsyncIterable<string>, { name, separator, encoding }: CsvOptions): Promise<Table> {
  const { peeked: pieces, all } = await peek(text, pieces => headingLine(pieces.join('')) !== undefined)
  const start = pieces.join('')
  const line = headingLine(`${start}\n`) ?? ''
  const declaredSeparator = parseSepLine(line)
  const delimiter = declaredSeparator ?? mostFrequentSeparator(line) ?? separator
  const newline = /\r\n|\n|\r/.exec(start)?.[0]
  return {
    rows: parseRows(all, delimiter, name, declaredSeparator !== undefined),
    form: {
      kind: 'csv',
      separator: delimiter,
      ...(declaredSeparator && { hasSepLine: true }),
      ...(newline && { newline }),
      ...encoding,
    },
    mayHaveDecimalCommas: delimiter === ';',
  }
}

/** Spreadsheet programs do not count the line that declares the separator. */
async function* parseRows(
  text: AsyncIterable<string>,
  delimiter: string,
  name: string,
  hasSepLine: boolean,
): AsyncGenerator<Row> {
  const parser: Parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
  })
  // An error of the stream destroys the parser, and so reaches the loop below.
  pipeline(Readable.from(text), parser, () => {})
  let number = hasSepLine ? -1 : 0
  try {
    for await (const cells of parser) {
      number += 1
      if (number > 0) yield { cells, number }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { records = number } = error
    const place = rowPlace(Number(records) + (hasSepLine ? 0 : 1))
    throw new Failure('usage', `${name}: ${place}: ${reasonOf(error)}`, {
      hint: phrase('quote cells that contain separators, quotes or line breaks'),
    })
  }
}

const reasonOf = ({ code, message }: CsvError): string =>
  code === 'CSV_QUOTE_NOT_CLOSED' ? phrase('a quote is not closed') : message

/** The first line, line breaks within quotes included; undefined while its end is missing. */
const headingLine = (text: string): string | undefined => /^(?:[^"\r\n]|"[^"]*")*(?=[\r\n])/.exec(text)?.[0]

/** The separator of a first line such as `sep=;`, which Excel writes and reads. */
const parseSepLine = (line: string): string | undefined => /^"?sep=([;,\t|])"?[;,\t]*$/i.exec(line)?.[1]

/** The separator that is most frequent outside of quotes. */
function mostFrequentSeparator(line: string): string | undefined {
  const unquoted = line.replace(/"[^"]*"/g, '')
  const counts = [';', '\t', ',', '|'].map(separator => ({ separator, count: unquoted.split(separator).length - 1 }))
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best))
  return most.count > 0 ? most.separator : undefined
}
