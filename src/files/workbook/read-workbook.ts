/**
 * Workbooks: XLSX and ODS, in and out. A workbook is an archive (archive.ts) of XML (xml-events.ts): read-xlsx.ts and read-ods.ts
 * read the rows of its sheets one by one, number-formats.ts tells dates from amounts, and workbook-rows.ts has what both share. From
 * here on a sheet is a table like that of a CSV file. write-xlsx.ts and write-ods.ts write sheets, record-sheets.ts those of an
 * export.
 */
import { Failure } from '../../base/failure.ts'
import { counted, listOf, nearest } from '../../base/text/similarity.ts'
import type { Row, Table } from '../csv/cell-values.ts'
import type { Notice } from '../records/file-record.ts'
import { peek } from '../text-streams.ts'
import { type Archive, openArchive, protectedWorkbook } from './archive.ts'
import { openOds } from './read-ods.ts'
import { openXlsx } from './read-xlsx.ts'
import { fillMergedRows, type OpenWorkbook, type WorkbookSheet } from './workbook-rows.ts'

export interface WorkbookOptions {
  readonly name: string
  /** The name of the sheet to read; by default the first one that is not hidden. */
  readonly sheet?: string
  readonly notice: Notice
}

/** The sheets of a workbook that are to be read: one, or all those of an export, which name the resource of their rows. */
export async function* readWorkbook(bytes: Buffer, options: WorkbookOptions): AsyncGenerator<Table> {
  const { name, notice } = options
  const oldForm = containerFailure(bytes, name)
  if (oldForm) throw oldForm
  const archive = await openArchive(bytes, name)
  const kind = kindOf(archive, name)
  const workbook = kind === 'ods' ? await openOds(archive, name) : await openXlsx(archive, name)
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden)
  const chosen = chooseSheet(workbook, visible, options)
  const tables: { sheet: WorkbookSheet; rows: AsyncIterable<Row>; isExport: boolean }[] = []
  for (const sheet of options.sheet === undefined ? visible : [chosen]) {
    const { peeked, all } = await peek(await sheetRows(workbook, sheet, options), rows => rows.length > 0)
    const isExport = peeked[0]?.cells[0] === 'resource'
    if (sheet === chosen && peeked.length === 0) throw emptySheet(chosen, visible, name)
    if (sheet === chosen || isExport) tables.push({ sheet, rows: all, isExport })
    if (sheet === chosen && !isExport) break
  }
  const read = tables.map(({ sheet }) => sheet)
  if (chosen.isHidden) notice(`${name}: sheet "${chosen.name}" is hidden in the workbook; it was read anyway`)
  const otherSheets = visible.filter(sheet => !read.includes(sheet)).map(sheet => sheet.name)
  const others = otherSheets.map(sheet => JSON.stringify(sheet))
  if (options.sheet === undefined && others.length > 0)
    notice(
      `${name}: read sheet ${listOf(read.map(sheet => JSON.stringify(sheet.name)))}, not ${listOf(others)}; choose with --sheet`,
    )
  for (const { sheet, rows } of tables)
    yield {
      rows,
      form: { kind },
      mayHaveDecimalCommas: false,
      sheet: sheet.name,
      ...(otherSheets.length > 0 && { otherSheets }),
      ...(tables.length > 1 && { place: `${sheet.name}, ` }),
    }
}

async function sheetRows(
  workbook: OpenWorkbook,
  sheet: WorkbookSheet,
  { name, notice }: WorkbookOptions,
): Promise<AsyncIterable<Row>> {
  const areas = await workbook.mergedAreas(sheet)
  const rows = workbook.rows(sheet)
  let isNoticed = false
  const noticeOnce = () => {
    if (!isNoticed) notice(`${name}: merged cells count for each of their rows`)
    isNoticed = true
  }
  return areas.length === 0 ? rows : fillMergedRows(rows, areas, noticeOnce)
}

function chooseSheet(
  { sheets }: OpenWorkbook,
  visible: readonly WorkbookSheet[],
  { name, sheet: wanted }: WorkbookOptions,
): WorkbookSheet {
  const names = sheets.map(sheet => sheet.name)
  if (wanted === undefined) {
    const [first = sheets[0]] = visible
    if (first) return first
    throw new Failure('usage', `${name} has no sheet`, { hint: 'add a sheet with a line of headings' })
  }
  const fold = (text: string) => text.trim().toLowerCase()
  const found = sheets.find(sheet => sheet.name === wanted) ?? sheets.find(sheet => fold(sheet.name) === fold(wanted))
  if (found) return found
  const suggestion = nearest(wanted, names)
  throw new Failure('usage', `${name} has no sheet "${wanted}"`, {
    hint: `${suggestion ? `did you mean "${suggestion}"? ` : ''}sheets: ${names.join(', ')}`,
  })
}

function emptySheet(sheet: WorkbookSheet, visible: readonly WorkbookSheet[], name: string): Failure {
  const others = visible.filter(one => one !== sheet).map(one => JSON.stringify(one.name))
  return new Failure('usage', `${name}: sheet "${sheet.name}" is empty`, {
    hint: others.length > 0 ? `choose another one with: --sheet ${others.join(' or ')}` : 'give it a line of headings',
  })
}

/** What kind of workbook an archive is; throws `usage` for other archives. */
function kindOf({ names }: Archive, name: string): 'xlsx' | 'ods' {
  if (names.has('content.xml')) return 'ods'
  const has = (pattern: RegExp) => [...names].some(part => pattern.test(part))
  if (has(/^xl\/.*\.bin$/) && !has(/^xl\/workbook\.xml$/)) throw notReadable(name, 'a binary workbook (XLSB)')
  if (names.has('[Content_Types].xml') && has(/workbook[^/]*\.xml$/i)) return 'xlsx'
  if (has(/^word\//)) throw notReadable(name, 'a document of Word, not a workbook')
  if (has(/^Index\/.*\.iwa$/)) throw notReadable(name, 'a document of Numbers')
  if (names.size === 0) throw notReadable(name, 'an empty archive, not a workbook')
  throw notReadable(name, `an archive of ${counted(names.size, 'file')}, not a workbook`)
}

const notReadable = (name: string, what: string) =>
  new Failure('usage', `${name} is ${what}`, { hint: 'save it as .xlsx, .ods or .csv in the spreadsheet program' })

/** A container of Microsoft, whose directory names what is in it in UTF-16: a workbook of Excel 97, or an encrypted one of any age. */
function containerFailure(bytes: Buffer, name: string): Failure | undefined {
  if (bytes.readUInt32BE(0) !== 0xd0cf11e0) return undefined
  const has = (entry: string) => bytes.includes(Buffer.from(entry, 'utf16le'))
  if (has('EncryptedPackage') || has('EncryptionInfo')) return protectedWorkbook(name)
  const what =
    has('Workbook') || has('Book')
      ? 'a workbook in the old form of Excel (.xls)'
      : 'a document in an old form of Office'
  return new Failure('usage', `${name} is ${what}`, {
    hint: 'open it in a spreadsheet program and save it as .xlsx, .ods or .csv',
  })
}
