import Table from 'cli-table3'

/** Columns between columns. */
export const gap = 2

const frame = ['top', 'bottom', 'mid', 'left', 'right'].flatMap(side => [
  side,
  ...['mid', 'left', 'right'].map(corner => `${side}-${corner}`),
])

/** Rows of cells as lines of text, without a frame; columns are as wide as said, or as their widest cell. */
export function drawRows(rows: readonly (readonly string[])[], widths: readonly number[] = []): string {
  const table = new Table({
    chars: { ...Object.fromEntries(frame.map(name => [name, ''])), middle: ' '.repeat(gap) },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
  })
  table.push(...rows.map(cells => [...cells]))
  return `${table.toString().replace(/ +$/gm, '')}\n`
}
