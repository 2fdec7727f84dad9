import type { CellRow, RawCell } from '../csv/cell-values.ts'

/** A merged area of several rows, whose value is only in its first cell. */
export interface MergedArea {
  readonly column: number
  readonly firstRow: number
  readonly lastRow: number
}

/** The text of a cell, and its number with a format if it is one. */
export interface CellValue {
  readonly text: string
  readonly raw?: RawCell
}

/** A row with the texts of its cells, and with their numbers and formats, so that they can be written as they were. */
export class RowBuilder {
  private readonly cells: string[] = []
  private readonly raw: RawCell[] = []
  private struck = 0

  /** Sets a cell; skipped cells are empty. */
  set(column: number, text: string, raw: RawCell = text): void {
    if (text === '' && column >= this.cells.length) return
    while (this.cells.length < column) {
      this.cells.push('')
      this.raw.push('')
    }
    this.cells[column] = text
    this.raw[column] = raw
  }

  /** Marks a cell as struck through. */
  strike(): void {
    this.struck += 1
  }

  row(number: number, isHidden = false): CellRow {
    const isStruck = this.struck * 2 > this.cells.filter(cell => cell !== '').length
    return { number, cells: this.cells, raw: this.raw, ...(isHidden && { isHidden }), ...(isStruck && { isStruck }) }
  }

  get isEmpty(): boolean {
    return this.cells.length === 0
  }
}

/** Gives each row of a merged area the value of the area, as people read it. */
export async function* fillMergedRows(
  rows: AsyncIterable<CellRow>,
  areas: readonly MergedArea[],
  onFilled: () => void,
): AsyncGenerator<CellRow> {
  const open = areas.toSorted((one, other) => one.firstRow - other.firstRow)
  let begun: BegunArea[] = []
  let next = 0
  for await (const row of rows) {
    begun = begun.filter(({ lastRow }) => lastRow >= row.number)
    // A separate row has more than what it shares with others.
    const isFilled = begun.length > 0 && row.cells.some(cell => cell.trim() !== '')
    if (isFilled) onFilled()
    yield isFilled ? withAreas(row, begun) : row
    for (let area = open[next]; area && area.firstRow <= row.number; area = open[next]) {
      next += 1
      const text = row.cells[area.column] ?? ''
      if (area.firstRow === row.number && text !== '')
        begun.push({ ...area, text, raw: row.raw?.[area.column] ?? text })
    }
  }
}

type BegunArea = MergedArea & Required<CellValue>

function withAreas(row: CellRow, begun: readonly BegunArea[]): CellRow {
  const builder = new RowBuilder()
  for (const [column, text] of row.cells.entries()) builder.set(column, text, row.raw?.[column] ?? text)
  for (const { column, text, raw } of begun) if ((row.cells[column] ?? '') === '') builder.set(column, text, raw)
  return builder.row(row.number, row.isHidden)
}

/** A sheet, which is read when it is needed. */
export interface WorkbookSheet {
  readonly name: string
  readonly isHidden: boolean
  rows(): AsyncGenerator<CellRow>
  /** The merged areas that have several rows. */
  mergedAreas(): Promise<readonly MergedArea[]>
}
