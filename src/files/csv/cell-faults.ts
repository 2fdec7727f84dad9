/** Cells that cannot be read because a program or an encoding has changed them: they are reported, never guessed. */

import { lettersMistake } from '../../base/text/mojibake.ts'
import { months } from '../../base/time/calendar-words.ts'
import { phrase } from '../../base/words/phrase.ts'
import { missingResult, type RawCell } from './cell-values.ts'
import { numberKind, numberText } from './number-formats.ts'

/** What a column holds. */
export interface ColumnMeaning {
  readonly holds: 'date' | 'cost' | undefined
  readonly isTitle: boolean
  /** Whether its cells are texts that people typed, not an export of calctl. */
  readonly isTyped: boolean
}

/** Why a cell has no value; undefined if it has one. */
export function cellFault(cell: string, raw: RawCell | undefined, column: ColumnMeaning): string | undefined {
  if (cell === missingResult)
    return phrase('the formula was never calculated (open the file in a spreadsheet program and save it)')
  if (errorValue.test(cell)) return phrase('the cell has the error {error}', { error: cell })
  if (!column.isTyped) return undefined
  return fromDate(cell, raw, column) ?? withoutFormat(raw, column) ?? wrongLetters(cell)
}

/** What spreadsheet programs show if a formula fails, in the languages of calctl's users. */
const errorValue =
  /^(#(N\/[AD]|(REF|VALUE|VALOR|¡REF|¡VALOR|DIV\/0|¡DIV\/0|NUM|¡NUM|NULL|NULO|¡NULO|SPILL|CALC|FIELD)!|(NAME|NOMBRE|¿NOMBRE|NOM)\?|GETTING_DATA)|Err:\d{3})$/

const shortMonths = months.flatMap(names => names.filter(name => name.length <= 4)).join('|')

/** A date as spreadsheet programs write it after they have turned `5-10` or `5/10` into one. */
const madeDate = new RegExp(`^(?:\\d{1,2}[-/ ](?:${shortMonths})\\.?|(?:${shortMonths})\\.?[-/ ]\\d{2})$`, 'i')

/** The fault of a cell that a spreadsheet program may have turned into a date: a price such as `5-10`, or a title such as `1-2`. */
function fromDate(cell: string, raw: RawCell | undefined, { holds, isTitle }: ColumnMeaning): string | undefined {
  if (holds !== 'cost' && !isTitle) return undefined
  const kind = typeof raw === 'object' ? numberKind(raw.format) : undefined
  if (kind !== 'date' && kind !== 'dateTime' && !madeDate.test(cell.trim())) return undefined
  return phrase(
    'a spreadsheet program converted it to a date, "{cell}" (format the column as text, and enter the original value)',
    { cell },
  )
}

/** The numbers of days from 1982 to 2119, which a program shows if the cells of dates have no date format. */
const [firstSerial, lastSerial] = [30_000, 80_000]

function withoutFormat(raw: RawCell | undefined, { holds }: ColumnMeaning): string | undefined {
  if (holds !== 'date' || typeof raw !== 'object' || numberKind(raw.format) !== 'number') return undefined
  if (raw.value < firstSerial || raw.value > lastSerial) return undefined
  const format = Number.isInteger(raw.value) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm'
  const date = numberText(raw.value, numberKind(format), format)
  return phrase('the cell is the number {number} with the format {format} (format it as a date, if it is {date})', {
    number: raw.value,
    format: raw.format,
    date,
  })
}

/** Why the letters of a cell are wrong; undefined if they are not. */
function wrongLetters(cell: string): string | undefined {
  const mistake = lettersMistake(cell)
  return mistake && `${mistake.message} (${phrase('import the original file again, as UTF-8')})`
}
