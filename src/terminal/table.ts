import { alignRows, cardText, gap } from './card.ts'
import { painter } from './colors.ts'
import { columnWidths, shorten } from './fit.ts'
import type { Records, Surface } from './form.ts'
import { heading, readableLine } from './readable.ts'

/** Records as a table, cut to the terminal's width; as cards if the terminal is too narrow for the columns. */
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
  const fitted = (cells: readonly string[]) => cells.map((cell, index) => shorten(cell, widths[index] ?? 0))
  return alignRows(
    [
      ...(headings ? [fitted(headings).map(text => paint.heading(text))] : []),
      ...rows.map(cells => fitted(cells).map((text, index) => paint.cell(paths[index], text))),
    ],
    widths,
  )
}

/** The first batch decides the widths of the columns, so that a long list need not be in memory as a whole. */
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
