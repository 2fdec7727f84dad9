/**
 * Files: CSV, TSV, XLSX, ODS, JSON, NDJSON, YAML and iCalendar. `readRecords` reads the bytes of a file into records, with their
 * mistakes; `writeRecords` writes records as text that `readRecords` reads back. Nothing here knows the site: `changes/plan/` decides what
 * to do with a record. `csv/`, `workbook/`, `object-files.ts`, `icalendar/` and `texts/` each read one family of formats, and share
 * `records/`.
 */

import { usage } from '../base/failure.ts'
import type { DateOrder } from '../base/time/typed-order.ts'
import { phrase } from '../base/words/phrase.ts'
import type { ResourceName } from '../contract/field.ts'
import type { ColumnMap } from './csv/column-map.ts'
import type { SheetLog } from './csv/read-table.ts'
import { type Format, formatOf, formatOfText } from './file-format.ts'
import type { FileRecord, Notice } from './records/file-record.ts'
import { decodeText, type Encoding, peek } from './text-streams.ts'

export interface ReadOptions {
  /** The path or URL of the file, for messages; its extension tells the format. */
  readonly name?: string
  readonly format?: Format
  /** The resource of records that do not name one. */
  readonly resource?: ResourceName
  /** Whether other files are read with the same options. */
  readonly isOneOfSeveral?: boolean
  /** The order of day, month and year in dates such as `05/12/2026`. */
  readonly dateOrder?: DateOrder
  /** The day from which dates without a year count in sheets, `YYYY-MM-DD`; without it, such dates are refused. */
  readonly datesFrom?: string
  /** The sheet of a workbook; by default the first one that is not hidden. */
  readonly sheet?: string
  /** What headings of sheets mean. */
  readonly columns?: ColumnMap
  /** Receives the rows of sheets as they were. */
  readonly log?: SheetLog
  /** Skips invalid values of optional fields, with a notice. */
  readonly skipInvalidCells?: boolean
  /** iCalendar: how far series are expanded, `YYYY-MM-DD` or with a time; by default a year from now. */
  readonly until?: string
  /** iCalendar: whether an invalid event, or a line that cannot be read, is a failure of the whole file. */
  readonly strict?: boolean
  /** Sheets for translators: the options that connect to the calendar, for the command in a notice. */
  readonly flags?: string | undefined
  /** iCalendar: the zone of the calendar for which the records are read. */
  readonly timezone?: string
  readonly now: Date
  readonly notice: Notice
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
  const { peeked: firstBytes, all: input } = await peek(bytes, chunks => bytesIn(chunks) >= 8)
  const { createBuild } = await import('./records/record-builder.ts')
  const build = createBuild(name, notice, options)
  const textReader = async () => (await import('./texts/text-sheets.ts')).readTextSheet
  const reading = { ...options, name, build, textReader }
  if (hasSignatureOfWorkbook(Buffer.concat(firstBytes))) {
    const { readWorkbook } = await import('./workbook/read-workbook.ts')
    const { readTable } = await import('./csv/read-table.ts')
    for await (const table of readWorkbook(await joinBytes(input), reading)) yield* readTable(table, reading)
    return
  }
  const encoding: Encoding = {}
  const { peeked, all } = await peek(decodeText(input, name, notice, encoding), hasLine)
  const start = peeked.join('')
  if (start.trim() === '') return
  const format = textFormat(options.format, start, name)
  if (format === 'csv' || format === 'tsv') {
    const { readCsv } = await import('./csv/read-csv.ts')
    const { readTable } = await import('./csv/read-table.ts')
    yield* readTable(await readCsv(all, { name, separator: format === 'tsv' ? '\t' : ',', encoding }), reading)
  } else if (format === 'ics') {
    const { readICalendar } = await import('./icalendar/read-icalendar.ts')
    const { checkBeginning, parseCalendars } = await import('./icalendar/parse-components.ts')
    checkBeginning(start, name)
    // Not `yield*`, which waits twice for each record.
    for (const record of readICalendar(await parseCalendars(all, name), reading)) yield record
  } else {
    const { readJson, readNdjson, readYaml } = await import('./object-files.ts')
    const read = { json: readJson, ndjson: readNdjson, yaml: readYaml }[format]
    yield* read(all, reading)
  }
}

/** Archives, as which XLSX and ODS are saved, and the older containers; opening them tells more. */
const workbookSignatures = ['504b0304', '504b0506', 'd0cf11e0']

const hasSignatureOfWorkbook = (start: Buffer): boolean => workbookSignatures.includes(start.toString('hex', 0, 4))

/** The format of a text. If the name is that of a workbook, the text itself decides. */
function textFormat(given: Format | undefined, start: string, name: string): Exclude<Format, 'xlsx' | 'ods'> {
  const format = given ?? formatOf(name)
  const isNamedWorkbook = format === 'xlsx' || format === 'ods'
  if ((format === undefined || isNamedWorkbook) && /^\s*<(?:!doctype html|html|head|table|\?xml)\b/i.test(start))
    throw usage(
      phrase('{file} is {kind}, not a file of records', {
        file: name,
        kind: /^\s*<\?xml/.test(start) ? 'XML' : 'HTML',
      }),
      phrase(
        'a web page may ask you to log in: download it in a browser; if a spreadsheet program opens it, save it there as .xlsx',
      ),
    )
  return format === undefined || isNamedWorkbook ? formatOfText(start, name) : format
}

const bytesIn = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, { length }) => sum + length, 0)

async function joinBytes(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
