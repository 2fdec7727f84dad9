import type { ResourceName } from '../contract/field.ts'
import type { DateOrder } from './csv/date-order.ts'
import { type Format, formatOf, formatOfText } from './file-format.ts'
import { look } from './look.ts'
import type { FileRecord, Notice } from './records/file-record.ts'
import { decoded, joined } from './text-streams.ts'

/** How a file is to be read. */
export interface ReadOptions {
  /** The file's path or URL: its ending tells the format, and messages name it. */
  readonly name?: string
  readonly format?: Format
  /** What the records are, where the file does not say. */
  readonly resource?: ResourceName
  /** How dates such as `05/12/2026` are to be read. */
  readonly dateOrder?: DateOrder
  /** Leaves out wrong values of fields that need none, with a notice. */
  readonly skipInvalidCells?: boolean
  /** iCalendar: how far recurrences are followed, `YYYY-MM-DD` or with a time; a year from now if unset. */
  readonly until?: string
  /** iCalendar: the zone of the calendar that the records are for. */
  readonly timezone?: string
  readonly now: Date
  readonly notice: Notice
}

/** Whether the pieces hold a whole line that is not blank; the earlier ones were looked at before. */
const hasLine = (pieces: readonly string[]): boolean =>
  pieces.at(-1)?.includes('\n') === true && pieces.join('').trimStart().includes('\n')

/**
 * Reads the records of a file, whatever kind it is of, one after another. A record with wrong values says so and stops no
 * other; a file that cannot be read at all throws `usage`.
 */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<FileRecord> {
  const { name = 'the input', resource, notice } = options
  const { seen, all } = await look(decoded(bytes, name, notice), hasLine)
  const start = seen.join('')
  if (start.trim() === '') return
  const format = options.format ?? formatOf(name) ?? formatOfText(start, name)
  const { builder } = await import('./records/record-builder.ts')
  const build = builder(name, notice, options)
  if (format === 'csv' || format === 'tsv') {
    const { readSheet } = await import('./csv/read-csv.ts')
    const separator = format === 'tsv' ? '\t' : ','
    yield* readSheet(all, { ...options, name, separator, build })
  } else if (format === 'ics') {
    const { readCalendar } = await import('./icalendar/read-icalendar.ts')
    yield* readCalendar(await joined(all), { ...options, name, build })
  } else {
    const { readJson, readNdjson, readYaml } = await import('./object-files.ts')
    const read = { json: readJson, ndjson: readNdjson, yaml: readYaml }[format]
    yield* read(all, { name, build, ...(resource && { resource }) })
  }
}
