import { usage } from '../../base/failure.ts'
import { escapeFormula, unescapeFormula } from '../../base/text/escaping.ts'
import { readTick } from '../../base/text/yes-no.ts'
import type { DateForms } from '../../base/time/date-grammar.ts'
import { interfaceLanguage, phrase } from '../../base/words/phrase.ts'
import type { Field } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { choiceNamed } from '../../contract/post-status.ts'
import { decimalIn, priceText, readPrice } from '../../contract/price.ts'
import { readingMistake } from '../../contract/reading.ts'
import {
  type Notice,
  type Reference,
  readReference,
  readReferences,
  referencesText,
  referenceText,
} from '../records/file-record.ts'
import { isKnownHeading } from './heading-names.ts'

/** Empties a field. An empty cell leaves the field as it is. */
export const clearMark = '@clear'

/** The value of a cell for a field: undefined leaves the field as it is, null empties it. */
export function readCell(field: Field | undefined, cell: string): unknown {
  if (cell === '') return undefined
  if (cell.trim() === clearMark) return null
  const text = unescapeFormula(field?.kind.shape === 'amount' ? withoutApostrophe(cell) : cell)
  if (!field || field.kind.shape === 'prose') return text
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (field.choices) return choiceNamed(trimmed, field.choices) ?? trimmed
  if (field.kind.shape === 'flag') return readTick(trimmed) ?? trimmed
  if (field.kind.shape === 'links') return field.multiple === false ? [readReference(trimmed)] : readReferences(trimmed)
  return field.kind.name === 'url' && /^www\.\S+\.\S+$/i.test(trimmed) ? `https://${trimmed}` : trimmed
}

/** The cell for a value, which `readCell` reads back. */
export function writeCell(field: Field, value: unknown, hasDecimalCommas: boolean): string {
  if (value === undefined || value === null) return ''
  if (field.kind.shape === 'links') {
    const references = [value].flat() as Reference[]
    const [first] = references
    return escapeFormula(
      field.multiple === false && first !== undefined ? referenceText(first) : referencesText(references),
    )
  }
  const text = escapeFormula(field.kind.text(value))
  if (field.kind.shape !== 'amount') return text
  if (quotedNumber.test(text)) return `'${text}`
  return hasDecimalCommas ? toDecimalComma(text) : text
}

/** How a sheet writes ambiguous values. */
export interface CellFormats {
  readonly dates: DateForms
  /** The decimal separator of prices, if they show it. */
  readonly decimal: Decimal
  /** The row in sentences: `row 5`. */
  readonly place: string
  /** The time zone of events that do not name one. */
  readonly zone: string
}

export interface Cell {
  readonly text: string
  readonly heading: string
}

/** The cell of a row that holds a part of a field; without text if there is none. */
export type PartOf = (name: string) => Cell

/** An apostrophe keeps a spreadsheet program from reading a text such as `12,50` as a number. */
const withoutApostrophe = (cell: string): string => (quotedNumber.test(cell) ? cell.slice(1) : cell)

const quotedNumber = /^'+-?\d[\d.]*(?:,\d+)?$/

export type Decimal = '.' | ',' | undefined

/** What detectors know of a sheet. */
export interface DetectorOptions {
  readonly name: string
  /** The language of the headings. */
  readonly language: Language | undefined
  readonly notice: Notice
}

/** Finds the decimal separator of prices: the first that shows it, `12,50`, decides what `1.250` means; else the language of the headings does. */
export function createDecimalDetector({ name, language, notice }: DetectorOptions) {
  let decimal: Decimal
  let doubtful: PlacedText | undefined
  /** The price that shows the separator. */
  let decisive: PlacedText | undefined
  return {
    get decimal(): Decimal {
      return decimal
    },
    /** Whether a price can be read in two ways and no other price has decided. */
    get isAmbiguous() {
      return decimal === undefined && doubtful !== undefined
    },
    add(cell: string, place: string) {
      const text = cell.trim()
      if (threeDecimals.test(text)) doubtful ??= { text, place }
      if (decimal) return
      decimal = decimalIn(cell)
      if (decimal) decisive = { text, place }
    },
    /** Decides at the end of the sheet by the language of its headings, if that can; says what was decided. */
    settle() {
      if (!doubtful) return
      if (decimal && decisive) return notice(decidedBy(name, decisive, doubtful, decimal))
      const isGroup = doubtful.text.includes('.') === ((language ?? interfaceLanguage()) !== 'en')
      if (!isGroup) return
      decimal = doubtful.text.includes('.') ? ',' : '.'
      const { text, place } = doubtful
      notice(
        phrase(
          '{file}: {separator} in prices separates thousands, as in the language of the headings: {place}: {text} is {meaning}',
          { file: name, separator: `"${text.replace(/\d/g, '')}"`, place, text, meaning: text.replace(/[.,]/, '') },
        ),
      )
    },
    /** The failure for a sheet that is still ambiguous at its end. */
    failure() {
      const { text, place } = doubtful ?? { text: '', place: '' }
      const mistake = readingMistake(readPrice(text, { language }), text)
      return usage(`${name}: ${place}: ${mistake?.message ?? text}`, mistake?.hint)
    },
  }
}

