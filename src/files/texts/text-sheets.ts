/**
 * Sheets of texts for translators: a row for each text, with the original and a cell for each language. Translators fill in the empty
 * cells. The ID in the first column (`text-ids.ts`) tells which text a row is, and from what it was made. What comes back are returned
 * texts, which `returned-texts.ts` checks and turns into records.
 */

import { unescapeFormula } from '../../base/text/escaping.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Language } from '../../contract/languages.ts'
import { cellFault } from '../csv/cell-faults.ts'
import type { CellRow, CellTable } from '../csv/cell-values.ts'
import { headingAsName, textIdHeading } from '../csv/heading-names.ts'
import type { TableOptions } from '../csv/read-table.ts'
import type { FileRecord } from '../records/file-record.ts'
import type { ColumnLook, OutgoingSheet } from '../workbook/write-xlsx.ts'
import { type ReturnedText, readReturnedTexts } from './returned-texts.ts'
import { readRowId, type TextId, textFingerprint, writeRowId } from './text-ids.ts'

/** A text with its translations. */
export interface TextRow {
  /** One for each language of the translations. */
  readonly ids: readonly [TextId, ...TextId[]]
  /** Tells a translator which record it is. */
  readonly context: string
  readonly field: string
  /** The original and the existing translations, by language. */
  readonly texts: ReadonlyMap<Language, string>
}

interface SheetHead {
  readonly name: string
  /** The calendar to which the IDs belong. */
  readonly origin: string
  readonly languages: readonly Language[]
}

/** The column that names the calendar, as in exports. */
const originHeading = 'origin'

const locked = (width: number): ColumnLook => ({ width, look: 'locked' })
const written = (width: number): ColumnLook => ({ width, look: 'text' })

/** The sheet of texts; the columns for languages are wide, and keep what is typed into them as text. */
export const textSheet = ({ name, origin, languages }: SheetHead, rows: readonly TextRow[]): OutgoingSheet => ({
  name,
  headings: [textIdHeading, phrase('context'), phrase('field'), ...languages, originHeading],
  looks: [locked(10), locked(36), locked(14), ...languages.map(() => written(60)), locked(10)],
  rows: rows.map(({ ids, context, field, texts }) => [
    writeRowId(ids),
    context,
    field,
    ...languages.map(language => texts.get(language) ?? ''),
    origin,
  ]),
})

/** Yields the records of a sheet that `isTextSheet` has recognized by its headings. */
export const readTextSheet = (table: CellTable, headings: CellRow, options: TableOptions): AsyncGenerator<FileRecord> =>
  readReturnedTexts(textsOfTable(table, headings), options)

async function* textsOfTable(table: CellTable, headings: CellRow): AsyncGenerator<ReturnedText> {
  const columns = headings.cells.map(headingAsName)
  for await (const row of table.rows) {
    if (row.number <= headings.number || row.cells.every(cell => cell.trim() === '')) continue
    const place = `${table.place ?? ''}${phrase('row {row}', { row: row.number })}`
    yield* textsOfRow(row, columns, place)
  }
}

function* textsOfRow(row: CellRow, columns: readonly string[], place: string): Generator<ReturnedText> {
  const cellUnder = (heading: string) => row.cells[columns.indexOf(heading)]?.trim() ?? ''
  const value = cellUnder(textIdHeading)
  const origin = cellUnder(originHeading) || undefined
  const ids = readRowId(value)
  const common = { value, place, origin }
  if (ids.length === 0) yield { ...common, id: undefined, source: '', target: '' }
  for (const id of ids) {
    const index = columns.indexOf(id.language)
    // Translators into one language may delete the columns of the others.
    if (index === -1) continue
    const original = originalIn(cellUnder(id.source.language), id)
    const cell = row.cells[index] ?? ''
    const isTitle = id.field === resourceNamed(id.resource).title
    const unreadable = cellFault(cell, row.raw?.[index], { holds: undefined, isTitle, isTyped: true })
    const fault = (text: string) => {
      if (origin === undefined)
        return { message: phrase('the column {column} no longer names the calendar', { column: originHeading }) }
      if (original === undefined)
        return { message: phrase('the original of {text} is not the one that was exported', { text }) }
      return unreadable === undefined
        ? undefined
        : { message: `${text}: ${unreadable}`, advice: phrase('correct it in the sheet') }
    }
    yield { ...common, id, source: original ?? '', target: unescapeFormula(cell.trim()), fault }
  }
}

/** The original as it was exported; undefined if it was changed, or if a column was sorted without the others. */
const originalIn = (cell: string, { source }: TextId): string | undefined =>
  [cell, unescapeFormula(cell)].find(text => textFingerprint(text) === source.fingerprint)
