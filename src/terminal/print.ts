import type { Output, Sink } from '../world.ts'
import { clean, cleanJson } from './clean.ts'
import { useColor } from './colors.ts'
import { delimited, ids, plain } from './columns.ts'
import { type Form, type Records, type Row, type Shape, writeForm } from './form.ts'
import { jsonArray, jsonObject, ndjson, type Projection } from './json.ts'
import { narrow, wanted } from './paths.ts'

/** What is printed, how, and where to. */
export interface Printing {
  readonly resource: Shape
  /** One record, or several; several may come one after another. */
  readonly records: Row | readonly Row[] | AsyncIterable<Row>
  /** Unset: a table on a terminal, plain columns in a pipe. */
  readonly output?: Output
  /** Paths such as `venue.city`. */
  readonly fields?: readonly string[]
  /** The service's own total, for `count`; a function where it is known only once records are read. */
  readonly total?: number | (() => number)
  readonly color?: boolean
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
  const form = await formNamed(output, single, printing)
  const cleaned = output === 'json' || output === 'ndjson' ? cleanJson : clean
  await writeForm(all, form, stdout.isTTY ? { write: text => stdout.write(cleaned(String(text))) } : stdout)
}

const isOne = (records: Printing['records']): records is Row =>
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

async function printTable({ resource, records, fields, color, env, stdout }: Printing): Promise<void> {
  // Some terminals, such as those of CI, say that they are 0 wide.
  const columns = (stdout.isTTY && stdout.columns) || undefined
  const surface = { color: useColor(color, env, stdout.isTTY), columns }
  if (isOne(records)) {
    const { filledPaths, recordText } = await import('./record.ts')
    return stdout.write(recordText(records, fields ?? filledPaths(records, resource), surface))
  }
  const { tableText } = await import('./table.ts')
  for await (const text of tableText(records, fields ?? resource.columns, surface)) await stdout.write(text)
}

async function formNamed(
  output: Exclude<Output, 'count' | 'table'> | 'plain',
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
      return ids
    case 'csv':
      return delimited(columns, ',')
    case 'tsv':
      return delimited(columns, '\t')
    case 'yaml':
      return (await import('./yaml.ts')).yaml(single, project)
    case 'plain':
      return plain(columns)
  }
}
