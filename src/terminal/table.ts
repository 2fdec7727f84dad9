import { alignRows, cardText, gap } from './card.ts'
import { painter } from './colors.ts'
import { columnWidths, shorten } from './fit.ts'
import type { Records, Surface } from './form.ts'
import { heading, readableLine } from './readable.ts'

/** Records as rows below headings, cut to the terminal's width; a block each where that is too narrow for columns. */
export async function* tableText(records: Records, paths: readonly string[], surface: Surface): AsyncGenerator<string> {
  const { columns = Number.POSITIVE_INFINITY, zone } = surface
  const headings = paths.map(heading)
  let widths: readonly number[] | undefined
  let isFirst = true
  for await (const batch of batches(records, paths, zone)) {
    if (isFirst) widths = columnWidths([headings, ...batch], columns - gap * (paths.length - 1))
    if (widths) yield rowsText(isFirst ? headings : undefined, batch, { paths, widths, color: surface.color })
    else yield batch.map(cells => `${cardText(paths, cells, surface)}\n`).join('')
    isFirst = false
  }
}

interface Columns {
  readonly paths: readonly string[]
  readonly widths: readonly number[]
  readonly color: boolean
}

function rowsText(
  headings: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  { paths, widths, color }: Columns,
): string {
  const paint = painter(color)
  const fitted = (cells: readonly string[]) => cells.map((cell, at) => shorten(cell, widths[at] ?? 0))
  return alignRows(
    [
      ...(headings ? [fitted(headings).map(text => paint.heading(text))] : []),
      ...rows.map(cells => fitted(cells).map((text, at) => paint.cell(paths[at], text))),
    ],
    widths,
  )
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
