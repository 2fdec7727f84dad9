import { foldCase } from './folding.ts'

/** Words for yes and no in English, Spanish and Catalan, of people and of programs, without accents. */
const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 's', 'si', '1', 'on', 'verdadero', 'cert', 'vertader', 'veritat'].map(
    w => [w, true] as const,
  ),
  ...['false', 'no', 'n', '0', 'off', 'falso', 'fals'].map(word => [word, false] as const),
])

/** The marks with which people tick a cell. Typed at a question, `x` may mean something else. */
const marks: ReadonlyMap<string, boolean> = new Map([
  ...['x', '✓', '✔', '☑'].map(mark => [mark, true] as const),
  ...['✗', '✘', '☐'].map(mark => [mark, false] as const),
])

/** Whether a text says yes or no; undefined if it says neither. */
export const readYesNo = (text: string): boolean | undefined => words.get(foldCase(text.trim()).replace(/[.!]$/, ''))

/** The same for a cell, which may also be ticked. */
export const readTick = (text: string): boolean | undefined => marks.get(text.trim().toLowerCase()) ?? readYesNo(text)
