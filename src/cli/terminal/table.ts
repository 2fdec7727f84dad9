import Table from 'cli-table3'
import stringWidth from 'string-width'
import { wrapBy } from '../../base/text/wrapping.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import { resources } from '../../contract/contract.ts'
import { statusLabel } from '../../contract/post-status.ts'
import { recordNoun } from '../../contract/resource-words.ts'
import { decodeNames, isOne, type Row, type RowSource, type Shape } from '../../files/print/printed-rows.ts'
import { heading, readable, readableLine, type Surface, type Viewer } from '../../files/print/readable.ts'
import type { Sink } from '../world.ts'
import { painter, useColor } from './colors.ts'
import { columnHeading } from './column-headings.ts'
import { spokenName } from './spoken-name.ts'

/** Spaces between columns. */
const gap = 2

const borders = ['top', 'bottom', 'mid', 'left', 'right'].flatMap(side => [
  side,
  ...['mid', 'left', 'right'].map(corner => `${side}-${corner}`),
])

/** Aligns rows of cells as columns without borders, with the given widths or the width of the widest cell. */
export function alignRows(rows: Rows, widths: readonly number[] = []): string {
  const table = new Table({
    chars: { ...Object.fromEntries(borders.map(name => [name, ''])), middle: ' '.repeat(gap) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
  })
  table.push(...rows.map(cells => [...cells]))
  return `${table.toString().replace(/ +$/gm, '')}\n`
}

/** One record as two columns: the name of each field, and its whole value. */
const recordText = (record: Row, paths: readonly string[], shape: Shape, surface: Surface): string =>
  cardText(
    paths.map(path => [path, shown(record, path, readable(record, path, surface), shape)]),
    { ...surface, label: path => columnHeading(path, shape) },
  )

/** The value of a cell for people: what the program names, in words. */
function shown(record: Row, path: string, text: string, { fields }: Pick<Shape, 'fields'>): string {
  const isOfField = path === 'before' || path === 'after'
  const name = isOfField ? record.field : path.split('.').at(-1)
  // A cell may contain both statuses: of publication, and of the event.
  if (name === 'status' || name === 'event_status') return text.split(', ').map(statusLabel).join(', ')
  if (/^(true|false)$/.test(text) && interfaceLanguage() !== 'en') return text === 'true' ? phrase('yes') : phrase('no')
  // A field of a record may have such a name, too: the state of a venue.
  if (fields[path] !== true) return text
  const resource = resources.find(({ name }) => name === record.resource)
  if (path === 'resource' && resource) return recordNoun(resource.name)
  if (path === 'field') return columnHeading(text, resource)
  return ['action', 'check', 'severity', 'state'].includes(path) ? spokenName(text) : text
}

/** In columns: with less room beside the names, values are below them. */
const leastRoom = 16

/** How a card is written. */
interface CardSurface extends Surface {
  /** The label for a path. */
  label?(path: string): string
}

/** Paths and their values, as two columns. */
export function cardText(facts: readonly (readonly [path: string, value: string])[], surface: CardSurface): string {
  const { color, columns = Number.POSITIVE_INFINITY, label = heading } = surface
  const paint = painter(color)
  const valueWidth = columns - Math.max(...facts.map(([path]) => widthOf(label(path)))) - gap
  const isBeside = valueWidth >= leastRoom
  const cells = facts.map(([path, value]): [string, string[]] => {
    const lines = wrap(value, isBeside ? valueWidth : columns - gap).split('\n')
    return [paint.heading(label(path)), lines.map(line => paint.cell(path, line))]
  })
  if (isBeside) return alignRows(cells.map(([name, lines]) => [name, lines.join('\n')]))
  const below = cells.map(([name, lines]) => [name, ...lines.map(line => `${' '.repeat(gap)}${line}`.trimEnd())])
  return `${below.flat().join('\n')}\n`
}

/** The paths to show for a record: its ID, the fields that are not empty, and its URL. */
const nonEmptyPaths = (record: Row, shape: Shape): string[] =>
  [...new Set(['id', ...Object.keys(shape.fields), 'lang_code', 'count', 'url'])].filter(
    path => readable(record, path) !== '',
  )

/** The contents of a table. */
interface TableColumns extends Pick<Shape, 'title' | 'whole' | 'below'> {
  /** The records: the words of their fields are the headings. */
  readonly shape: Shape
  readonly paths: readonly string[]
  /** Shows a status only if it is not `publish`, and its column only if there is such a status. */
  readonly hidesPublished?: boolean
}

/** Records as a table, shortened to the width of the terminal; as cards if the terminal is too narrow for columns. */
async function* tableText(records: RowSource, columns: TableColumns, surface: Surface): AsyncGenerator<string> {
  let paths: readonly string[] = []
  let widths: readonly number[] | undefined
  const { columns: total = Number.POSITIVE_INFINITY } = surface
  const below = total >= leastForRows && total < leastForAll ? columns.below : undefined
  const [narrowText, least] = isInTwoLines(columns)
    ? ([twoLines, leastText.slice(0, -1)] as const)
    : ([blockText, leastText] as const)
  let isFirst = true
  for await (const batch of batches(records)) {
    const before = paths
    paths = shownPaths(columns, batch, before).filter(path => path !== below)
    const rows = batch.map(record => paths.map(path => cellOf(record, path, columns, surface)))
    const headings = paths.map(path => columnHeading(path, columns.shape))
    // A shortened status is useless.
    const isWhole = (index: number) => ['status', ...(columns.whole ?? [])].includes(paths[index] ?? '')
    // The first batch decides the widths; later ones change them only if something would be shortened that must not be.
    if (isFirst || paths.length > before.length) {
      const room = total - gap * (paths.length - 1)
      widths = columnWidths([headings, ...rows], room, {
        title: paths.indexOf(columns.title ?? ''),
        isWhole,
        least,
      })
    } else widths = widths && widened(widths, rows, isWhole)
    const view = { columns, paths, surface }
    const shown = isFirst ? [headings] : []
    if (widths) yield withBelow(rowsText(shown, rows, widths, view), batch, view, below)
    else yield rows.map(cells => narrowText(cells, view)).join('')
    isFirst = false
  }
}

/** In columns: with less room, the column that people read in full is below each row; with still less, a record is a card. */
const [leastForRows, leastForAll] = [56, 100]

/** The lines of a table, each with the text of one column in full below it, headings first. */
function withBelow(table: string, batch: readonly Row[], { columns, surface }: TableView, below?: string): string {
  if (below === undefined) return table
  const lines = table.trimEnd().split('\n')
  const texts = [columnHeading(below, columns.shape), ...batch.map(record => cellOf(record, below, columns, surface))]
  const told = texts.slice(-lines.length).map(text => linesWithin(text, (surface.columns ?? 0) - gap))
  return `${lines.map((line, index) => [line, ...(told[index] ?? [])].join(`\n${' '.repeat(gap)}`)).join('\n')}\n`
}

/** Whether a terminal that is too narrow for columns shows two lines for each record: title and date first, then the rest. */
const isInTwoLines = ({ paths, title, hidesPublished }: TableColumns): boolean =>
  hidesPublished === true && paths.includes('start_date') && title !== undefined && paths.includes(title)

/** `Sat 5 Dec 19:00  Concert`, and below it the venue, the categories and the ID. */
function twoLines(cells: readonly string[], { columns: { title = '' }, paths, surface }: TableView): string {
  const { color, columns = Number.POSITIVE_INFINITY } = surface
  const paint = painter(color)
  const cell = (path: string) => cells[paths.indexOf(path)] ?? ''
  const others = paths
    .filter(path => path !== 'start_date' && path !== title && path !== 'id' && cell(path) !== '')
    .map(path => paint.cell(path, cell(path)))
  const below = [...others, `(${cell('id')})`].join(' · ')
  const lines = [
    ...linesWithin(`${cell('start_date')}  ${cell(title)}`, columns).map(line => line.trimEnd()),
    ...linesWithin(below, columns - gap).map(line => ' '.repeat(gap) + line),
  ]
  return `${lines.join('\n')}\n`
}

/** A record for a table that is too narrow for columns: the columns that are not empty. */
function blockText(cells: readonly string[], { columns: { hidesPublished, shape }, paths, surface }: TableView) {
  const shown = paths.map((path, index) => [path, cells[index] ?? ''] as const)
  const kept = hidesPublished ? shown.filter(([, cell]) => cell !== '') : shown
  return `${cardText(kept, { ...surface, label: path => columnHeading(path, shape) })}\n`
}

const isPublished = ({ status }: Row): boolean => status === undefined || status === 'publish'

/** The columns to show; one that was shown before stays. */
function shownPaths(columns: TableColumns, records: readonly Row[], before: readonly string[]): readonly string[] {
  const { paths, hidesPublished } = columns
  if (!hidesPublished || before.includes('status') || !records.every(isPublished)) return paths
  return paths.filter(path => path !== 'status')
}

const cellOf = (record: Row, path: string, { hidesPublished, shape }: TableColumns, viewer: Surface): string =>
  hidesPublished && path === 'status' && isPublished(record)
    ? ''
    : shown(record, path, readableLine(record, path, viewer), shape)

/** Wider columns, if an ID or a date would be shortened. */
const widened = (widths: readonly number[], rows: Rows, isWhole: (index: number) => boolean): readonly number[] =>
  widths.map((width, index) =>
    isWhole(index) || isFixed(rows.map(cells => cells[index] ?? '')) ? Math.max(width, widest(rows, index)) : width,
  )

/** The columns that are shown, where. */
interface TableView {
  readonly columns: TableColumns
  readonly paths: readonly string[]
  readonly surface: Surface
}

type Rows = readonly (readonly string[])[]

function rowsText(headings: Rows, rows: Rows, widths: readonly number[], { paths, surface }: TableView): string {
  const paint = painter(surface.color)
  const fitted = (cells: readonly string[]) => cells.map((cell, index) => shorten(cell, widths[index] ?? 0))
  return alignRows(
    [
      ...headings.map(cells => fitted(cells).map(text => paint.heading(text))),
      ...rows.map(cells => fitted(cells).map((text, index) => paint.cell(paths[index], text))),
    ],
    widths,
  )
}

/** In records: a long list is never in memory as a whole. */
const batchSize = 200

async function* batches(records: RowSource): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  for await (const record of records) {
    rows.push(record)
    if (rows.length < batchSize) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

const segmenter = new Intl.Segmenter()

/** Latin letters, punctuation, arrows and lines: one column each. Soft hyphens have none. */
const narrowCharacters = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u20ac\u2190-\u2193\u2500-\u257f]*$/

/** The width of a text on a terminal, in columns. Most texts need no check of each character, which takes a hundred times as long. */
export const widthOf = (text: string): number => (narrowCharacters.test(text) ? text.length : stringWidth(text))

/** Shortens a text to a width, between characters, and appends an ellipsis. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const [first = ''] = pieces(text, width - 1)
  return `${widthOf(first) < width ? first.trimEnd() : ''}…`
}

/** A text with spaces behind it, or before it, up to a width. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** Wraps a text into at most `most` lines of this width; a text that is shortened ends with an ellipsis. */
export function linesWithin(text: string, width: number, most = Number.POSITIVE_INFINITY): string[] {
  const lines = wrap(text, width)
    .split('\n')
    .flatMap(line => pieces(line, width))
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), shorten(lines.slice(most - 1).join(' '), width)]
}

