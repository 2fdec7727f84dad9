/**
 * Everything that people see: tables, cards, progress, prompts, and the formats for programs. Input: records or a document, the format of
 * `-o`, and the properties of the terminal. Output: text on stdout, in chunks, so that a long list is never in memory as a whole.
 * `streams.ts` makes text harmless for terminals. `commands/shared/output-forms.ts` says which formats a command has.
 */

import { sanitizeLine } from '../../base/text/escaping.ts'
import { cellsAt, decodeNames, type Form, isOne, type Row, type RowSource } from '../../files/print/printed-rows.ts'
import type { NewsletterForm, Output } from '../world.ts'
import type { ShownRecords } from './table.ts'

/** Formats that are written elsewhere, by the code that makes them. */
export type OwnForm = 'ics' | 'xlsx' | NewsletterForm

const ownForms: ReadonlySet<string> = new Set<OwnForm>(['ics', 'xlsx', 'markdown', 'html'])

/** Whether `print` writes a form. */
export const isPrinted = (output: Output | undefined): output is Exclude<Output, OwnForm> | undefined =>
  !ownForms.has(output ?? '')

export interface PrintOptions extends ShownRecords {
  /** Absent: a table on a terminal, plain columns in a pipe. */
  readonly output?: Exclude<Output, OwnForm>
  /** The total that the service returned, for `count`; a function if it is known only after records have been read. */
  readonly total?: number | (() => number)
  /** Whether names are also decoded in JSON and YAML. */
  readonly plain?: boolean
}

/** Prints records in the form of `-o`. */
export async function printRecords(options: PrintOptions): Promise<void> {
  const { records, stdout, output = stdout.isTTY ? 'table' : 'plain' } = options
  const single = isOne(records)
  const all: RowSource = single ? [records] : records
  if (output === 'count') return stdout.write(`${await countOf(all, options.total)}\n`)
  if (output === 'table') return (await import('./table.ts')).printTable(options)
  const form = withDecodedNames(await formFor(output, single, options), options)
  const textForm = output === 'json' || output === 'ndjson' ? 'json' : 'text'
  await writeForm(all, form, text => stdout.write(text, textForm))
}

/** The total is known once the first record has been read. */
async function countOf(records: RowSource, total: PrintOptions['total']): Promise<number> {
  let count = 0
  for await (const _ of records) {
    count += 1
    if (total !== undefined) break
  }
  return (typeof total === 'function' ? total() : total) ?? count
}

async function formFor(
  output: Exclude<NonNullable<PrintOptions['output']>, 'count' | 'table'> | 'plain',
  single: boolean,
  { shape, fields }: PrintOptions,
): Promise<Form> {
  if (output === 'plain') return plain(fields ?? shape.columns)
  const { dataForm } = await import('../../files/print/data-forms.ts')
  return dataForm(output, single, { shape, fields })
}

/** Decodes names, except in JSON, NDJSON and YAML without --plain, which print data as the service returned it. */
function withDecodedNames(form: Form, { output, plain }: PrintOptions): Form {
  const isData = output === 'json' || output === 'ndjson' || output === 'yaml'
  if (output === 'ids' || (isData && !plain)) return form
  return { ...form, record: (record, index) => form.record(decodeNames(record) as Row, index) }
}

/** Tab-separated, complete values without headings, one record per line, for `cut`, `sort` and `awk`. */
const plain = (paths: readonly string[]): Form => ({
  record: record => `${cellsAt(record, paths).map(sanitizeLine).join('\t')}\n`,
})

const chunkLength = 65_536
/** In ms: a slow stream is written at least this often. */
const longestWait = 100

/** Writes records in chunks as they arrive. Records that were read before a failure are written, too. */
async function writeForm(records: RowSource, form: Form, write: (text: string) => Promise<void>): Promise<void> {
  let chunk = form.open ?? ''
  let count = 0
  let written = Date.now()
  try {
    for await (const record of records) {
      chunk += form.record(record, count)
      count += 1
      if (chunk.length < chunkLength && Date.now() - written < longestWait) continue
      const full = chunk
      chunk = ''
      await write(full)
      written = Date.now()
    }
    chunk += form.close?.(count) ?? ''
  } finally {
    if (chunk !== '') await write(chunk)
  }
}
