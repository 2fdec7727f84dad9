/**
 * Files: CSV, TSV, JSON, NDJSON, YAML and iCalendar.
 *
 * `readRecords` takes the bytes of a file and yields its records, with their mistakes; `writeRecords` takes records and yields
 * text that `readRecords` reads back. Nothing here knows the site: what is to be done with a record is decided in plan/. csv/,
 * object-files.ts and icalendar/ each read one family of formats, records/ is what they share.
 */

import type { ResourceName } from '../contract/field.ts'
import type { DateOrder } from './csv/date-order.ts'
import { type Format, formatOf, formatOfText } from './file-format.ts'
import type { FileRecord, Notice } from './records/file-record.ts'
import { decodeText, joinText, peek } from './text-streams.ts'

export interface ReadOptions {
  /** The path or URL of the file, for messages; its ending tells the format. */
  readonly name?: string
  readonly format?: Format
  /** The resource of records that do not name one. */
  readonly resource?: ResourceName
  /** The order of day, month and year in dates such as `05/12/2026`. */
  readonly dateOrder?: DateOrder
  /** Skips invalid values of optional fields, with a notice. */
  readonly skipInvalidCells?: boolean
  /** iCalendar: how far series are expanded, `YYYY-MM-DD` or with a time; a year from now if unset. */
  readonly until?: string
  /** iCalendar: the zone of the calendar that the records are for. */
  readonly timezone?: string
  readonly now: Date
  readonly notice: Notice
}

/** Whether the pieces have a complete line that is not blank. */
const hasLine = (pieces: readonly string[]): boolean =>
  pieces.at(-1)?.includes('\n') === true && pieces.join('').trimStart().includes('\n')

/**
 * Reads the records of a file one by one. A record with invalid values carries its mistakes and stops no other record; a file
 * that cannot be read at all throws `usage`.
 */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<FileRecord> {
  const { name = 'the input', resource, notice } = options
  const { peeked, all } = await peek(decodeText(bytes, name, notice), hasLine)
  const start = peeked.join('')
  if (start.trim() === '') return
  const format = options.format ?? formatOf(name) ?? formatOfText(start, name)
  const { createBuild } = await import('./records/record-builder.ts')
  const build = createBuild(name, notice, options)
  if (format === 'csv' || format === 'tsv') {
    const { readCsv } = await import('./csv/read-csv.ts')
    const separator = format === 'tsv' ? '\t' : ','
    yield* readCsv(all, { ...options, name, separator, build })
  } else if (format === 'ics') {
    const { readICalendar } = await import('./icalendar/read-icalendar.ts')
    yield* readICalendar(await joinText(all), { ...options, name, build })
  } else {
    const { readJson, readNdjson, readYaml } = await import('./object-files.ts')
    const read = { json: readJson, ndjson: readNdjson, yaml: readYaml }[format]
    yield* read(all, { name, build, ...(resource && { resource }) })
  }
}