/** A line cut into pieces of a width, for words that are longer. */
function pieces(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line]
  const all = ['']
  let taken = 0
  for (const { segment } of segmenter.segment(line)) {
    taken += widthOf(segment)
    if (taken > width && all.at(-1) !== '') {
      all.push('')
      taken = widthOf(segment)
    }
    all[all.length - 1] += segment
  }
  return all
}

/** Wraps a text at a width; a longer word, such as a URL, gets its own line. */
export const wrap = (text: string, width: number): string => wrapBy(text, width, widthOf)

/** Wraps a text whose lines may be items of lists, which keep their indentation. */
export const wrapItems = (text: string, width: number): string =>
  text
    .split('\n')
    .map(line => {
      const [indent = ''] = /^ *(?:(?:[*•-]|\d+\.) )?/.exec(line) ?? []
      const [first = '', ...others] = wrap(line.slice(indent.length), width - indent.length).split('\n')
      return [`${indent}${first}`, ...others.map(rest => ' '.repeat(indent.length) + rest)].join('\n')
    })
    .join('\n')

/** Numbers, and dates with their weekday, hour and time zone. */
const fixed = /^(\d*|\p{L}{2,3}\.? \d{1,2} \p{L}{3,5}\.?( \d{4})?( \d{2}:\d{2})?( \S+)?)$/u