export interface PlacedText {
  readonly text: string
  readonly place: string
}

const decidedBy = (file: string, decisive: PlacedText, doubtful: PlacedText, decimal: Decimal): string =>
  phrase(
    '{file}: {place}: {text} is {meaning}, because of {decisivePlace}: {decisive}; the same in other rows like it',
    {
      file,
      place: doubtful.place,
      text: doubtful.text,
      meaning: settledPrice(doubtful.text, decimal),
      decisivePlace: decisive.place,
      decisive: decisive.text,
    },
  )

export type DecimalDetector = ReturnType<typeof createDecimalDetector>

const threeDecimals = /^[1-9]\d{0,2}[.,]\d{3}$/

/** A price that its column decides, so that it means the same everywhere: `1.250` as `1250`. */
export function settledPrice(text: string, decimal: Decimal): string {
  const reading = decimal && threeDecimals.test(text) ? readPrice(text, { decimal }) : undefined
  return reading && 'value' in reading ? priceText(reading.value) : text
}

/** `12.50` as `12,50`; with a fourth decimal instead of three, which could be thousands. Other texts with commas get an apostrophe. */
function toDecimalComma(text: string): string {
  if (/^-?\d+\.\d+$/.test(text)) return text.replace(/\.\d{3}$/, '$&0').replace('.', ',')
  return quotedNumber.test(`'${text}`) && /[.,]/.test(text) ? `'${text}` : text
}

/** A cell as it is in the workbook: a number keeps its format, and so its appearance, when it is written again. */
export type RawCell = string | boolean | { readonly value: number; readonly format: string }

/** A row of a sheet, with the number that spreadsheet programs show. */
export interface CellRow {
  readonly number: number
  readonly cells: readonly string[]
  /** The same cells with their types. */
  readonly raw?: readonly RawCell[]
  /** Whether the spreadsheet program hides it, because of the user or a filter. */
  readonly isHidden?: boolean
  /** Whether most of its cells are struck through. */
  readonly isStruck?: boolean
}

/** How messages name a row. */
export const rowPlace = (row: number): string => phrase('row {row}', { row })

/** The result of reading any kind of sheet. */
export interface CellTable {
  readonly rows: AsyncIterable<CellRow>
  readonly kind: 'csv' | 'xlsx' | 'ods'
  /** The name of the sheet in its workbook. */
  readonly sheet?: string
  /** The other sheets of its workbook. */
  readonly otherSheets?: readonly string[]
  /** Comes before the places of rows if several sheets are read: `venues, `. */
  readonly place?: string
}

/** The text of a cell whose formula was never calculated. */
export const missingResult = '#FORMULA!'

/** How many rows of a sheet are searched for headings. */
export const rowsLookedAt = 30

const mostColumns = 1000

/** The row with the headings; the rows above it are skipped, with a notice. Undefined for a sheet without rows. */
export function findHeadingRow(rows: readonly CellRow[], name: string, notice: Notice): CellRow | undefined {
  const counted = rows.slice(0, rowsLookedAt).map(row => ({ row, ...countCells(row) }))
  const candidates = counted.filter(({ filled }) => filled > 0)
  const most = Math.max(...candidates.map(({ known }) => known))
  const titles = candidates.findIndex(({ filled, known }) => filled > 1 || (known === 1 && most === 1))
  const found = candidates.findIndex(({ known }, index) => known > 1 || (known === 1 && index === titles))
  const index = Math.max(found, 0)
  const chosen = candidates[index]
  if (!chosen) return undefined
  const { row, filled } = chosen
  if (filled > mostColumns)
    throw usage(
      phrase('{file}: row {row} has {count} headings', { file: name, row: row.number, count: filled }),
      phrase('delete the columns that are not needed (at most {most} are read), or choose another sheet', {
        most: mostColumns,
      }),
    )
  const next = candidates[index + 1]
  if (next && next.known > 1 && next.known * 2 >= next.filled)
    throw usage(
      phrase('{file} has two rows of headings: row {first} ({headings}) and row {second} ({others})', {
        file: name,
        first: row.number,
        headings: sample(row),
        second: next.row.number,
        others: sample(next.row),
      }),
      phrase('delete one of them, so that every column has one heading'),
    )
  const skipped = candidates.slice(0, index).map(candidate => candidate.row)
  const [first] = skipped
  if (first)
    notice(
      phrase('{file}: the headings are in row {row}; skipped the rows above: {rows}', {
        file: name,
        row: row.number,
        rows: skipped.map(sample).join('; '),
      }),
    )
  return row
}

function countCells({ cells }: CellRow): { filled: number; known: number } {
  const filled = cells.filter(cell => cell.trim() !== '')
  return { filled: filled.length, known: new Set(filled.filter(isKnownHeading)).size }
}

/** The first cells of a row. */
function sample({ cells }: CellRow): string {
  const filled = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  const text = filled.slice(0, 4).join(', ')
  return text.length > 60 ? `${text.slice(0, 60)}…` : `${text}${filled.length > 4 ? ', …' : ''}`
}
