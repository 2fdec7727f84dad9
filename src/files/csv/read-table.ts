import type { FileReading } from '../records/file-reading.ts'
/**
 * Sheets: CSV and TSV, as calctl exports them, as spreadsheet programs save them, and as The Events Calendar's importer reads them; and the
 * sheets of workbooks. `read-csv.ts` and `workbook/` read both into the same rows, `headings.ts` recognizes the columns, `row-entries.ts`
 * turns the cells of a row into values, `event-dates.ts` those with days and hours, `cell-values.ts` reads and writes single cells,
 * `write-csv.ts` writes sheets.
 */

import { isObject } from '../../base/text/json.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { FileRecord, Mistake } from '../records/file-record.ts'
import { fieldNamed, isIgnore } from '../records/record-builder.ts'
import { peek } from '../text-streams.ts'
import { type ColumnMeaning, cellFault } from './cell-faults.ts'
import {
  type CellRow,
  type CellTable,
  createDecimalDetector,
  type DecimalDetector,
  findHeadingRow,
  type PartOf,
  type RawCell,
  rowPlace,
  rowsLookedAt,
} from './cell-values.ts'
import type { ColumnMap } from './column-map.ts'
import { performanceDays } from './event-dates.ts'
import { isTextSheet, languageOfHeadings } from './heading-names.ts'
import { isKnownColumn, readHeadings, type Sheet } from './headings.ts'
import { numberKind } from './number-formats.ts'
import { recordRows } from './other-rows.ts'
import { repeatedRecords } from './repeated-rows.ts'
import { rowEntries, unsplitNames } from './row-entries.ts'
import { createDateOrderDetector, type DateOrderDetector } from './sheet-dates.ts'

export interface TableOptions extends Omit<FileReading, 'sheet' | 'until' | 'strict'> {
  readonly columns?: ColumnMap
  /** Loads the reader of sheets for translators. */
  readonly textReader: () => Promise<SheetReader>
}

type SheetReader = (table: CellTable, headings: CellRow, options: TableOptions) => AsyncGenerator<FileRecord>

/** What detects how a sheet writes ambiguous values. */
interface Detectors {
  readonly dates: DateOrderDetector
  readonly costs: DecimalDetector
}

/**
 * Reads a sheet row by row. Rows are held back only while one has an ambiguous date or cost and no other row has decided how to read it.
 */
export async function* readTable(table: CellTable, options: TableOptions): AsyncGenerator<FileRecord> {
  const { name, notice, dateOrder, datesFrom, now } = options
  const { peeked, all } = await peek(table.rows, rows => rows.length > rowsLookedAt)
  const headings = findHeadingRow(peeked, name, notice)
  if (!headings) return
  if (isTextSheet(headings.cells)) {
    const readTextSheet = await options.textReader()
    yield* readTextSheet({ ...table, rows: all }, headings, options)
    return
  }
  const [firstRow] = peeked.filter(({ number }) => number > headings.number)
  // An export without records: nothing tells the resource, and nothing needs it.
  if (!firstRow && headings.cells.some(isResourceHeading)) return

  const resource = options.resource ?? resourceOfRow(headings.cells, firstRow?.cells)
  const sheet = await readHeadings(headings.cells, { ...options, resource, otherSheets: table.otherSheets })
  const language = languageOfHeadings(headings.cells)
  const detectors = {
    dates: createDateOrderDetector({
      name,
      given: { order: dateOrder, yearsFrom: datesFrom },
      today: now.toISOString().slice(0, 10),
      language,
      notice,
    }),
    costs: createDecimalDetector({ name, language, notice }),
  }
  const reader: RowReader = { ...options, sheet, detectors, table, venues: new Map() }
  let waiting: CellRow[] = []
  const hidden: number[] = []
  for await (const row of recordRows(all, headings, sheet, name)) {
    if (row.isHidden) hidden.push(row.number)
    detect(row, sheet, detectors)
    waiting.push(row)
    if (ambiguous(detectors).length > 0) continue
    yield* waiting.flatMap(row => performances(row, reader)).flatMap(row => recordsOfRow(row, reader))
    waiting = []
  }
  if (hidden.length > 0) notice(hiddenRows(name, hidden))
  settle(detectors)
  yield* waiting.flatMap(row => performances(row, reader)).flatMap(row => recordsOfRow(row, reader))
  detectors.dates.report()
}

