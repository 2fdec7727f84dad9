import { stringify } from 'csv-stringify/sync'
import { windows1252From80 } from '../base/text/mojibake.ts'
import type { RawCell, SheetForm } from './csv/cell-values.ts'
import { formatOf } from './file-format.ts'
import { joinBytes } from './text-streams.ts'
import type { OutgoingSheet } from './workbook/write-xlsx.ts'

type Sheet = Pick<OutgoingSheet, 'name' | 'headings'> & { readonly rows: readonly (readonly RawCell[])[] }

/**
 * Writes sheets like the file from which they come, unless the extension of the new file asks for another format. Those of an ODS file
 * become XLSX.
 */
export async function writeSheets(sheets: readonly Sheet[], form: SheetForm, name: string): Promise<Uint8Array> {
  const named = formatOf(name)
  const isText = named === 'csv' || named === 'tsv'
  if (isText || (form.kind === 'csv' && named !== 'xlsx')) {
    const separator = named === 'tsv' ? '\t' : ','
    const style = form.kind === 'csv' ? { ...form, ...(named === 'tsv' && { separator }) } : { separator }
    const lines = sheets.flatMap(({ headings, rows }) => [headings, ...rows])
    return csvLike(style, lines)
  }
  const { writeXlsx } = await import('./workbook/write-xlsx.ts')
  return joinBytes(writeXlsx(sheets.toReversed()))
}

/** Writes rows like the sheet from which they come: with its separator, its encoding and its line ends. */
function csvLike(
  { separator = ',', charset = 'utf-8', hasBom = false, newline = '\n', hasSepLine = false }: Partial<SheetForm>,
  rows: readonly (readonly RawCell[])[],
): Buffer {
  const text = stringify(
    rows.map(cells => cells.map(cellText)),
    { delimiter: separator, record_delimiter: newline, quoted_match: /[\r\n"]|^\s|\s$/ },
  )
  return encodeText(`${hasSepLine ? `sep=${separator}${newline}` : ''}${text}`, charset, hasBom)
}

function cellText(cell: RawCell): string {
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  return typeof cell === 'object' ? String(cell.value) : cell
}

/** The bytes of a text in the encoding of the original file. */
function encodeText(text: string, charset: string, hasBom: boolean): Buffer {
  const marked = hasBom ? `\uFEFF${text}` : text
  if (charset === 'utf-16le') return Buffer.from(marked, 'utf16le')
  if (charset === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16()
  if (charset === 'windows-1252') return Buffer.from(text.replace(/[^\0-\x7f\xa0-\xff]/gu, toByte), 'latin1')
  return Buffer.from(marked)
}

/**
 * The byte of a character in Windows-1252, which has these characters where Latin-1 has controls; a question mark for a character that it
 * lacks.
 */
function toByte(character: string): string {
  const index = windows1252From80.indexOf(character)
  return index === -1 ? '?' : String.fromCharCode(0x80 + index)
}
