import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { Failure } from '../failure.ts'
import type { Format } from './file-format.ts'
import { look } from './look.ts'
import type { WritableRecord } from './records/file-record.ts'

/** How records are to be written. */
export interface WriteOptions {
  readonly format: Exclude<Format, 'ics'>
  /** What the records are; of several, each says which it is. */
  readonly resources: readonly ResourceName[]
  /** Only these fields; what says which record it is stays. */
  readonly fields?: readonly string[]
  /** CSV as European spreadsheet programs read it: semicolons, byte order mark, CRLF, decimal comma. */
  readonly excel?: boolean
}

/** Writes records as text that `readRecords` reads back, one after another; throws `usage` for a sheet of several resources. */
export async function* writeRecords(
  records: AsyncIterable<WritableRecord>,
  { format, resources, fields, excel }: WriteOptions,
): AsyncGenerator<string> {
  const isWanted = (name: string) => fields === undefined || fields.includes(name)
  if (format === 'csv' || format === 'tsv') return yield* writeSheet(records, format, resources, isWanted, excel)
  const sayResource = resources.length > 1
  const objects = mapped(records, record => asObject(record, sayResource, isWanted))
  if (format === 'json') yield* jsonText(objects)
  else if (format === 'ndjson') for await (const object of objects) yield `${JSON.stringify(object)}\n`
  else yield* yamlText(objects)
}

/** A record as a plain object: what it is first, then its fields in the order of the contract; null empties a field. */
function asObject(
  record: WritableRecord,
  sayResource: boolean,
  isWanted: (name: string) => boolean,
): Record<string, unknown> {
  const { resource, id, lang_code, action, origin, slug, values, cleared = [] } = record
  const head = { ...(sayResource && { resource }), id, lang_code, action, origin, slug }
  const fields = Object.keys(resourceNamed(resource).fields)
    .filter(name => isWanted(name) && (cleared.includes(name) || values[name] !== undefined))
    .map(name => [name, cleared.includes(name) ? null : values[name]])
  return Object.fromEntries([...Object.entries(head).filter(([, value]) => value !== undefined), ...fields])
}

async function* writeSheet(
  records: AsyncIterable<WritableRecord>,
  format: 'csv' | 'tsv',
  resources: readonly ResourceName[],
  isWanted: (name: string) => boolean,
  excel: boolean | undefined,
): AsyncGenerator<string> {
  const [name, ...others] = resources
  if (!name || others.length > 0)
    throw new Failure('usage', `a ${format} file holds one resource, not ${resources.join(' and ')}`, {
      hint: 'write them as NDJSON, JSON or YAML, or one file each',
    })
  const { cellsOf, columnsOf, formOf, rowsText } = await import('./csv/write-csv.ts')
  const { seen, all } = await look(records, seen => seen.length > 0)
  const resource = resourceNamed(name)
  const columns = columnsOf(resource, seen[0]?.origin !== undefined).filter(
    column => !(column in resource.fields) || isWanted(column),
  )
  const form = formOf(format, excel)
  yield* rowsText(
    columns,
    mapped(all, record => cellsOf(record, columns, resource, form)),
    form,
  )
}

async function* jsonText(objects: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '['
  for await (const object of objects) {
    yield `${before}\n  ${JSON.stringify(object)}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

async function* yamlText(objects: AsyncIterable<object>): AsyncGenerator<string> {
  const { stringify } = await import('yaml')
  let isEmpty = true
  for await (const object of objects) {
    isEmpty = false
    yield stringify([object])
  }
  if (isEmpty) yield '[]\n'
}

async function* mapped<From, To>(items: AsyncIterable<From>, turn: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield turn(item)
}
