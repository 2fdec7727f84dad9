import Table from 'cli-table3'
import type { Records, Row, Shape, Surface } from '../../files/print/form.ts'
import { heading, readable, readableLine } from '../../files/print/readable.ts'
import { painter } from './colors.ts'
import { columnWidths, isFixed, shorten, widest, widthOf, wrap } from './fit.ts'

/** Spaces between columns. */
const gap = 2

const borders = ['top', 'bottom', 'mid', 'left', 'right'].flatMap(side => [
  side,
  ...['mid', 'left', 'right'].map(corner => `${side}-${corner}`),
])

/** Aligns rows of cells as columns without borders; they have the given widths, or the width of their widest cell. */
function alignRows(rows: readonly (readonly string[])[], widths: readonly number[] = []): string {
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

/** What a table shows. */
interface TableColumns {
  readonly paths: readonly string[]
  /** The column of titles, which gets the room. */
  readonly title?: string | undefined
  /** Columns that are never cut. */
  readonly whole?: readonly string[] | undefined
  /** Shows a status only where it is another than `publish`, and its column only if there is one. */
  readonly hidesPublished?: boolean
}

/** Records as a table, cut to the terminal's width; as cards if the terminal is too narrow for the columns. */
export async function* tableText(records: Records, columns: TableColumns, surface: Surface): AsyncGenerator<string> {
  let paths: readonly string[] = []
  let widths: readonly number[] | undefined
  let isFirst = true
  for await (const batch of batches(records)) {
    const before = paths
    paths = shownPaths(columns, batch, before)
    const rows = batch.map(record => paths.map(path => cellOf(record, path, columns, surface)))
    const headings = paths.map(heading)
    const isWhole = (index: number) => columns.whole?.includes(paths[index] ?? '') === true
    // The first batch decides the widths; later ones only change what would be cut.
    if (isFirst || paths.length > before.length) {
      const room = (surface.columns ?? Number.POSITIVE_INFINITY) - gap * (paths.length - 1)
      widths = columnWidths([headings, ...rows], room, { title: paths.indexOf(columns.title ?? ''), isWhole })
    } else widths = widths && widened(widths, rows, isWhole)
    if (widths) yield rowsText(isFirst ? headings : undefined, rows, { paths, widths, color: surface.color })
    else yield rows.map(cells => blockText(cells, paths, columns, surface)).join('')
    isFirst = false
  }
}

/** A record of a table that is too narrow for columns; of the usual columns, those that are not empty. */
function blockText(
  cells: readonly string[],
  paths: readonly string[],
  { hidesPublished }: TableColumns,
  surface: Surface,
): string {
  const shown = paths.map((path, index) => [path, cells[index] ?? ''] as const)
  const kept = hidesPublished ? shown.filter(([, cell]) => cell !== '') : shown
  return `${cardText(
    kept.map(([path]) => path),
    kept.map(([, cell]) => cell),
    surface,
  )}\n`
}

const isPublished = ({ status }: Row): boolean => status === undefined || status === 'publish'

/** A column that was shown once stays. */
function shownPaths(
  { paths, hidesPublished }: TableColumns,
  records: readonly Row[],
  before: readonly string[] = [],
): readonly string[] {
  if (!hidesPublished || before.includes('status') || !records.every(isPublished)) return paths
  return paths.filter(path => path !== 'status')
}

const cellOf = (record: Row, path: string, { hidesPublished }: TableColumns, { zone }: Surface): string =>
  hidesPublished && path === 'status' && isPublished(record) ? '' : readableLine(record, path, zone)

/** Wider where an ID or a date would be cut. */
const widened = (
  widths: readonly number[],
  rows: readonly (readonly string[])[],
  isWhole: (index: number) => boolean,
): readonly number[] =>
  widths.map((width, index) =>
    isWhole(index) || isFixed(rows.map(cells => cells[index] ?? '')) ? Math.max(width, widest(rows, index)) : width,
  )

interface FittedColumns {
  readonly paths: readonly string[]
  readonly widths: readonly number[]
  readonly color: boolean
}

function rowsText(
  headings: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  { paths, widths, color }: FittedColumns,
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

/** A long list need not be in memory as a whole. */
const batchSize = 200

async function* batches(records: Records): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  let isFirst = true
  for await (const record of records) {
    rows.push(record)
    if (rows.length < batchSize) continue
    yield rows
    rows = []
    isFirst = false
  }
  if (isFirst || rows.length > 0) yield rows
}
