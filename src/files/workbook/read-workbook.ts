/**
 * Workbooks: reading and writing XLSX and ODS. A workbook is an archive (`archive.ts`) of XML (`xml-events.ts`): `read-xlsx.ts` and
 * `read-ods.ts` read the rows of its sheets one by one, `number-formats.ts` tells dates from amounts, and both share `workbook-rows.ts`.
 * After that, a sheet is a table like that of a CSV file. `write-xlsx.ts` writes sheets, `record-sheets.ts` those of an
 * export.
 */

import { type Failure, usage } from '../../base/failure.ts'
import { once } from '../../base/memoize.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { nearest } from '../../base/text/similarity.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { CellRow, CellTable } from '../csv/cell-values.ts'
import type { FileReading } from '../records/file-reading.ts'
import { peek } from '../text-streams.ts'
import { type Archive, openArchive, protectedWorkbook } from './archive.ts'
import { openOds } from './read-ods.ts'
import { openXlsx } from './read-xlsx.ts'
import { fillMergedRows, type WorkbookSheet } from './workbook-rows.ts'

type WorkbookOptions = Pick<FileReading, 'name' | 'sheet' | 'notice'>

/** The sheets of a workbook to read: one, or all sheets of an export, which name the resource of their rows. */
export async function* readWorkbook(bytes: Buffer, options: WorkbookOptions): AsyncGenerator<CellTable> {
  const { name, notice } = options
  const oldForm = containerFailure(bytes, name)
  if (oldForm) throw oldForm
  const archive = await openArchive(bytes, name)
  const kind = kindOf(archive, name)
  const sheets = kind === 'ods' ? await openOds(archive, name) : await openXlsx(archive, name)
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const chosen = chooseSheet(sheets, visible, options)
  const tables = await openTables(visible, chosen, options)
  const read = tables.map(({ sheet }) => sheet)
  if (chosen.isHidden)
    notice(
      phrase('{file}: sheet "{sheet}" is hidden in the workbook; it was read anyway', {
        file: name,
        sheet: chosen.name,
      }),
    )
  const otherSheets = visible.filter(sheet => !read.includes(sheet)).map(sheet => sheet.name)
  const others = otherSheets.map(sheet => JSON.stringify(sheet))
  if (options.sheet === undefined && others.length > 0)
    notice(
      phrase('{file}: read sheet {sheets}, not {others}; choose with --sheet', {
        file: name,
        sheets: listOf(read.map(sheet => JSON.stringify(sheet.name))),
        others: listOf(others),
      }),
    )
  for (const { sheet, rows } of tables)
    yield {
      rows,
      kind,
      sheet: sheet.name,
      ...(otherSheets.length > 0 && { otherSheets }),
      ...(tables.length > 1 && { place: `${sheet.name}, ` }),
    }
}

/** The chosen sheet and, if it is one of an export, the others. */
async function openTables(visible: readonly WorkbookSheet[], chosen: WorkbookSheet, options: WorkbookOptions) {
  const tables: { sheet: WorkbookSheet; rows: AsyncIterable<CellRow> }[] = []
  for (const sheet of options.sheet === undefined ? visible : [chosen]) {
    const { peeked, all } = await peek(await sheetRows(sheet, options), rows => rows.length > 0)
    const isExport = peeked[0]?.cells[0] === 'resource'
    if (sheet === chosen && peeked.length === 0) throw emptySheet(chosen, visible, options.name)
    if (sheet === chosen || isExport) tables.push({ sheet, rows: all })
    if (sheet === chosen && !isExport) break
  }
  return tables
}

async function sheetRows(sheet: WorkbookSheet, { name, notice }: WorkbookOptions): Promise<AsyncIterable<CellRow>> {
  const areas = await sheet.mergedAreas()
  const rows = sheet.rows()
  const noticeOnce = once(() => notice(phrase('{file}: merged cells count for each of their rows', { file: name })))
  return areas.length === 0 ? rows : fillMergedRows(rows, areas, noticeOnce)
}

function chooseSheet(
  sheets: readonly WorkbookSheet[],
  visible: readonly WorkbookSheet[],
  { name, sheet: wanted }: WorkbookOptions,
): WorkbookSheet {
  const names = sheets.map(sheet => sheet.name)
  if (wanted === undefined) {
    const [first = sheets[0]] = visible
    if (first) return first
    throw usage(phrase('{file} has no sheet', { file: name }), phrase('add a sheet with a line of headings'))
  }
  const fold = (text: string) => text.trim().toLowerCase()
  const found = sheets.find(sheet => sheet.name === wanted) ?? sheets.find(sheet => fold(sheet.name) === fold(wanted))
  if (found) return found
  const suggestion = nearest(wanted, names)
  const list = names.join(', ')
  throw usage(
    phrase('{file} has no sheet "{wanted}"', { file: name, wanted }),
    suggestion
      ? phrase('did you mean "{suggestion}"? sheets: {sheets}', { suggestion, sheets: list })
      : phrase('sheets: {sheets}', { sheets: list }),
  )
}

function emptySheet(sheet: WorkbookSheet, visible: readonly WorkbookSheet[], name: string): Failure {
  const others = visible.filter(one => one !== sheet).map(one => JSON.stringify(one.name))
  return usage(
    phrase('{file}: sheet "{sheet}" is empty', { file: name, sheet: sheet.name }),
    others.length > 0
      ? phrase('choose another one with: {option}', { option: `--sheet ${listOf(others, 'or')}` })
      : phrase('give it a line of headings'),
  )
}

/** The kind of workbook in an archive; throws `usage` for other archives. */
function kindOf({ names }: Archive, name: string): 'xlsx' | 'ods' {
  if (names.has('content.xml')) return 'ods'
  const has = (pattern: RegExp) => [...names].some(part => pattern.test(part))
  const file = name
  if (has(/^xl\/.*\.bin$/) && !has(/^xl\/workbook\.xml$/))
    throw notReadable(phrase('{file} is a binary workbook (XLSB)', { file }))
  if (names.has('[Content_Types].xml') && has(/workbook[^/]*\.xml$/i)) return 'xlsx'
  if (has(/^word\//)) throw notReadable(phrase('{file} is a document of Word, not a workbook', { file }))
  if (has(/^Index\/.*\.iwa$/)) throw notReadable(phrase('{file} is a document of Numbers', { file }))
  if (names.size === 0) throw notReadable(phrase('{file} is an empty archive, not a workbook', { file }))
  throw notReadable(
    phrase('{file} is an archive of {count, plural, one {# file} other {# files}}, not a workbook', {
      file,
      count: names.size,
    }),
  )
}

const notReadable = (sentence: string) =>
  usage(sentence, phrase('save it as .xlsx, .ods or .csv in the spreadsheet program'))

/** The failure for a container of Microsoft, whose directory names its contents in UTF-16: a workbook of Excel 97, or any encrypted one. */
function containerFailure(bytes: Buffer, name: string): Failure | undefined {
  if (bytes.readUInt32BE(0) !== 0xd0cf11e0) return undefined
  const has = (entry: string) => bytes.includes(Buffer.from(entry, 'utf16le'))
  if (has('EncryptedPackage') || has('EncryptionInfo')) return protectedWorkbook(name)
  return usage(
    has('Workbook') || has('Book')
      ? phrase('{file} is a workbook in the old form of Excel (.xls)', { file: name })
      : phrase('{file} is a document in an old form of Office', { file: name }),
    phrase('open it in a spreadsheet program and save it as .xlsx, .ods or .csv'),
  )
}
