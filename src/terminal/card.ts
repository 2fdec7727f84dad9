import Table from 'cli-table3'
import { painter } from './colors.ts'
import { widthOf, wrap } from './fit.ts'
import type { Row, Shape, Surface } from './form.ts'
import { heading, readable } from './readable.ts'

/** Spaces between columns. */
export const gap = 2

const frame = ['top', 'bottom', 'mid', 'left', 'right'].flatMap(side => [
  side,
  ...['mid', 'left', 'right'].map(corner => `${side}-${corner}`),
])

/** Rows of cells as lines of text, without a frame; columns have the given widths, or that of their widest cell. */
export function alignRows(rows: readonly (readonly string[])[], widths: readonly number[] = []): string {
  const table = new Table({
    chars: { ...Object.fromEntries(frame.map(name => [name, ''])), middle: ' '.repeat(gap) },
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

/** Paths and the values that stand there, as two columns. */
export function cardText(paths: readonly string[], values: readonly string[], { color, columns }: Surface): string {
  const paint = painter(color)
  const labels = paths.map(heading)
  const room = (columns ?? Number.POSITIVE_INFINITY) - Math.max(...labels.map(widthOf)) - gap
  return alignRows(
    paths.map((path, at) => [
      paint.heading(labels[at] ?? ''),
      paint.cell(path, wrap(values[at] ?? '', Math.max(room, 20))),
    ]),
  )
}

/** The paths of a record that are worth showing: its ID, the fields that are not empty, and its address. */
export const filledPaths = (record: Row, shape: Shape): string[] =>
  [...new Set(['id', ...Object.keys(shape.fields), 'lang_code', 'count', 'url'])].filter(
    path => readable(record, path) !== '',
  )
