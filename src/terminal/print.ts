import type { Output } from '../globals.ts'
import { escapeControls, sanitize } from '../text/sanitize.ts'
import type { Sink } from '../world.ts'
import { useColor } from './colors.ts'
import { type Form, type Records, type Row, type Shape, writeForm } from './form.ts'
import { jsonArray, jsonObject, ndjson, type Projection } from './json.ts'
import { narrow, wanted } from './paths.ts'

/** What is printed, how, and where to. */
export interface Printing {
  readonly resource: Shape
  /** One record, or several; several may come one after another. */
  readonly records: Row | readonly Row[] | AsyncIterable<Row>
  /** Unset: a table on a terminal, plain columns in a pipe. */
  readonly output?: Exclude<Output, 'ics'>
  /** Paths such as `venue.city`. */
  readonly fields?: readonly string[]
  /** The service's own total, for `count`; a function where it is known only once records are read. */
  readonly total?: number | (() => number)
  readonly color?: boolean
  /** Decodes names in data too. */
  readonly plain?: boolean
  /** The viewer's time zone; dates in another are shown with theirs. */
  readonly timeZone?: () => string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Sink
}

/** Prints records in the form asked for. */
export async function printRecords(printing: Printing): Promise<void> {
  const { records, stdout, output = stdout.isTTY ? 'table' : 'plain' } = printing
  const single = isOne(records)
  const all: Records = single ? [records] : records
  if (output === 'count') return stdout.write(`${await countOf(all, printing.total)}\n`)
  if (output === 'table') return printTable(printing)
  const form = await readableForm(await formNamed(output, single, printing), printing)
  const cleaned = output === 'json' || output === 'ndjson' ? escapeControls : sanitize
  await writeForm(all, form, stdout.isTTY ? { write: text => stdout.write(cleaned(String(text))) } : stdout)
}

/** Whether it is one record, and not a list of one. */
export const isOne = (records: Printing['records']): records is Row =>
  !(Symbol.iterator in records || Symbol.asyncIterator in records)

/** The first record is enough for a service to have said its total. */
async function countOf(records: Records, total: Printing['total']): Promise<number> {
  let count = 0
  for await (const _ of records) {
    count += 1
    if (total !== undefined) break
  }
  return (typeof total === 'function' ? total() : total) ?? count
}

async function printTable({ resource, records, fields, color, env, stdout, timeZone }: Printing): Promise<void> {
  // Some terminals, such as those of CI, say that they are 0 wide.
  const columns = (stdout.isTTY && stdout.columns) || undefined
  const surface = { color: useColor(color, env, stdout.isTTY), columns, zone: timeZone?.() }
  const { plainly } = await import('./plainly.ts')
  if (isOne(records)) {
    const { filledPaths, recordText } = await import('./record.ts')
    const record = plainly(records) as Row
    return stdout.write(recordText(record, fields ?? filledPaths(record, resource), surface))
  }
  const { tableText } = await import('./table.ts')
  for await (const text of tableText(each(records, plainly), fields ?? resource.columns, surface))
    await stdout.write(text)
}

async function* each(records: Records, change: (record: unknown) => unknown): AsyncGenerator<Row> {
  for await (const record of records) yield change(record) as Row
}

/** For people, sheets and columns names are decoded; data stays as the service gave it unless asked otherwise. */
async function readableForm(form: Form, { output, plain }: Printing): Promise<Form> {
  const isData = output === 'json' || output === 'ndjson' || output === 'yaml'
  if (output === 'ids' || (isData && !plain)) return form
  const { plainly } = await import('./plainly.ts')
  return { ...form, record: (record, index) => form.record(plainly(record) as Row, index) }
}

async function formNamed(
  output: Exclude<Output, 'count' | 'table' | 'ics'> | 'plain',
  single: boolean,
  { resource, fields }: Printing,
): Promise<Form> {
  const columns = fields ?? resource.columns
  const tree = fields && wanted(fields)
  const project: Projection = record => (tree ? narrow(record, tree) : record)
  switch (output) {
    case 'json':
      return single ? jsonObject(project) : jsonArray(project)
    case 'ndjson':
      return ndjson(project)
    case 'ids':
      return (await import('./columns.ts')).ids
    case 'csv':
      return (await import('./columns.ts')).csv(columns)
    case 'tsv':
      return (await import('./columns.ts')).tsv(columns)
    case 'yaml':
      return (await import('./yaml.ts')).yaml(single, project)
    case 'plain':
      return (await import('./columns.ts')).plain(columns)
  }
}
