import type { RawCell, SheetForm } from './csv/sheet-rows.ts'
import { csvLike } from './csv/write-like.ts'
import { formatOf } from './file-format.ts'

interface Sheet {
  readonly name: string
  readonly headings: readonly string[]
  readonly rows: readonly (readonly RawCell[])[]
}

/** Writes sheets in the form of the file that they come from, unless the ending of the new file's name asks for another one. */
export async function writeSheets(sheets: readonly Sheet[], form: SheetForm, name: string): Promise<Uint8Array> {
  const named = formatOf(name)
  const isText = named === 'csv' || named === 'tsv'
  if (isText || (form.kind === 'csv' && named !== 'xlsx' && named !== 'ods')) {
    const separator = named === 'tsv' ? '\t' : ','
    const style = form.kind === 'csv' ? { ...form, ...(named === 'tsv' && { separator }) } : { separator }
    return csvLike(
      style,
      sheets.flatMap(({ headings, rows }) => [headings, ...rows]),
    )
  }
  const isOds = named === 'ods' || (form.kind === 'ods' && named !== 'xlsx')
  const write = isOds
    ? (await import('./workbook/write-ods.ts')).writeOds
    : (await import('./workbook/write-xlsx.ts')).writeXlsx
  const chunks: Uint8Array[] = []
  for await (const chunk of write(sheets.toReversed().map(sheet => ({ ...sheet, rows: each(sheet.rows) }))))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}