/** Called after the last row; throws if the values can still be read in two ways. */
function settle(detectors: Detectors): void {
  detectors.dates.settle()
  detectors.costs.settle()
  for (const detector of ambiguous(detectors)) throw detector.failure()
}

const ambiguous = ({ dates, costs }: Detectors) => [dates, costs].filter(({ isAmbiguous }) => isAmbiguous)

const maxNamed = 5

/** A notice about hidden rows: somebody who filters a sheet may mean only the visible ones. */
const hiddenRows = (file: string, numbers: readonly number[]): string =>
  phrase(
    '{file}: {count, plural, one {# row that the workbook hides is read, too} other {# rows that the workbook hides are read, too}}: {rows}',
    { file, count: numbers.length, rows: listOfFirst(numbers.map(String), maxNamed) },
  )

const placeOf = ({ place = '' }: CellTable, { number }: CellRow): string => `${place}${rowPlace(number)}`

const isResourceHeading = (heading: string): boolean => heading.trim().toLowerCase() === 'resource'

/** The resource in the `resource` column of a row. */
function resourceOfRow(headings: readonly string[], cells: readonly string[] = []): ResourceName | undefined {
  const cell = cells[headings.findIndex(isResourceHeading)]?.trim()
  return resources.find(({ name }) => name === cell)?.name
}

interface RowReader extends TableOptions {
  readonly sheet: Sheet
  readonly detectors: Detectors
  readonly table: CellTable
  /** For each beginning of a venue's name, before a bracket or a comma: that name alone, and a longer one. */
  readonly venues: Map<string, { readonly alone?: string; readonly longer?: string }>
}

/** A row with several days and an hour is an event on each day, unless it is about an existing event. */
function performances(row: CellRow, { sheet, detectors, table }: RowReader): readonly CellRow[] {
  const indexOf = (name: string) => sheet.columns.findIndex(column => column.name === name)
  const textOf = (name: string) => partIn(sheet, row.cells)(name).text
  const text = textOf('start_date.day')
  if (sheet.isExport || text === '' || textOf('id') !== '' || textOf('slug') !== '') return [row]
  const days = performanceDays(textOf, detectors.dates.forms)
  if (!days) return [row]
  const places = { text, count: String(days.length) }
  const said = phrase('{text} is read as {count} events, one on each day', places)
  sheet.remark('performances', said, placeOf(table, row))
  return days.map(day => ({ ...row, cells: row.cells.with(indexOf('start_date.day'), day) }))
}

/** The cells of a row by their columns. */
function partIn({ columns }: Sheet, cells: readonly string[]): PartOf {
  return name => {
    const index = columns.findIndex(column => column.name === name)
    return { text: cells[index]?.trim() ?? '', heading: columns[index]?.heading ?? '' }
  }
}

