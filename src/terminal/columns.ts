import { sanitizeLine } from '../text/sanitize.ts'
import { cellText } from './cells.ts'
import type { Form } from './form.ts'
import { valueAt } from './paths.ts'

/** Tab-separated, whole, without a heading: a record is a line, for `cut`, `sort` and `awk`. */
export const plain = (paths: readonly string[]): Form => ({
  record: record => `${paths.map(path => sanitizeLine(cellText(valueAt(record, path)))).join('\t')}\n`,
})

/** The same below a heading. */
export const tsv = (paths: readonly string[]): Form => ({ open: `${paths.join('\t')}\n`, ...plain(paths) })

/** What names each record, one per line: its id, or the name of what has none. */
export const ids: Form = { record: record => `${record.id ?? record.name}\n` }

/** A heading and records, quoted as RFC 4180 says; lines end as they do in every other form. */
export async function csv(paths: readonly string[]): Promise<Form> {
  const { stringify } = await import('csv-stringify/sync')
  const line = (cells: readonly string[]) => stringify([cells])
  return {
    open: line(paths),
    record: record => line(paths.map(path => cellText(valueAt(record, path)))),
  }
}
