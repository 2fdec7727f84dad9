/**
 * Everything that people see: tables, cards, progress, prompts, and the formats for programs. Input: records or a document, the format of
 * `-o`, and the properties of the terminal. Output: text on stdout, in chunks, so that a long list is never in memory as a whole.
 * `streams.ts` makes text harmless for terminals. `commands/shared/output-forms.ts` says which formats a command has.
 */

import {
  csv,
  decodeNames,
  type Form,
  idForm,
  isOne,
  jsonArray,
  jsonObject,
  ndjson,
  type Projection,
  pathTree,
  plain,
  type Row,
  type RowSource,
  type Shape,
  selectFields,
  tsv,
  type Viewer,
  writeForm,
} from '../../files/print/readable.ts'
import type { NewsletterForm, Output, Sink } from '../world.ts'
import { useColor } from './colors.ts'

/** Formats that are written elsewhere, by the code that makes them. */
export type OwnForm = 'ics' | 'xlsx' | NewsletterForm

const ownForms: ReadonlySet<string> = new Set<OwnForm>(['ics', 'xlsx', 'markdown', 'html'])

/** Whether `print` writes a form. */
export const isPrinted = (output: Output | undefined): output is Exclude<Output, OwnForm> | undefined =>
  !ownForms.has(output ?? '')

export interface PrintOptions {
  readonly shape: Shape
  /** One record, or several, which may be a stream. */
  readonly records: Row | RowSource
  /** Absent: a table on a terminal, plain columns in a pipe. */
  readonly output?: Exclude<Output, OwnForm>
  /** Paths such as `venue.city`. */
  readonly fields?: readonly string[]
  /** The total that the service returned, for `count`; a function if it is known only after records have been read. */
  readonly total?: number | (() => number)
  readonly color?: boolean
  /** Whether names are also decoded in JSON and YAML. */
  readonly plain?: boolean
  /** Who reads a table. */
  readonly viewer?: () => Viewer
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Sink
}

/** Prints records in the form of `-o`. */
export async function printRecords(options: PrintOptions): Promise<void> {
  const { records, stdout, output = stdout.isTTY ? 'table' : 'plain' } = options
  const single = isOne(records)
  const all: RowSource = single ? [records] : records
  if (output === 'count') return stdout.write(`${await countOf(all, options.total)}\n`)
  if (output === 'table') return printTable(options)
  const form = withDecodedNames(await formFor(output, single, options), options)
  const textForm = isJson(output) ? 'json' : 'text'
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

async function printTable({ shape, records, fields, color, env, stdout, viewer }: PrintOptions): Promise<void> {
  // Some terminals, such as those of CI, report a width of 0.
  const columns = (stdout.isTTY && stdout.columns) || undefined
  const surface = { color: useColor(color, env, stdout.isTTY), columns, ...viewer?.() }
  const { nonEmptyPaths, recordText, tableText } = await import('./table.ts')
  if (isOne(records)) {
    const record = decodeNames(records) as Row
    return stdout.write(recordText(record, fields ?? nonEmptyPaths(record, shape), shape, surface), 'painted')
  }
  const { columns: paths, title, whole } = shape
  const table = { shape, paths: fields ?? paths, title, whole, hidesPublished: fields === undefined }
  for await (const text of tableText(mapRecords(records, decodeNames), table, surface))
    await stdout.write(text, 'painted')
}

async function* mapRecords(records: RowSource, change: (record: unknown) => unknown): AsyncGenerator<Row> {
  for await (const record of records) yield change(record) as Row
}

/** Decodes names, except in JSON, NDJSON and YAML without --plain, which print data as the service returned it. */
function withDecodedNames(form: Form, { output, plain }: PrintOptions): Form {
  const isData = output === 'json' || output === 'ndjson' || output === 'yaml'
  if (output === 'ids' || (isData && !plain)) return form
  return { ...form, record: (record, index) => form.record(decodeNames(record) as Row, index) }
}

async function formFor(
  output: Exclude<NonNullable<PrintOptions['output']>, 'count' | 'table'> | 'plain',
  single: boolean,
  { shape, fields }: PrintOptions,
): Promise<Form> {
  const columns = fields ?? shape.columns
  const tree = fields && pathTree(fields)
  const project: Projection = record => (tree ? selectFields(record, tree) : record)
  switch (output) {
    case 'json':
      return single ? jsonObject(project) : jsonArray(project)
    case 'ndjson':
      return ndjson(project)
    case 'ids':
      return idForm(shape.key)
    case 'csv':
      return csv(columns)
    case 'tsv':
      return tsv(columns)
    case 'yaml':
      return (await import('./yaml.ts')).yaml(single, project)
    case 'plain':
      return plain(columns)
  }
}

interface ValueOptions {
  readonly output: 'json' | 'ndjson' | 'yaml'
  readonly fields?: readonly string[] | undefined
  readonly stdout: Sink
}

/** Prints a value that is not a record: as indented JSON, NDJSON or YAML. */
export async function printValue(value: unknown, options: ValueOptions): Promise<void> {
  const { output, fields, stdout } = options
  if (fields) (await import('./unknown-fields.ts')).checkValueFields(value, fields)
  const text = await valueText(fields ? selectFields(value, pathTree(fields)) : value, output)
  await stdout.write(text, isJson(output) ? 'json' : 'text')
}

const isJson = (output: string): boolean => output === 'json' || output === 'ndjson'

async function valueText(value: unknown, output: ValueOptions['output']): Promise<string> {
  if (output === 'yaml') return (await import('./yaml.ts')).yamlText(value)
  if (output === 'json') return `${JSON.stringify(value, null, 2)}\n`
  return [value]
    .flat()
    .map(item => `${JSON.stringify(item)}\n`)
    .join('')
}
