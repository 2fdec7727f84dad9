import { escapeFormula } from '../../base/text/escaping.ts'
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
