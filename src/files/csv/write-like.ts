import { stringify } from 'csv-stringify/sync'
import { encodeText } from '../encode-text.ts'
import type { RawCell, SheetForm } from './sheet-rows.ts'

/** Writes rows in the form of the sheet that they come from: with its separator, its encoding and its line ends. */
export function csvLike(
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
