import { usage } from '../base/failure.ts'
import { listOf } from '../base/text/sentence-parts.ts'
import { phrase } from '../base/words/phrase.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { writtenHeading } from '../contract/posts.ts'
import { recordsNoun } from '../contract/resource-words.ts'
import type { Format } from './file-format.ts'
import { isWrittenField, type WritableRecord } from './records/file-record.ts'
import { peek } from './text-streams.ts'

export interface WriteOptions {
  readonly format: Exclude<Format, 'ics' | 'xlsx' | 'ods'>
  /** The resources of the records; if there are several, each record names its own. */
  readonly resources: readonly ResourceName[]
  /** Writes only these fields, and what identifies the record. */
  readonly fields?: readonly string[]
  /** CSV as European spreadsheet programs read it: with semicolons, a byte order mark, CRLF and decimal commas. */
  readonly excel?: boolean
  /** Whether records may have passwords. */
  readonly secrets?: boolean
}

/** Writes records one by one, as text that `readRecords` reads back; throws `usage` for a sheet with several resources. */
export async function* writeRecords(
  records: AsyncIterable<WritableRecord>,
  options: WriteOptions,
): AsyncGenerator<string> {
  const { format, resources, fields } = options
  if (format === 'csv' || format === 'tsv') return yield* writeSheet(records, format, options)
  const objects = mapRecords(records, record => toObject(record, resources.length > 1, fields))
  if (format === 'json') yield* writeJson(objects)
  else if (format === 'ndjson') for await (const object of objects) yield `${JSON.stringify(object)}\n`
  else yield* writeYaml(objects)
}

/** A record as an object: what identifies it, then its fields in the order of the contract; null empties a field. */
function toObject(record: WritableRecord, hasResource: boolean, written: readonly string[] | undefined) {
  const { resource, id, lang_code, action, origin, values, cleared = [] } = record
  const head = { ...(hasResource && { resource }), id, lang_code, action, origin }
  const fields = Object.entries(resourceNamed(resource).fields)
    .filter(
      ([name, field]) => isWrittenField(name, field, written) && (cleared.includes(name) || values[name] !== undefined),
    )
    .map(([name]) => [name, cleared.includes(name) ? null : values[name]])
  return Object.fromEntries([...Object.entries(head).filter(([, value]) => value !== undefined), ...fields])
}

async function* writeSheet(
  records: AsyncIterable<WritableRecord>,
  format: 'csv' | 'tsv',
  { resources, fields, excel, secrets }: WriteOptions,
): AsyncGenerator<string> {
  const [name, ...others] = resources
  if (!name || others.length > 0)
    throw usage(
      phrase('a {format} file holds one resource, not {resources}', {
        format: format.toUpperCase(),
        resources: listOf(resources.map(recordsNoun)),
      }),
      phrase('export them as XLSX, NDJSON, JSON or YAML, or each to its own file'),
    )
  const { rowCells, sheetColumns, sheetStyle, writeRows } = await import('./csv/write-csv.ts')
  const { peeked, all } = await peek(records, peeked => peeked.length > 0)
  const resource = resourceNamed(name)
  const columns = sheetColumns(resource, { hasOrigin: peeked[0]?.origin !== undefined, fields, secrets })
  const style = sheetStyle(format, excel)
  const rows = mapRecords(all, record => rowCells(record, columns, resource, style))
  yield* writeRows(columns.map(writtenHeading), rows, style)
}

async function* writeJson(objects: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '['
  for await (const object of objects) {
    yield `${separator}\n  ${JSON.stringify(object)}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

async function* writeYaml(objects: AsyncIterable<object>): AsyncGenerator<string> {
  const { stringify } = await import('yaml')
  let isEmpty = true
  for await (const object of objects) {
    isEmpty = false
    yield stringify([object])
  }
  if (isEmpty) yield '[]\n'
}

async function* mapRecords<From, To>(items: AsyncIterable<From>, convert: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield convert(item)
}
