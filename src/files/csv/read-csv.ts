/**
 * Sheets: CSV and TSV, as calctl exports them, as spreadsheet programs save them again, and as The Events Calendar's importer
 * reads them. headings.ts recognizes the columns, row-entries.ts turns the cells of a row into values, cell-values.ts reads and
 * writes single cells, date-order.ts reads dates that a spreadsheet program has rewritten, write-csv.ts writes.
 */

import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { Failure } from '../../failure.ts'
import { counted } from '../../text/words.ts'
import { fieldNamed } from '../records/field-values.ts'
import type { FileRecord, Notice } from '../records/file-record.ts'
import { type Build, isIgnore } from '../records/record-builder.ts'
import { peek } from '../text-streams.ts'
import { type CostDetector, createCostDetector, toDecimalPoint } from './cell-values.ts'
import { createDateOrderDetector, type DateOrder, type DateOrderDetector, readSheetDate } from './date-order.ts'
import { readHeadings, type Sheet } from './headings.ts'
import { rowEntries } from './row-entries.ts'

export interface CsvOptions {
  readonly name: string
  readonly resource?: ResourceName
  readonly dateOrder?: DateOrder
  /** The separator, if the heading line does not show it. */
  readonly separator: ',' | '\t'
  readonly notice: Notice
  readonly build: Build
}

/** Detect how a sheet writes what can be read in two ways. */
interface Detectors {
  readonly dates: DateOrderDetector
  readonly costs: CostDetector
}

interface Row {
  readonly cells: readonly string[]
  readonly number: number
}

/**
 * Reads a sheet row by row. Rows are held back only while one has an ambiguous date or cost and no other has decided how to read
 * it.
 */
export async function* readCsv(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<FileRecord> {
  const { name, notice, dateOrder } = options
  const { peeked: pieces, all } = await peek(text, pieces => headingLine(pieces.join('')) !== undefined)
  const line = headingLine(`${pieces.join('')}\n`) ?? ''
  const declaredSeparator = parseSepLine(line)
  const separator = declaredSeparator ?? mostFrequentSeparator(line) ?? options.separator
  const parsed = parseRows(all, separator, name)
  if (declaredSeparator) await parsed.next()
  const headings = await parsed.next()
  if (headings.done) return
  const { peeked: firstRows, all: rows } = await peek(parsed, peeked => peeked.length > 0)
  const [firstRow] = firstRows
  // An export without records: nothing tells its resource, and nothing needs it.
  if (!firstRow && headings.value.cells.some(isResourceHeading)) return

  const resource = options.resource ?? resourceOfRow(headings.value.cells, firstRow?.cells)
  const sheet = readHeadings(headings.value.cells, name, resource)
  const detectors = {
    dates: createDateOrderDetector(name, dateOrder, notice),
    costs: createCostDetector(name, separator === ';'),
  }
  const record = (row: Row) => recordOfRow(row, sheet, detectors, options.build)
  let waiting: Row[] = []
  for await (const row of rows) {
    if (row.cells.every(cell => cell.trim() === '')) continue
    detect(row, sheet, detectors)
    waiting.push(row)
    if (detectors.dates.isAmbiguous || detectors.costs.isAmbiguous) continue
    yield* waiting.map(record)
    waiting = []
  }
  for (const detector of [detectors.dates, detectors.costs]) if (detector.isAmbiguous) throw detector.failure()
}

const isResourceHeading = (heading: string): boolean => heading.trim().toLowerCase() === 'resource'

/** The resource in the `resource` column of a row. */
function resourceOfRow(headings: readonly string[], cells: readonly string[] = []): ResourceName | undefined {
  const cell = cells[headings.findIndex(isResourceHeading)]?.trim()
  return resources.find(({ name }) => name === cell)?.name
}

function recordOfRow(row: Row, sheet: Sheet, detectors: Detectors, build: Build): FileRecord {
  const { cells, number } = row
  const formats = { order: detectors.dates.order, costFormat: detectors.costs.format }
  const built = build(sheet.resource, rowEntries(sheet, cells, formats), `row ${number}`, sheet.match)
  const record: FileRecord = sheet.match ? { ...built, makesLinks: true } : built
  const extraCells = cells.slice(sheet.columns.length).filter(cell => cell !== '')
  if (record.action === 'ignore' || (extraCells.length === 0 && record.mistakes.length === 0)) return record
  const source = Object.fromEntries(
    sheet.columns.map(({ heading, name }, index) => [
      heading,
      unambiguousCell(cells[index] ?? '', ambiguousKind(sheet, name), detectors),
    ]),
  )
  const expected = counted(sheet.columns.length, 'cell')
  const tooMany = { column: '', expected, value: cells.join(','), message: `expected ${expected}, got ${cells.length}` }
  return { ...record, mistakes: extraCells.length > 0 ? [...record.mistakes, tooMany] : record.mistakes, source }
}

function detect({ cells, number }: Row, sheet: Sheet, { dates, costs }: Detectors): void {
  if (sheet.columns.some(({ name }, index) => name === 'action' && isIgnore(cells[index]))) return
  for (const [index, { heading, name }] of sheet.columns.entries()) {
    const kind = ambiguousKind(sheet, name)
    const place = `row ${number}, ${heading}`
    if (kind === 'date') dates.add(cells[index] ?? '', place)
    if (kind === 'cost') costs.add(cells[index] ?? '', place)
  }
}

type AmbiguousKind = 'date' | 'cost' | undefined

/** Whether a column holds values that only the other rows may make clear. */
function ambiguousKind({ resource }: Sheet, name: string): AmbiguousKind {
  const kind = fieldNamed(resource, name)?.kind
  if (name.endsWith('.day') || kind === 'dateTime') return 'date'
  return name === 'cost.amount' || kind === 'cost' ? 'cost' : undefined
}

/** A cell in unambiguous form: `--errors` writes it to a sheet without the rows that make it clear here. */
function unambiguousCell(cell: string, kind: AmbiguousKind, { dates, costs }: Detectors): string {
  if (kind === 'cost') return toDecimalPoint(cell, costs.format)
  return (kind === 'date' && readSheetDate(cell.trim(), dates.order ?? 'dmy')) || cell
}

async function* parseRows(text: AsyncIterable<string>, delimiter: string, name: string): AsyncGenerator<Row> {
  const parser: Parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
  })
  // An error of the stream destroys the parser, and so reaches the loop below.
  pipeline(Readable.from(text), parser, () => {})
  let number = 0
  try {
    for await (const cells of parser) {
      number += 1
      yield { cells, number }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { records = number } = error
    throw new Failure('usage', `${name}: row ${Number(records) + 1}: ${reasonOf(error)}`, {
      hint: 'quote cells that contain separators, quotes or line breaks',
    })
  }
}

const reasonOf = ({ code, message }: CsvError): string =>
  code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is not closed' : message

/** The first line, line breaks within quotes included; undefined while its end is missing. */
const headingLine = (text: string): string | undefined => /^(?:[^"\r\n]|"[^"]*")*(?=[\r\n])/.exec(text)?.[0]

/** The separator of a first line such as `sep=;`, which Excel writes and reads. */
const parseSepLine = (line: string): string | undefined => /^"?sep=([;,\t|])"?[;,\t]*$/i.exec(line)?.[1]

/** The separator that is most frequent outside of quotes. */
function mostFrequentSeparator(line: string): string | undefined {
  const unquoted = line.replace(/"[^"]*"/g, '')
  const counts = [';', '\t', ','].map(separator => ({ separator, count: unquoted.split(separator).length - 1 }))
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best))
  return most.count > 0 ? most.separator : undefined
}
