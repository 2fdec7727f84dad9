import { escapeFormula } from '../../base/text/escaping.ts'
import type { Language } from '../../contract/languages.ts'
import { type Resource, writableFields } from '../../contract/resource.ts'
import { isWrittenField, type WritableRecord } from '../records/file-record.ts'
import { clearMark, writeCell } from './cell-values.ts'

export interface SheetStyle {
  readonly separator: ',' | ';' | '\t'
  /** As European versions of Excel read it: with a byte order mark, CRLF and decimal commas. */
  readonly isExcel: boolean
}

export function sheetStyle(format: 'csv' | 'tsv', isExcel = false): SheetStyle {
  if (format === 'tsv') return { separator: '\t', isExcel }
  return { separator: isExcel ? ';' : ',', isExcel }
}

/** Rows for each call of csv-stringify: one call for each row takes 1.4 times as long. */
const rowsAtOnce = 200

/** Writes rows of cells under their headings. */
export async function* writeRows(
  headings: readonly string[],
  rows: AsyncIterable<readonly string[]>,
  { separator, isExcel }: SheetStyle,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  const textOf = (lines: (readonly string[])[]) =>
    stringify(lines as string[][], {
      delimiter: separator,
      record_delimiter: isExcel ? '\r\n' : '\n',
      quoted_match: /[\r\n"]|^\s|\s$/,
    })
  yield `${isExcel ? '\uFEFF' : ''}${textOf([headings])}`
  let batch: (readonly string[])[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < rowsAtOnce) continue
    yield textOf(batch)
    batch = []
  }
  if (batch.length > 0) yield textOf(batch)
}

/** The columns that say which record a row is, and what to do with it. */
const recordColumns = ['resource', 'id', 'lang_code', 'action', 'origin'] as const

interface WrittenColumns {
  readonly hasOrigin: boolean
  readonly fields?: readonly string[] | undefined
  readonly secrets?: boolean | undefined
}

/** The columns of a sheet of records: first those about the record, then its fields in the order of the contract. */
export function sheetColumns(resource: Resource, { hasOrigin, fields, secrets }: WrittenColumns): string[] {
  const written = writableFields(resource).filter(
    ([name, field]) => isWrittenField(name, field, fields) && (secrets || !field.secret),
  )
  return [...recordColumns.filter(column => column !== 'origin' || hasOrigin), ...written.map(([name]) => name)]
}

/** The cells of a record under these columns. */
export function rowCells(record: WritableRecord, columns: readonly string[], resource: Resource, style: SheetStyle) {
  return columns.map(column => {
    if (record.cleared?.includes(column)) return clearMark
    const field = resource.fields[column]
    if (field) return writeCell(field, record.values[column], style.isExcel)
    const recordColumn = recordColumns.find(name => name === column)
    return escapeFormula(String((recordColumn && record[recordColumn]) ?? ''))
  })
}

/** The headings of the two columns that `--errors` adds to a sheet, by language. */
export const reportHeadings: Readonly<Record<Language, readonly [row: string, reason: string]>> = {
  ca: ['fila', 'motiu'],
  en: ['row', 'reason'],
  es: ['fila', 'motivo'],
}

/** The heading of a third column, which comes first if the rows no longer show the order of day and month. */
export const dateOrderHeading = 'date_order'

/** The names of these columns once they are recognized. */
export const reportColumns = {
  row: 'report.row',
  reason: 'report.reason',
  dateOrder: 'report.date_order',
  /** A column that `--map` ignores. */
  ignored: 'report.ignored',
} as const

/** Whether a column is about the row and not about its record; also by the headings of earlier versions. */
export const isReportColumn = (name: string): boolean => /^(report\..*|error|hint)$/.test(name)

/** The columns of an error sheet by their positions: row and reason, next to each other. */
export function findReportColumns(headings: readonly string[]): Map<number, string> {
  const found = new Map<number, string>()
  const folded = headings.map(heading => heading.trim().toLowerCase())
  for (const [row, reason] of Object.values(reportHeadings)) {
    const index = folded.findIndex((heading, index) => heading === row && folded[index + 1] === reason)
    if (index === -1) continue
    found.set(index, reportColumns.row)
    found.set(index + 1, reportColumns.reason)
    if (folded[index - 1] === dateOrderHeading) found.set(index - 1, reportColumns.dateOrder)
  }
  return found
}
