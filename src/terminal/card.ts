import Table from 'cli-table3'
import { painter } from './colors.ts'
import { widthOf, wrap } from './fit.ts'
import type { Row, Shape, Surface } from './form.ts'
import { heading, readable } from './readable.ts'

/** Spaces between columns. */
export const gap = 2

const borders = ['top', 'bottom', 'mid', 'left', 'right'].flatMap(side => [
  side,
  ...['mid', 'left', 'right'].map(corner => `${side}-${corner}`),
])

/** Aligns rows of cells as columns without borders; they have the given widths, or the width of their widest cell. */
export function alignRows(rows: readonly (readonly string[])[], widths: readonly number[] = []): string {
  const table = new Table({
    chars: { ...Object.fromEntries(borders.map(name => [name, ''])), middle: ' '.repeat(gap) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
  })
  table.push(...rows.map(cells => [...cells]))
  return `${table.toString().replace(/ +$/gm, '')}\n`
}

/** One record as two columns: the name of each field, and its whole value. */
export const recordText = (record: Row, paths: readonly string[], surface: Surface): string =>
  cardText(
    paths,
    paths.map(path => readable(record, path, surface.zone)),
    surface,
  )

/** Paths and their values, as two columns. */
export function cardText(paths: readonly string[], values: readonly string[], { color, columns }: Surface): string {
  const paint = painter(color)
  const labels = paths.map(heading)
  const valueWidth = (columns ?? Number.POSITIVE_INFINITY) - Math.max(...labels.map(widthOf)) - gap
  return alignRows(
    paths.map((path, index) => [
      paint.heading(labels[index] ?? ''),
      paint.cell(path, wrap(values[index] ?? '', Math.max(valueWidth, 20))),
    ]),
  )
}

/** The paths to show for a record: its ID, the fields that are not empty, and its URL. */
export const nonEmptyPaths = (record: Row, shape: Shape): string[] =>
  [...new Set(['id', ...Object.keys(shape.fields), 'lang_code', 'count', 'url'])].filter(
    path => readable(record, path) !== '',
  )
