import { escapeFormula, sanitizeLine } from '../text/escaping.ts'
import type { Form, Row } from './form.ts'
import { cellText, valueAt } from './paths.ts'

/** Selects the fields of a record to print: all, or those of --fields. */
export type Projection = (record: unknown) => unknown

const indented = (value: unknown) => JSON.stringify(value, null, 2)

/** One indented object. */
export const jsonObject = (project: Projection): Form => ({ record: record => `${indented(project(record))}\n` })

/** An indented array, on a terminal and in a pipe alike. */
export const jsonArray = (project: Projection): Form => ({
  open: '[',
  record: (record, index) => `${index === 0 ? '' : ','}\n  ${indented(project(record)).replaceAll('\n', '\n  ')}`,
  close: count => (count === 0 ? ']\n' : '\n]\n'),
})

export const ndjson = (project: Projection): Form => ({ record: record => `${JSON.stringify(project(record))}\n` })

/** Tab-separated, complete values without headings, one record per line, for `cut`, `sort` and `awk`. */
export const plain = (paths: readonly string[]): Form => ({
  record: record => `${cellsAt(record, paths).map(sanitizeLine).join('\t')}\n`,
})

/** For spreadsheets, as CSV is. */
export const tsv = (paths: readonly string[]): Form => ({
  open: `${paths.join('\t')}\n`,
  record: record => `${cellsAt(record, paths).map(sanitizeLine).map(escapeFormula).join('\t')}\n`,
})

/** The key of each record, one per line; records without a key are left out. */
export const ids = (key = 'id'): Form => ({
  record: ({ [key]: value }) => (value === undefined || value === null ? '' : `${value}\n`),
})

/** Quoted as in RFC 4180, but with the line ends of the other forms. */
export async function csv(paths: readonly string[]): Promise<Form> {
  const { stringify } = await import('csv-stringify/sync')
  const line = (cells: readonly string[]) => stringify([cells])
  return { open: line(paths), record: record => line(cellsAt(record, paths).map(escapeFormula)) }
}

const cellsAt = (record: Row, paths: readonly string[]): string[] => paths.map(path => cellText(valueAt(record, path)))
