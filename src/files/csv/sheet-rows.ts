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
