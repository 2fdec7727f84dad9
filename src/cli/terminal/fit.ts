import stringWidth from 'string-width'
import { wrapBy } from '../../base/text/words.ts'

const segmenter = new Intl.Segmenter()

/** Latin letters, punctuation, arrows and lines: one column each. Soft hyphens have none. */
const narrowCharacters = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u20ac\u2190-\u2193\u2500-\u257f]*$/

/** The width of a text on a terminal, in columns. Most texts need no look at each character, which takes a hundred times as long. */
export const widthOf = (text: string): number => (narrowCharacters.test(text) ? text.length : stringWidth(text))

/** Cuts a text to a width, between characters, and appends an ellipsis. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = ''
  let taken = 1
  for (const { segment } of segmenter.segment(text)) {
    taken += widthOf(segment)
    if (taken > width) break
    short += segment
  }
  return `${short.trimEnd()}…`
}

/** A text with spaces behind it, or before it, up to a width. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** Wraps a text into lines that are no longer than a width, and no more than so many; what is cut ends with an ellipsis. */
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
const fixed = /^(\d*|[A-Z][a-z]{2} \d{4}-\d{2}-\d{2}( \d{2}:\d{2})?( \S+)?)$/

/** Whether the cells of a column are never cut, however narrow the terminal is. */
export const isFixed = (cells: readonly string[]): boolean => cells.every(cell => fixed.test(cell))

/** Text that is useless when cut: numbers, dates, single words. */
const isUncuttable = (cell: string): boolean => fixed.test(cell) || /^\S{0,9}$/.test(cell)

/** What is left of the title and of other texts, from a terminal with room to a narrow one. */
const leastText = [
  { title: 40, other: 12 },
  { title: 24, other: 8 },
  { title: 8, other: 8 },
]
const narrowest = 3

/** The columns that are cut last, and never. */
interface Preferences {
  readonly title?: number
  isWhole?(index: number): boolean
}

/**
 * The widths of columns that fit into a total; the first row has the headings. The widest texts are cut first, and the column of
 * titles keeps more than the others; undefined if the total is too small even so.
 */
export function columnWidths(
  rows: readonly (readonly string[])[],
  total: number,
  { title, isWhole = () => false }: Preferences = {},
): number[] | undefined {
  const [headings = [], ...records] = rows
  const natural = headings.map((_, index) => widest(rows, index))
  for (const least of leastText) {
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
export const widest = (rows: readonly (readonly string[])[], index: number): number =>
  rows.reduce((width, cells) => Math.max(width, widthOf(cells[index] ?? '')), 0)

/** Narrows the widest column above its minimum until all fit. */
function narrow(natural: readonly number[], total: number, minimums: readonly number[]): number[] | undefined {
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
