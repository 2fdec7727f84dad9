import { type Resource, writableFields } from '../../contract/resource.ts'
import type { WritableRecord } from '../records/file-record.ts'
import { cellOf, clearing, guarded } from './cell-values.ts'

/** How the cells of a sheet are written. */
export interface SheetForm {
  readonly separator: ',' | ';' | '\t'
  /** As European spreadsheet programs like it: byte order mark, CRLF, decimal comma. */
  readonly isExcel: boolean
}

/** The form of a format; `excel` asks for what European spreadsheet programs read. */
export const formOf = (format: 'csv' | 'tsv', excel = false): SheetForm => ({
  separator: format === 'tsv' ? '\t' : excel ? ';' : ',',
  isExcel: excel,
})

const batch = 200

/** Writes rows of cells, as they are, under their headings. */
export async function* rowsText(
  headings: readonly string[],
  rows: AsyncIterable<readonly string[]>,
  { separator, isExcel }: SheetForm,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  const textOf = (lines: (readonly string[])[]) =>
    stringify(lines as string[][], {
      delimiter: separator,
      record_delimiter: isExcel ? '\r\n' : '\n',
      quoted_match: /[\r\n"]|^\s|\s$/,
    })
  yield `${isExcel ? '\uFEFF' : ''}${textOf([headings])}`
  let waiting: (readonly string[])[] = []
  for await (const row of rows) {
    waiting.push(row)
    if (waiting.length < batch) continue
    yield textOf(waiting)
    waiting = []
  }
  if (waiting.length > 0) yield textOf(waiting)
}

/** The columns that say what a row is, which record, and what to do with it. */
const heads = ['resource', 'id', 'lang_code', 'action', 'origin', 'slug'] as const

/** The columns of a resource's sheet: what a row is first, then its fields in the order of the contract. */
export function columnsOf(resource: Resource, hasOrigin: boolean): string[] {
  const fields = writableFields(resource).map(([name]) => name)
  const isNeeded = (head: (typeof heads)[number]) =>
    head === 'origin' ? hasOrigin : head !== 'slug' || (resource.keys.includes('slug') && !fields.includes('slug'))
  return [...heads.filter(isNeeded), ...fields]
}

/** A record's cells under these columns, harmless in a spreadsheet program. */
export function cellsOf(
  record: WritableRecord,
  columns: readonly string[],
  resource: Resource,
  form: SheetForm,
): string[] {
  return columns.map(column => {
    if (record.cleared?.includes(column)) return clearing
    const field = resource.fields[column]
    if (field) return cellOf(field, record.values[column], form.isExcel)
    const head = heads.find(head => head === column)
    return guarded(String((head && record[head]) ?? ''))
  })
}
