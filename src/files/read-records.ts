/**
 * Files: CSV, TSV, XLSX, ODS, JSON, NDJSON, YAML and iCalendar. `readRecords` reads the bytes of a file into records, with their
 * mistakes; `writeRecords` writes records as text that `readRecords` reads back. Nothing here knows the site: `changes/plan/` decides what
 * to do with a record. `csv/`, `workbook/`, `object-files.ts`, `icalendar/` and `texts/` each read one family of formats, and share
 * `records/`.
 */

import { phrase } from '../base/words/phrase.ts'
import type { ColumnMap } from './csv/column-map.ts'
import type { TableOptions } from './csv/read-table.ts'
import { type Format, formatOf } from './file-format.ts'
import { formatOfText } from './format-of-text.ts'
import type { FileReading } from './records/file-reading.ts'
import type { FileRecord } from './records/file-record.ts'
import { decodeText, joinBytes, joinText, peek, peekBytes } from './text-streams.ts'

export interface ReadOptions extends Omit<FileReading, 'name' | 'build'> {
  readonly name?: string
  readonly format?: Format
  /** What headings of sheets mean. */
  readonly columns?: ColumnMap
  /** Skips invalid values of optional fields, with a notice. */
  readonly skipInvalidCells?: boolean
}

/** Whether the pieces contain a complete line that is not blank. */
const hasLine = (pieces: readonly string[]): boolean =>
  pieces.at(-1)?.includes('\n') === true && pieces.join('').trimStart().includes('\n')

/**
 * Reads the records of a file one by one. A record with invalid values has its mistakes, and stops no other record; a file that cannot be
 * read at all throws `usage`.
 */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<FileRecord> {
  const { name = phrase('the input'), notice } = options
  const { start: firstBytes, all: input } = await peekBytes(bytes, 8)
  const { createBuild } = await import('./records/record-builder.ts')
  const build = createBuild(name, notice, options.skipInvalidCells)
  const textReader = async () => (await import('./texts/text-sheets.ts')).readTextSheet
  const reading = { ...options, name, build, textReader }
  if (workbookSignatures.includes(firstBytes.toString('hex', 0, 4))) {
    const { readWorkbook } = await import('./workbook/read-workbook.ts')
    const { readTable } = await import('./csv/read-table.ts')
    for await (const table of readWorkbook(await joinBytes(input), reading)) yield* readTable(table, reading)
    return
  }
  yield* readText(input, options.format ?? formatOf(name), reading)
}

/** The records of a text, whose format shows if it is not given. */
async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  given: Format | undefined,
  reading: FileReading & TableOptions,
): AsyncGenerator<FileRecord> {
  const { name, notice } = reading
  const { peeked, all } = await peek(decodeText(bytes, name, notice), hasLine)
  const start = peeked.join('')
  if (start.trim() === '') return
  if (/^\s*</.test(start) && isUndecided(given)) {
    const { readMarkup } = await import('./read-markup.ts')
    yield* await readMarkup(await joinText(all), reading)
    return
  }
  const format = isUndecided(given) ? formatOfText(start, name) : given
  if (format === 'csv' || format === 'tsv') {
    const { readCsv } = await import('./csv/read-csv.ts')
    const { readTable } = await import('./csv/read-table.ts')
    yield* readTable(await readCsv(all, { name, separator: format === 'tsv' ? '\t' : ',' }), reading)
  } else if (format === 'ics') {
    const { readICalendar } = await import('./icalendar/read-icalendar.ts')
    const { checkBeginning, parseCalendars } = await import('./icalendar/parse-components.ts')
    checkBeginning(start, name)
    // Not `yield*`, which waits twice for each record.
    for (const record of readICalendar(await parseCalendars(all, name), reading)) yield record
  } else {
    yield* readObjectText(all, { format, start }, reading)
  }
}

/** Archives, as which XLSX and ODS are saved, and the older containers; opening them tells more. */
const workbookSignatures = ['504b0304', '504b0506', 'd0cf11e0']

/** The records of objects, which a map may say how to read. */
async function* readObjectText(
  text: AsyncIterable<string>,
  { format, start }: { readonly format: 'json' | 'ndjson' | 'yaml'; readonly start: string },
  reading: FileReading,
): AsyncGenerator<FileRecord> {
  const { mapFor, readMapped } = await import('./mapped-json.ts')
  const { readNdjson, readObjects } = await import('./object-files.ts')
  const whole = format === 'json' ? await joinText(text) : undefined
  const map = format === 'yaml' ? undefined : mapFor(reading.jsonMap, whole?.slice(0, 20_000) ?? start)
  if (map) yield* readMapped(whole ?? (await joinText(text)), map, reading)
  else if (format === 'ndjson') yield* readNdjson(text, reading)
  else yield* readObjects(whole ?? (await joinText(text)), format, reading)
}

/** Whether a text itself shows its format: its name does not, or says that it is a workbook. */
const isUndecided = (format: Format | undefined): format is undefined | 'xlsx' | 'ods' =>
  format === undefined || format === 'xlsx' || format === 'ods'
