import type { Field } from '../../contract/field.ts'
import type { Reference } from '../records/file-record.ts'
import { readReference, readReferences, referencesText, referenceText } from '../records/references.ts'
import { type CostForm, withComma, withPoint } from './costs.ts'

/** Empties a field, where an empty cell leaves it as it is. */
export const clearing = '@clear'

const runnable = /^'*(?:[=+\-@\t\r\n＝＋－＠]|\s+@clear\s*$)/

/** Spreadsheet programs run cells that begin so as formulas; an apostrophe before them keeps them harmless. */
export const guarded = (text: string): string => (runnable.test(text) ? `'${text}` : text)

/** Takes the apostrophe of `guarded` away. */
const unguarded = (text: string): string => (text.startsWith("'") && runnable.test(text) ? text.slice(1) : text)

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1', 'sí', 'si', 'verdadero', 'cert', 'vertader', 'veritat'].map(
    word => [word, true] as const,
  ),
  ...['false', 'no', 'n', '0', 'falso', 'fals'].map(word => [word, false] as const),
])

/** Reads a cell for a field; undefined leaves the field as it is, null empties it. */
export function readCell(field: Field | undefined, cell: string, costs: CostForm): unknown {
  if (cell === '') return undefined
  if (cell.trim() === clearing) return null
  const text = unguarded(field?.kind === 'cost' ? withPoint(cell, costs) : cell)
  if (!field || field.kind === 'text') return text
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (field.kind === 'boolean') return truths.get(trimmed.toLowerCase()) ?? trimmed
  if (field.kind === 'terms' || field.kind === 'posts')
    return field.multiple === false ? [readReference(trimmed)] : readReferences(trimmed)
  return trimmed
}

/** The cell that `readCell` turns into this value. */
export function cellOf(field: Field, value: unknown, hasCommas: boolean): string {
  if (value === undefined || value === null) return ''
  if (field.kind === 'terms' || field.kind === 'posts') {
    const references = [value].flat() as Reference[]
    const [first] = references
    return guarded(field.multiple === false && first !== undefined ? referenceText(first) : referencesText(references))
  }
  const text = Array.isArray(value) ? value.join(' - ') : String(value)
  return hasCommas && field.kind === 'cost' ? withComma(guarded(text)) : guarded(text)
}