/** Whether the cells of a column are never shortened, however narrow the terminal is. */
const isFixed = (cells: readonly string[]): boolean => cells.every(cell => fixed.test(cell))

/** Whether a text would be useless if shortened: numbers, dates, single words. */
const isUncuttable = (cell: string): boolean => fixed.test(cell) || /^\S{0,9}$/.test(cell)

/** The least widths of the title and of other texts, from wide terminals to narrow ones. */
const leastText = [40, 36, 32, 28, 24, 8].map(title => ({ title, other: Math.max(8, title / 2 - 8) }))
const narrowest = 3

/**
 * The widths of columns that fit into a total; the first row has the headings. The widest texts are shortened first, and the column of
 * titles keeps more than the others. Undefined if the total is too small.
 */
function columnWidths(
  rows: Rows,
  total: number,
  { title, isWhole, least: levels }: { title: number; isWhole(index: number): boolean; least: typeof leastText },
): number[] | undefined {
  const [headings = [], ...records] = rows
  const natural = headings.map((_, index) => widest(rows, index))
  for (const least of levels) {
    const minimums = headings.map((_, index) => {
      if (isWhole(index) || records.every(cells => isUncuttable(cells[index] ?? ''))) return widest(records, index)
      return index === title ? least.title : least.other
    })
    const widths = narrow(natural, total, minimums)
    if (widths) return widths
  }
  return undefined
}

