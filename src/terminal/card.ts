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

/** With less room than this beside the names, values stand below them. */
const leastRoom = 16

/** Paths and their values, as two columns. */
export function cardText(paths: readonly string[], values: readonly string[], { color, columns }: Surface): string {
  const paint = painter(color)
  const labels = paths.map(heading)
  const width = columns ?? Number.POSITIVE_INFINITY
  const valueWidth = width - Math.max(...labels.map(widthOf)) - gap
  const cells = (room: number) =>
    paths.map(
      (path, index) =>
        [
          paint.heading(labels[index] ?? ''),
          wrap(values[index] ?? '', room)
            .split('\n')
            .map(line => paint.cell(path, line)),
        ] as const,
    )
  if (valueWidth >= leastRoom) return alignRows(cells(valueWidth).map(([label, lines]) => [label, lines.join('\n')]))
  return cells(width - gap)
    .map(([label, lines]) => [label, ...lines.map(line => `${' '.repeat(gap)}${line}`.trimEnd())].join('\n'))
    .join('\n')
    .concat('\n')
}

/** The paths to show for a record: its ID, the fields that are not empty, and its URL. */
export const nonEmptyPaths = (record: Row, shape: Shape): string[] =>
  [...new Set(['id', ...Object.keys(shape.fields), 'lang_code', 'count', 'url'])].filter(
    path => readable(record, path) !== '',
  )
