import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { Failure } from '../../failure.ts'
import { look } from '../look.ts'
import { fieldNamed } from '../records/field-values.ts'
import type { FileRecord, Notice } from '../records/file-record.ts'
import { type Build, isIgnore } from '../records/record-builder.ts'
import { type CostFinder, costFinder, withPoint } from './costs.ts'
import { type DateOrder, type OrderFinder, orderFinder, readSheetDate } from './date-order.ts'
import { readHeadings, type Sheet } from './headings.ts'
import { readRow } from './row-entries.ts'

/** How a sheet is to be read. */
export interface SheetOptions {
  readonly name: string
  readonly resource?: ResourceName
  readonly dateOrder?: DateOrder
  /** What separates cells where the heading line does not show it. */
  readonly separator: ',' | '\t'
  readonly notice: Notice
  readonly build: Build
}

/** What finds out how a sheet writes what can be read in two ways. */
interface Finders {
  readonly dates: OrderFinder
  readonly costs: CostFinder
}

interface NumberedRow {
  readonly cells: readonly string[]
  readonly number: number
}

/**
 * Reads a sheet of comma-, semicolon- or tab-separated cells, row by row. Rows wait only while a date or a cost was
 * met that can be read in two ways, until another one decides.
 */
export async function* readSheet(text: AsyncIterable<string>, options: SheetOptions): AsyncGenerator<FileRecord> {
  const { name, notice, dateOrder } = options
  const { seen, all } = await look(text, pieces => headingLine(pieces.join('')) !== undefined)
  const line = headingLine(`${seen.join('')}\n`) ?? ''
  const said = separatorSaid(line)
  const separator = said ?? separatorIn(line) ?? options.separator
  const finders = { dates: orderFinder(name, dateOrder, notice), costs: costFinder(name, separator === ';') }
  const numbered = cellsOf(all, separator, name)
  if (said) await numbered.next()
  const first = await numbered.next()
  if (first.done) return
  const { seen: rowsSeen, all: rows } = await look(numbered, seen => seen.length > 0)
  // An export of nothing does not say of what.
  if (rowsSeen.length === 0 && first.value.cells.some(isResource)) return
  const sheet = readHeadings(
    first.value.cells,
    name,
    options.resource ?? resourceIn(first.value.cells, rowsSeen[0]?.cells),
  )
  const record = (row: NumberedRow) => recordIn(row, sheet, finders, options.build)
  let waiting: NumberedRow[] = []
  for await (const row of rows) {
    if (row.cells.every(cell => cell.trim() === '')) continue
    lookAt(row, sheet, finders)
    waiting.push(row)
    if (finders.dates.isOpen || finders.costs.isOpen) continue
    yield* waiting.map(record)
    waiting = []
  }
  for (const finder of [finders.dates, finders.costs]) if (finder.isOpen) throw finder.refusal()
}

const isResource = (heading: string): boolean => heading.trim().toLowerCase() === 'resource'

/** What the first record says it is, in a column of its own. */
function resourceIn(headings: readonly string[], cells: readonly string[] = []): ResourceName | undefined {
  const said = cells[headings.findIndex(isResource)]?.trim()
  return resources.find(({ name }) => name === said)?.name
}

function recordIn(row: NumberedRow, sheet: Sheet, finders: Finders, build: Build): FileRecord {
  const { dates, costs } = finders
  const { cells, number } = row
  const entries = readRow(sheet, cells, { order: dates.order, costs: costs.form })
  const built = build(sheet.resource, entries, `row ${number}`, sheet.match)
  const record: FileRecord = sheet.match ? { ...built, makesLinks: true } : built
  const beyond = cells.slice(sheet.columns.length).filter(cell => cell !== '')
  if (record.action === 'ignore' || (beyond.length === 0 && record.mistakes.length === 0)) return record
  const source = Object.fromEntries(
    sheet.columns.map(({ heading, name }, index) => [heading, alone(cells[index] ?? '', kindOf(sheet, name), finders)]),
  )
  const tooMany = { column: '', expected: `${sheet.columns.length} cells`, given: cells.join(',') }
  return { ...record, mistakes: beyond.length > 0 ? [...record.mistakes, tooMany] : record.mistakes, source }
}

function lookAt({ cells, number }: NumberedRow, sheet: Sheet, { dates, costs }: Finders): void {
  if (sheet.columns.some(({ name }, index) => name === 'action' && isIgnore(cells[index]))) return
  sheet.columns.forEach(({ heading, name }, index) => {
    const kind = kindOf(sheet, name)
    const place = `row ${number}, ${heading}`
    if (kind === 'date') dates.see(cells[index] ?? '', place)
    if (kind === 'cost') costs.see(cells[index] ?? '', place)
  })
}

/** What a column holds, where that can be written so that only other rows say what it means. */
function kindOf({ resource }: Sheet, name: string): 'date' | 'cost' | undefined {
  const kind = fieldNamed(resource, name)?.kind
  if (name.endsWith('.day') || kind === 'dateTime') return 'date'
  return name === 'cost.amount' || kind === 'cost' ? 'cost' : undefined
}

/** A cell as it is read in any sheet, without the rows and the separator that say what it means in this one. */
function alone(cell: string, kind: ReturnType<typeof kindOf>, { dates, costs }: Finders): string {
  if (kind === 'cost') return withPoint(cell, costs.form)
  return (kind === 'date' && readSheetDate(cell.trim(), dates.order ?? 'dmy')) || cell
}

async function* cellsOf(text: AsyncIterable<string>, delimiter: string, name: string): AsyncGenerator<NumberedRow> {
  const parser: Parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
  })
  // What goes wrong on the way ends the loop below.
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
      hint: 'quote cells that hold separators, quotes or line breaks',
    })
  }
}

const reasonOf = ({ code, message }: CsvError): string =>
  code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is opened and never closed' : message

/** The first line, with the lines that its quotes hold together; undefined while it has no end. */
const headingLine = (text: string): string | undefined => /^(?:[^"\r\n]|"[^"]*")*(?=[\r\n])/.exec(text)?.[0]

/** What a first line of its own says, as Excel writes and reads it: `sep=;`. */
const separatorSaid = (line: string): string | undefined => /^"?sep=([;,\t|])"?[;,\t]*$/i.exec(line)?.[1]

/** What stands between the headings most often, quotes aside. */
function separatorIn(line: string): string | undefined {
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = [';', '\t', ','].map(separator => ({ separator, count: bare.split(separator).length - 1 }))
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best))
  return most.count > 0 ? most.separator : undefined
}
