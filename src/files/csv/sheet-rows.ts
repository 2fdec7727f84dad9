import { Failure } from '../../base/failure.ts'
import type { Notice } from '../records/file-record.ts'
import { isKnownHeading } from './heading-names.ts'

/** A cell as a workbook has it: a number with its format keeps what it looks like when it is written again. */
export type RawCell = string | boolean | { readonly value: number; readonly format: string }

/** A row of a sheet; its number is the one that spreadsheet programs show. */
export interface Row {
  readonly number: number
  readonly cells: readonly string[]
  /** The same cells with their types. */
  readonly raw?: readonly RawCell[]
  /** Whether the spreadsheet program does not show it: hidden by hand, or by a filter. */
  readonly isHidden?: boolean
}

/** How a sheet is written down, so that others can be written like it. */
export interface SheetForm {
  readonly kind: 'csv' | 'xlsx' | 'ods'
  readonly separator?: string
  readonly charset?: string
  readonly hasBom?: boolean
  readonly newline?: string
  /** Whether the separator stands in a line of its own, `sep=;`. */
  readonly hasSepLine?: boolean
}

/** What every kind of sheet is read into. */
export interface Table {
  readonly rows: AsyncIterable<Row>
  readonly form: SheetForm
  /** The name of the sheet in its workbook. */
  readonly sheet?: string
  /** Begins the places of rows where several sheets are read: `venues, `. */
  readonly place?: string
  /** Whether amounts may be written with decimal commas: a cell alone does not show it. */
  readonly mayHaveDecimalCommas: boolean
}

/** The text of a cell whose formula no program has calculated. */
export const missingResult = '#FORMULA!'

/** How far down a sheet its headings are looked for. */
export const rowsLookedAt = 30

const mostColumns = 1000

/** The row with the headings; what stands above it is skipped, with a notice. Undefined for a sheet without rows. */
export function findHeadingRow(rows: readonly Row[], name: string, notice: Notice): Row | undefined {
  const candidates = rows
    .slice(0, rowsLookedAt)
    .map(row => ({ row, ...countCells(row) }))
    .filter(({ filled }) => filled > 0)
  const most = Math.max(...candidates.map(({ known }) => known))
  const titles = candidates.findIndex(({ filled, known }) => filled > 1 || (known === 1 && most === 1))
  const found = candidates.findIndex(({ known }, index) => known > 1 || (known === 1 && index === titles))
  const index = Math.max(found, 0)
  const chosen = candidates[index]
  if (!chosen) return undefined
  const { row, filled } = chosen
  if (filled > mostColumns)
    throw new Failure('usage', `${name}: row ${row.number} has ${filled} headings`, {
      hint: `delete the columns that are not needed (at most ${mostColumns} are read), or choose another sheet`,
    })
  const next = candidates[index + 1]
  if (next && next.known > 1 && next.known * 2 >= next.filled)
    throw new Failure(
      'usage',
      `${name} has two rows of headings: row ${row.number} (${sample(row)}) and row ${next.row.number} (${sample(next.row)})`,
      { hint: 'delete one of them, so that every column has one heading' },
    )
  const skipped = candidates.slice(0, index).map(candidate => candidate.row)
  const [first] = skipped
  if (first)
    notice(`${name}: the headings are in row ${row.number}; skipped what is above: ${skipped.map(sample).join('; ')}`)
  return row
}

function countCells({ cells }: Row): { filled: number; known: number } {
  const filled = cells.filter(cell => cell.trim() !== '')
  return { filled: filled.length, known: new Set(filled.filter(isKnownHeading)).size }
}

/** The first cells of a row. */
function sample({ cells }: Row): string {
  const filled = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  const text = filled.slice(0, 4).join(', ')
  return text.length > 60 ? `${text.slice(0, 60)}…` : `${text}${filled.length > 4 ? ', …' : ''}`
}