/** The width of the widest cell of a column. */
const widest = (rows: Rows, index: number): number =>
  rows.reduce((width, cells) => Math.max(width, widthOf(cells[index] ?? '')), 0)

/** Narrows the widest column above its minimum until all fit. */
export function narrow(natural: readonly number[], total: number, minimums: readonly number[]): number[] | undefined {
  const widths = [...natural]
  let excess = widths.reduce((sum, width) => sum + width, 0) - total
  for (; excess > 0; excess--) {
    const spare = widths.map((width, index) => (width > Math.max(minimums[index] ?? 0, narrowest) ? width : 0))
    const index = spare.indexOf(Math.max(...spare))
    if (spare[index] === 0) return undefined
    widths[index] = (widths[index] ?? 0) - 1
  }
  return widths
}

/** What a table shows, and where. */
export interface ShownRecords {
  readonly shape: Shape
  /** One record, or several, which may be a stream. */
  readonly records: Row | RowSource
  /** Paths such as `venue.city`. */
  readonly fields?: readonly string[]
  readonly color?: boolean
  /** Who reads a table. */
  readonly viewer?: () => Viewer
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Sink
}

/** Prints a record as a card, or records as a table. */
export async function printTable(options: ShownRecords): Promise<void> {
  const { shape, records, fields, color, env, stdout, viewer } = options
  // Some terminals, such as those of CI, report a width of 0.
  const columns = (stdout.isTTY && stdout.columns) || undefined
  const surface = { color: useColor(color, env, stdout.isTTY), columns, ...viewer?.() }
  if (isOne(records)) {
    const record = decodeNames(records) as Row
    return stdout.write(recordText(record, fields ?? nonEmptyPaths(record, shape), shape, surface), 'painted')
  }
  const table = { ...shape, shape, paths: fields ?? shape.columns, hidesPublished: fields === undefined }
  for await (const text of tableText(mapRecords(records, decodeNames), table, surface))
    await stdout.write(text, 'painted')
}

async function* mapRecords(records: RowSource, change: (record: unknown) => unknown): AsyncGenerator<Row> {
  for await (const record of records) yield change(record) as Row
}
