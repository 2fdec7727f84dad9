import { indent } from '../../base/text/wrapping.ts'
import { narrow, pad, widthOf, wrap } from './table.ts'

/** A part of a document between blank lines, or a whole code block. */
type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code' | 'table' | 'list' | 'paragraph'; readonly lines: readonly string[] }

/**
 * A document of calctl, which is Markdown, as text for a terminal: headings at the margin, everything else indented and wrapped, tables in
 * columns. It supports what our documents use, and shows the rest as it is.
 */
export function markdownText(
  markdown: string,
  { columns, heading }: { columns: number; heading(text: string): string },
): string {
  const width = columns - 2
  const text = blocksOf(markdown).map(block => {
    if (block.kind === 'heading') return heading(inline(block.text).toUpperCase())
    return indent(bodyOf(block.kind, block.lines, width), 2)
  })
  return `${text.join('\n\n')}\n`
}

function bodyOf(kind: Exclude<Block['kind'], 'heading'>, lines: readonly string[], width: number): string {
  switch (kind) {
    case 'code':
      return indent(lines.join('\n'), 2)
    case 'table':
      return tableText(lines.map(cellsOf), width)
    case 'list':
      return itemsOf(lines)
        .map(([mark, text]) => hanging(mark, wrap(inline(text), width - mark.length)))
        .join('\n')
    case 'paragraph':
      return wrap(inline(lines.join(' ')), width)
  }
}

const fence = /^```/
const bullet = /^(- |\d+\. )/

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  // Comments contain steps for the tests of the documents.
  const lines = markdown.replace(/<!--.*?-->\n?/gs, '').split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const rest = lines.slice(index)
    const [, title] = /^#+ (.*)/.exec(line) ?? []
    if (line.trim() === '' || line.startsWith('![')) continue
    if (title !== undefined) {
      blocks.push({ kind: 'heading', text: title })
      continue
    }
    if (fence.test(line)) {
      const end = rest.findIndex((other, at) => at > 0 && fence.test(other))
      const taken = rest.slice(1, end < 0 ? undefined : end)
      blocks.push({ kind: 'code', lines: taken })
      index += taken.length + 1
      continue
    }
    const end = rest.findIndex(other => other.trim() === '' || fence.test(other))
    const taken = rest.slice(0, end < 0 ? undefined : end)
    blocks.push({ kind: kindOf(line), lines: taken })
    index += taken.length - 1
  }
  return blocks
}

function kindOf(line: string): 'table' | 'list' | 'paragraph' {
  if (line.startsWith('|')) return 'table'
  return bullet.test(line) ? 'list' : 'paragraph'
}

/** The items of a list with their marks; a line without a mark belongs to the item before it. */
function itemsOf(lines: readonly string[]): [mark: string, text: string][] {
  const items: [string, string][] = []
  for (const line of lines) {
    const [mark] = bullet.exec(line) ?? []
    const last = items.at(-1)
    if (mark !== undefined) items.push([mark, line.slice(mark.length)])
    else if (last) last[1] += ` ${line.trim()}`
  }
  return items
}

/** The cells of a row of a table; a `\|` is part of a cell. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => inline(cell.replaceAll('\\|', '|').trim()))

/** Text without its marks: emphasis, code, links. */
const inline = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\((https?:[^)]*)\)/g, '$1 ($2)')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(`+)(?: (.+?) |(.+?))\1/g, (_, _mark, spaced, plain) => spaced ?? plain)

const gap = 2
const narrowestColumn = 12

/** The rows of a table; if there is no room for its columns, each row is a list of its cells. */
function tableText(rows: readonly (readonly string[])[], width: number): string {
  const [head = [], , ...records] = rows
  const all = [...(head.some(cell => cell !== '') ? [head] : []), ...records]
  const natural = head.map((_, index) => Math.max(...all.map(cells => widthOf(cells[index] ?? ''))))
  const least = natural.map(() => narrowestColumn)
  const widths = narrow(natural, width - gap * (head.length - 1), least)
  if (!widths) return all.map(cells => hanging('- ', cells.map(cell => wrap(cell, width - 2)).join('\n'))).join('\n')
  return all.map(cells => rowText(cells, widths)).join('\n')
}

function rowText(cells: readonly string[], widths: readonly number[]): string {
  const columns = widths.map((width, index) => wrap(cells[index] ?? '', width).split('\n'))
  const height = Math.max(...columns.map(lines => lines.length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, index) => pad(lines[line] ?? '', widths[index] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd(),
  ).join('\n')
}

const hanging = (mark: string, text: string): string => mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`)
