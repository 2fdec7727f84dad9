import { missingResult } from './sheet-rows.ts'

/** What spreadsheet programs show where a formula failed, in the languages of those who use calctl. */
const errorValue =
  /^(#(N\/[AD]|(REF|VALUE|VALOR|¡REF|¡VALOR|DIV\/0|¡DIV\/0|NUM|¡NUM|NULL|NULO|¡NULO|SPILL|CALC|FIELD)!|(NAME|NOMBRE|¿NOMBRE|NOM)\?|GETTING_DATA)|Err:\d{3})$/

/** Why a cell has no value; undefined if it has one. */
export function cellFault(cell = ''): string | undefined {
  if (cell === missingResult)
    return 'the formula was never calculated (open the file in a spreadsheet program and save it)'
  return errorValue.test(cell) ? `the cell has the error ${cell}` : undefined
}