function recordsOfRow(row: CellRow, reader: RowReader): FileRecord[] {
  const { sheet, detectors, build, table, timezone = 'UTC' } = reader
  const { columns } = sheet
  const place = placeOf(table, row)
  const formats = { dates: detectors.dates.forms, decimal: detectors.costs.decimal, place, zone: timezone }
  const faults = columns.map(({ name }, index) =>
    isKnownColumn(name, sheet.resource)
      ? cellFault(row.cells[index] ?? '', row.raw?.[index], meaningOf(name, sheet))
      : undefined,
  )
  const cells = row.cells.map((cell, index) => (faults[index] === undefined ? exactCell(cell, row.raw?.[index]) : ''))
  const quiet = isIgnored(sheet, cells) ? { ...sheet, remark: () => {} } : sheet
  const built = build(sheet.resource, rowEntries(quiet, cells, formats), place, sheet.match)
  const unsplit = unsplitNames(sheet, cells)
  const record: FileRecord = { ...built, ...sheet.shared, ...(unsplit.length > 0 && { unsplit }) }
  if (record.action === 'ignore') return [record]
  noticeLongerName(record, reader)
  const mistakes: Mistake[] = [...record.mistakes]
  if (row.isStruck)
    mistakes.push({
      column: '',
      expected: phrase('a row that takes place'),
      value: '',
      message: phrase('is struck through in the workbook: delete it, or take the line away'),
    })
  mistakes.push(...columns.flatMap((column, index) => faultOf(column, row.cells[index] ?? '', faults[index])))
  const extraCells = cells.slice(columns.length).filter(cell => cell !== '')
  if (extraCells.length > 0 && table.kind === 'csv') {
    const expected = phrase('{count, plural, one {# cell} other {# cells}}', { count: columns.length })
    const message = phrase('expected {expected}, got {count}', { expected, count: cells.length })
    mistakes.push({ column: '', expected, value: cells.join(','), message })
  } else if (extraCells.length > 0) {
    const first = { place, cell: extraCells[0] ?? '' }
    sheet.remark('no heading', phrase('ignored cells without a heading, the first of them in {place}: "{cell}"', first))
  }
  if (mistakes.length === 0) {
    const say = (said: string) => reader.notice(`${reader.name}: ${place}: ${said}`)
    const repeated = repeatedRecords(record, partIn(sheet, cells), { ...reader, notice: say })
    if (Array.isArray(repeated)) return repeated
    mistakes.push(repeated)
  }
  return [{ ...record, mistakes }]
}

/** The mistake of a cell without a value. */
function faultOf({ heading: column, name }: Sheet['columns'][number], value: string, fault: string | undefined) {
  const [field = ''] = name.split('.')
  const message = `${column}: ${fault}`
  return fault === undefined ? [] : [{ field, column, expected: phrase('a value'), value, message }]
}

const isIgnored = ({ columns }: Sheet, cells: readonly string[]): boolean =>
  columns.some(({ name }, index) => name === 'action' && isIgnore(cells[index]))

function detect(row: CellRow, sheet: Sheet, { dates, costs }: Detectors): void {
  const { cells, number, raw } = row
  if (isIgnored(sheet, cells)) return
  for (const [index, { heading, name }] of sheet.columns.entries()) {
    const kind = ambiguousKind(sheet, name)
    const place = `${rowPlace(number)}, ${heading}`
    if (kind === 'date') dates.add(cells[index] ?? '', place, typeof raw?.[index] === 'object')
    if (kind === 'cost' && !sheet.isExport && typeof raw?.[index] !== 'object') costs.add(cells[index] ?? '', place)
  }
}

/** A number of a workbook with a fourth decimal instead of three, which could be thousands. */
const exactCell = (cell: string, raw: RawCell | undefined): string =>
  typeof raw === 'object' && numberKind(raw.format) === 'number' ? cell.replace(/(?<=\d\.\d{3})(?!\d)/, '0') : cell

type AmbiguousKind = 'date' | 'cost' | undefined

/** How values of a column can be ambiguous, so that other rows must decide. */
function ambiguousKind({ resource }: Sheet, name: string): AmbiguousKind {
  const kind = fieldNamed(resource, name)?.kind
  if (/\.(day|at)$/.test(name) || kind?.shape === 'moment') return 'date'
  return name === 'cost.amount' || kind?.shape === 'amount' ? 'cost' : undefined
}

/** What the cells of a column can mean, for finding faults. */
const meaningOf = (name: string, sheet: Sheet): ColumnMeaning => ({
  holds: ambiguousKind(sheet, name),
  isTitle: name === sheet.resource.title,
  isTyped: !sheet.isExport,
})

/** Notes once that two names in a sheet, such as `Teatre` and `Teatre (Girona)`, are two venues. */
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
