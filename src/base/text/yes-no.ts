import { foldCase } from './folding.ts'

/** Words for yes and no, in one text each. */
export const yesAndNo = (yes: string, no: string): ReadonlyMap<string, boolean> =>
  new Map([...yes.split(' ').map(word => [word, true] as const), ...no.split(' ').map(word => [word, false] as const)])

/** Words in English, Spanish and Catalan, of people and of programs, without accents. */
const words = yesAndNo('true yes y s si 1 on verdadero cert vertader veritat', 'false no n 0 off falso fals')

/** The marks with which people tick a cell. Typed at a question, `x` may mean something else. */
const marks = yesAndNo('x ✓ ✔ ☑', '✗ ✘ ☐')

/** Whether a text says yes or no; undefined if it says neither. */
export const readYesNo = (text: string): boolean | undefined => words.get(foldCase(text.trim()).replace(/[.!]$/, ''))

/** The same for a cell, which may also be ticked. */
export const readTick = (text: string): boolean | undefined => marks.get(text.trim().toLowerCase()) ?? readYesNo(text)
