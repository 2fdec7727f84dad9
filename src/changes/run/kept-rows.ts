import { escapeFormula } from '../../base/text/escaping.ts'
import type { DateOrder } from '../../base/time/typed-order.ts'
import type { Language } from '../../contract/languages.ts'
import type { CellRow, RawCell, SheetForm } from '../../files/csv/cell-values.ts'
import { languageOfHeadings } from '../../files/csv/heading-names.ts'
import type { SheetLog } from '../../files/csv/read-table.ts'
import { readSheetDate } from '../../files/csv/sheet-dates.ts'
import { dateOrderHeading, findReportColumns, reportHeadings } from '../../files/csv/write-csv.ts'
import { createSpool, type Spool } from '../plan/spool.ts'

/** The rows of a sheet as they were read. */
interface KeptSheet {
  readonly file: string
  readonly form: SheetForm
  readonly sheet?: string | undefined
  readonly headings: CellRow
  readonly rows: Spool<{ readonly place: string; readonly row: CellRow }>
  dateOrder?: DateOrder | undefined
}

/** The sheets from which a plan is made, for `--errors`, which writes the rows that were not applied as they were. */
export interface KeptRows {
  readonly sheets: readonly KeptSheet[]
  /** The options with which to read the rows again: ` --create-missing`. */
  readonly flags: string
  /** Keeps the rows of one file; `prefix` begins their places. */
  logOf(file: string, prefix: string): SheetLog
}

export function createKeptRows(flags: string): KeptRows {
  const sheets: KeptSheet[] = []
  return {
    sheets,
    flags,
    logOf: (file, prefix) => ({
      begin(form, headings, sheet) {
        sheets.push({ file, form, sheet, headings, rows: createSpool() })
      },
      add(place, row) {
        sheets.at(-1)?.rows.add({ place: `${prefix}${place}`, row })
      },
      end(dateOrder) {
        const last = sheets.at(-1)
        if (last) last.dateOrder = dateOrder
      },
    }),
  }
}

/** A sheet with the rows that were not applied, and the columns row and reason. */
export interface ReturnedSheet {
  readonly name: string
  readonly headings: readonly string[]
  readonly rows: readonly (readonly RawCell[])[]
}

/** The rows of a sheet that have a reason, in order. `reasons` are by the places of rows; `language` is for sheets without headings. */
export function returnedRows(
  { sheet = 'calctl', headings, rows, dateOrder }: KeptSheet,
  reasons: ReadonlyMap<string, string>,
  language: Language,
): ReturnedSheet | undefined {
  const returned = [...rows].filter(({ place }) => reasons.has(place))
  if (returned.length === 0) return undefined
  // An error sheet that is applied again gets these columns only once.
  const report = findReportColumns(headings.cells)
  const width = Math.max(headings.cells.length, ...returned.map(({ row }) => row.cells.length))
  const columns = Array.from({ length: width }, (_, index) => index).filter(index => !report.has(index))
  const order = dateOrder && returned.some(({ row }) => row.cells.some(hasTwoReadings)) ? dateOrder : undefined
  return {
    name: sheet,
    headings: [
      ...columns.map(index => headings.cells[index] ?? ''),
      ...(order ? [dateOrderHeading] : []),
      ...reportHeadings[languageOfHeadings(headings.cells) ?? language],
    ],
    rows: returned.map(({ place, row }) => [
      ...columns.map(index => row.raw?.[index] ?? row.cells[index] ?? ''),
      ...(order ? [order] : []),
      { value: row.number, format: '0' },
      escapeFormula(reasons.get(place) ?? ''),
    ]),
  }
}

/** Whether a cell is a date that can be read day first or month first, or in only one of these ways. */
const hasTwoReadings = (cell: string): boolean =>
  readSheetDate(cell, { order: 'dmy' }) !== readSheetDate(cell, { order: 'mdy' })
