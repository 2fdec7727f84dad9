import { drawRows, gap } from './draw.ts'
import { columnWidths, shorten } from './fit.ts'
import type { Records } from './form.ts'
import { painter } from './paint.ts'
import { heading, readableLine } from './readable.ts'

/** What a table must know of the terminal; lines may be of any length where `columns` is undefined. */
export interface Surface {
  readonly color: boolean
  readonly columns: number | undefined
  /** The viewer's time zone. */
  readonly zone?: string | undefined
}

/** Records as rows below headings, cut to the terminal's width. */
export async function* tableText(
  records: Records,
  paths: readonly string[],
  { color, columns, zone }: Surface,
): AsyncGenerator<string> {
  const paint = painter(color)
  const headings = paths.map(heading)
  let widths: readonly number[] | undefined
  for await (const batch of batches(records, paths, zone)) {
    const rows = widths ? batch : [headings, ...batch]
    const fitted = widths ?? columnWidths(rows, (columns ?? Number.POSITIVE_INFINITY) - gap * (paths.length - 1))
    widths = fitted
    const painted = rows.map(cells =>
      cells.map((cell, at) => {
        const text = shorten(cell, fitted[at] ?? 0)
        return cells === headings ? paint.heading(text) : paint.cell(paths[at], text)
      }),
    )
    yield drawRows(painted, fitted)
  }
}

/** So many rows decide how wide the columns are; later ones keep to it, and a long list is never held whole. */
const batchSize = 200

async function* batches(records: Records, paths: readonly string[], zone?: string): AsyncGenerator<string[][]> {
  let rows: string[][] = []
  let isFirst = true
  for await (const record of records) {
    rows.push(paths.map(path => readableLine(record, path, zone)))
    if (rows.length < batchSize) continue
    yield rows
    rows = []
    isFirst = false
  }
  if (isFirst || rows.length > 0) yield rows
}
