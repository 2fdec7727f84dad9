/**
 * Sheets: CSV and TSV, as calctl exports them, as spreadsheet programs save them again, and as The Events Calendar's importer
 * reads them; and the sheets of workbooks, which workbook/ reads into the same rows. heading-row.ts finds the headings, headings.ts
 * recognizes the columns, row-entries.ts turns the cells of a row into values, cell-values.ts reads and writes single cells,
 * date-order.ts reads dates that a spreadsheet program has rewritten, write-csv.ts writes.
 */

import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { counted, listOfFirst, nounFor } from '../../text/words.ts'
import { type DateOrder, dateOrders } from '../../time/date-grammar.ts'
import { fieldNamed } from '../records/field-values.ts'
import type { FileRecord, Mistake, Notice } from '../records/file-record.ts'
import { type Build, isIgnore } from '../records/record-builder.ts'
import { peek } from '../text-streams.ts'
import { type CostDetector, createCostDetector, toDecimalPoint } from './cell-values.ts'
import type { ColumnMap } from './column-map.ts'
import { createDateOrderDetector, type DateOrderDetector, readSheetDate } from './date-order.ts'
import { findHeadingRow, rowsLookedAt } from './heading-row.ts'
import { isKnownColumn, readHeadings, type Sheet } from './headings.ts'
import { reportColumns } from './report-columns.ts'
import { rowEntries, unsplitNames } from './row-entries.ts'
import { missingResult, type Row, type SheetForm, type Table } from './sheet-rows.ts'

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
  const sheet = await readHeadings(headings.cells, { ...options, resource })
  const detectors = {
    dates: createDateOrderDetector(name, dateOrder ?? notedDateOrder(sheet, firstRow), notice),
    costs: createCostDetector(name, table.mayHaveDecimalCommas),
  }
  log?.begin(table.form, headings, table.sheet)
  const reader: RowReader = { ...options, sheet, detectors, table, reported: new Set() }
  let waiting: Row[] = []
  const hidden: number[] = []
  for await (const row of all) {
    if (row.number <= headings.number || row.cells.every(cell => cell.trim() === '')) continue
    if (row.isHidden) hidden.push(row.number)
    log?.add(placeOf(table, row), row)
    detect(row, sheet, detectors)
    waiting.push(row)
    if (detectors.dates.isAmbiguous || detectors.costs.isAmbiguous) continue
    yield* waiting.map(row => recordOfRow(row, reader))
    waiting = []
  }
  if (hidden.length > 0) notice(`${name}: ${hiddenRows(hidden)}`)
  log?.end(detectors.dates.order)
  for (const detector of [detectors.dates, detectors.costs]) if (detector.isAmbiguous) throw detector.failure()
  const swapped = detectors.dates.swapped()
  if (swapped) throw swapped
  detectors.dates.report()
}

const maxNamed = 5

/** Who filters a sheet may mean only the rows that are shown. */
const hiddenRows = (numbers: readonly number[]): string =>
  `${counted(numbers.length, 'row')} that the workbook hides ${nounFor(numbers.length, 'is', 'are')} read, too: ${listOfFirst(numbers.map(String), maxNamed)}`

/** An error sheet says how its dates are to be read, for it lacks the rows that showed it. */
function notedDateOrder({ columns }: Sheet, row: Row | undefined): DateOrder | undefined {
  const cell = row?.cells[columns.findIndex(({ name }) => name === reportColumns.dateOrder)]
  return dateOrders.find(order => order === cell)
}

const placeOf = ({ place = '' }: Table, { number }: Row): string => `${place}row ${number}`

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
  /** What was noticed once. */
  readonly reported: Set<string>
}

function recordOfRow(
  row: Row,
  { sheet, detectors, build, table, name, notice, reported, timezone = 'UTC' }: RowReader,
): FileRecord {
  const { columns } = sheet
  const place = placeOf(table, row)
  const formats = {
    order: detectors.dates.order,
    costFormat: detectors.costs.format,
    place,
    zone: timezone,
  }
  const faults = columns.map(({ name }, index) =>
    isKnownColumn(name, sheet.resource) ? cellFault(row.cells[index]) : undefined,
  )
  const cells = row.cells.map((cell, index) => (faults[index] === undefined ? cell : ''))
  const built = build(sheet.resource, rowEntries(sheet, cells, formats), place, sheet.match)
  const unsplit = unsplitNames(sheet, cells)
  const record: FileRecord = { ...built, ...sheet.shared, ...(unsplit.length > 0 && { unsplit }) }
  if (record.action === 'ignore') return record
  const mistakes: Mistake[] = [...record.mistakes]
  for (const [index, fault] of faults.entries())
    if (fault !== undefined) {
      const column = columns[index]?.heading ?? ''
      const value = row.cells[index] ?? ''
      mistakes.push({ column, expected: 'a value', value, message: `${column}: ${fault}` })
    }
  const extraCells = cells.slice(columns.length).filter(cell => cell !== '')
  if (extraCells.length > 0 && table.form.kind === 'csv') {
    const expected = counted(columns.length, 'cell')
    const message = `expected ${expected}, got ${cells.length}`
    mistakes.push({ column: '', expected, value: cells.join(','), message })
  } else if (extraCells.length > 0 && !reported.has('no heading')) {
    reported.add('no heading')
    notice(`${name}: ignored cells without a heading, the first of them in ${place}: "${extraCells[0]}"`)
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
    const place = `row ${number}, ${heading}`
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

/** A cell in unambiguous form: a saved plan has it without the rows that make it clear here. */
function unambiguousCell(cell: string, kind: AmbiguousKind, { dates, costs }: Detectors): string {
  if (kind === 'cost') return toDecimalPoint(cell, costs.format)
  return (kind === 'date' && readSheetDate(cell.trim(), dates.order ?? 'dmy')) || cell
}

/** What spreadsheet programs show where a formula failed, in the languages of those who use calctl. */
const errorValue =
  /^(#(N\/[AD]|(REF|VALUE|VALOR|¡REF|¡VALOR|DIV\/0|¡DIV\/0|NUM|¡NUM|NULL|NULO|¡NULO|SPILL|CALC|FIELD)!|(NAME|NOMBRE|¿NOMBRE|NOM)\?|GETTING_DATA)|Err:\d{3})$/

/** Why a cell has no value; undefined if it has one. */
function cellFault(cell = ''): string | undefined {
  if (cell === missingResult)
    return 'the formula was never calculated (open the file in a spreadsheet program and save it)'
  return errorValue.test(cell) ? `the cell has the error ${cell}` : undefined
}
