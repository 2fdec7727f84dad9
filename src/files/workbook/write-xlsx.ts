import { once } from 'node:events'
import { Readable } from 'node:stream'
import yazl from 'yazl'
import { usage } from '../../base/failure.ts'
import { escapeXml, unwritableInXml } from '../../base/text/escaping.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { RawCell } from '../csv/cell-values.ts'

/** Spreadsheet programs cannot open sheets with more rows below the headings. */
const most = 1_048_575

/** The longest text in a cell, in characters. */
export const longestCell = 32_767

/** Writes a workbook, sheet by sheet and row by row. Spreadsheet programs show the last sheet first. */
export function writeXlsx(sheets: readonly OutgoingSheet[]): AsyncGenerator<Uint8Array> {
  const styles = createStyles()
  const parts = sheets.map((_, index) => ['worksheet', sheetPart(index).slice('xl/'.length)] as const)
  return writeArchive([
    ...sheets.map((sheet, index): OutgoingPart => [sheetPart(index), () => sheetXml(sheet, styles)]),
    ['[Content_Types].xml', () => [contentTypes(sheets.length)]],
    ['_rels/.rels', () => [relationships([['officeDocument', 'xl/workbook.xml']])]],
    ['xl/_rels/workbook.xml.rels', () => [relationships([...parts, ['styles', 'styles.xml']])]],
    ['xl/workbook.xml', () => [workbookXml(sheets)]],
    ['xl/styles.xml', () => [styles.xml()]],
  ])
}

const sheetPart = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function contentTypes(count: number): string {
  const parts = [
    ['xl/workbook.xml', 'sheet.main'],
    ['xl/styles.xml', 'styles'],
    ...Array.from({ length: count }, (_, index) => [sheetPart(index), 'worksheet']),
  ]
  const overrides = parts.map(([part, type]) => `<Override PartName="/${part}" ContentType="${types}.${type}+xml"/>`)
  return `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const elements = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${elements.join('')}</Relationships>`
}

function workbookXml(sheets: readonly OutgoingSheet[]): string {
  const elements = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(sheetName(name))}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  return `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${elements.toReversed().join('')}</sheets></workbook>`
}

/** Spreadsheet programs refuse longer names, and names with these characters. */
const sheetName = (name: string): string => name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)

/**
 * The look of a column: `locked` is grey, for cells that nobody should change; `text` has several lines, and keeps what is typed as text.
 */
export interface ColumnLook {
  readonly look: 'locked' | 'text'
  /** In characters. */
  readonly width: number
}

/** The styles of every workbook: headings are bold, and columns have their looks. */
const fixedStyles = [
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  '<xf numFmtId="49" fontId="2" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"><alignment vertical="top"/></xf>',
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>',
]

const styleOfLook = { locked: 1, text: 2 } as const

const fonts =
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><sz val="9"/><color rgb="FF7F7F7F"/><name val="Calibri"/></font></fonts>'
const fills =
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFF2F2F2"/><bgColor indexed="64"/></patternFill></fill></fills>'

/** The styles of cells: numbers have their formats. */
function createStyles() {
  const formats = ['General']
  return {
    heading: 0,
    /** The number of the style for a number format. */
    of(format: string): number {
      const known = formats.indexOf(format)
      return fixedStyles.length + (known === -1 ? formats.push(format) - 1 : known)
    },
    xml(): string {
      const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(code)}"/>`)
      const cells = formats.map(
        (_, index) =>
          `<xf numFmtId="${164 + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
      )
      const all = [...fixedStyles, ...cells]
      return `${head}<styleSheet xmlns="${main}"><numFmts count="${codes.length}">${codes.join('')}</numFmts>${fonts}${fills}<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${all.length}">${all.join('')}</cellXfs></styleSheet>`
    },
  }
}

type Styles = ReturnType<typeof createStyles>

/** The elements for the columns of a sheet; the look also applies to empty cells. */
function columnsXml({ headings, looks, rows }: OutgoingSheet): string {
  const columns = headings.map((heading, index) => {
    const look = looks?.[index]
    const width =
      look?.width ?? (Array.isArray(rows) ? widthOf([heading, ...rows.map(row => row[index])]) : usualWidth(heading))
    const style = look ? ` style="${styleOfLook[look.look]}"` : ''
    return `<col min="${index + 1}" max="${index + 1}" width="${width}"${style} customWidth="1"/>`
  })
  return `<cols>${columns.join('')}</cols>`
}

/** The width of a column whose cells are not known yet. */
const usualWidth = (heading: string): number =>
  Math.min(Math.max(heading.length + 3, /date/.test(heading) ? 18 : 12), 40)

/** The width for the longest line of a column's cells, within limits. */
const widthOf = (cells: readonly RawCell[]): number =>
  cells
    .flatMap(cell => (typeof cell === 'object' ? widestIn(cell.format) : String(cell)).split('\n'))
    .reduce((widest, line) => Math.min(Math.max(widest, line.length + 2), 50), 8)

/** A number in a format, without the language of the format; a date that has no room is shown as `####`. */
const widestIn = (format: string): string => format.replace(/\[.*?\]/g, '').replace('mmmm', 'septiembre')

async function* sheetXml(sheet: OutgoingSheet, styles: Styles): AsyncGenerator<string> {
  const { name, headings, looks = [], rows } = sheet
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`
  yield `${columnsXml(sheet)}<sheetData>`
  const headingCells = headings.map((heading, column) => textCell(heading, reference(1, column), styles.heading))
  yield `<row r="1">${headingCells.join('')}</row>`
  let number = 1
  for await (const cells of rows) {
    if (number > most)
      throw usage(
        phrase('a sheet holds at most {most} rows, and there are more {records}', { most, records: name }),
        phrase('export them as NDJSON or CSV, or narrow them down with filters'),
      )
    number += 1
    const elements = cells.map((cell, index) => {
      const look = looks[index]?.look
      return cellXml(cell, reference(number, index), styles, look && styleOfLook[look])
    })
    yield `<row r="${number}">${elements.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

function cellXml(cell: RawCell, at: string, styles: Styles, look: number | undefined): string {
  if (cell === '') return look === undefined ? '' : `<c r="${at}" s="${look}"/>`
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'object') return `<c r="${at}" s="${styles.of(cell.format)}"><v>${cell.value}</v></c>`
  return textCell(cell, at, look ?? styles.of('General'))
}

const textCell = (text: string, at: string, style: number): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(escapeCharacters(text))}</t></is></c>`

/** The reference of a cell: `AA3`. Some programs cannot open a sheet with a cell that does not have one. */
const reference = (row: number, column: number): string => `${columnLetters(column)}${row}`

/** `A`, `Z`, `AA` */
function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : `${columnLetters(Math.floor(column / 26) - 1)}${letter}`
}

/** Escapes characters that XML cannot contain as `_x000B_`, and texts that look like such an escape. */
const escapeCharacters = (text: string): string =>
  text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(unwritableInXml, character => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)

/** A sheet to write; its headings stay visible. */
export interface OutgoingSheet {
  readonly name: string
  readonly headings: readonly string[]
  /** The looks of its columns, if cells alone do not decide them. */
  readonly looks?: readonly ColumnLook[]
  readonly rows: Iterable<readonly RawCell[]> | AsyncIterable<readonly RawCell[]>
}

type Pieces = Iterable<string> | AsyncIterable<string>

/** A file in an archive. Its text is requested after the files before it are written. */
type OutgoingPart = readonly [name: string, text: () => Pieces]

/** Writes the parts of an archive one after another. The same parts always give the same bytes. */
async function* writeArchive(parts: readonly OutgoingPart[]): AsyncGenerator<Uint8Array> {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', error => output.destroy(error))
  const mtime = new Date(1980, 0, 1)
  for (const [name, text] of parts)
    zip.addReadStreamLazy(name, { mtime }, ready =>
      ready(null, Readable.from(inLargerPieces(text()), { objectMode: false })),
    )
  zip.end()
  try {
    for await (const chunk of output) yield chunk as Buffer
  } finally {
    if (!output.destroyed) {
      output.destroy()
      await once(output, 'close')
    }
  }
}

/** Joins pieces: one piece for each row would make the archive slow. */
async function* inLargerPieces(text: Pieces): AsyncGenerator<Buffer> {
  let pieces = ''
  for await (const piece of text) {
    pieces += piece
    if (pieces.length < 1 << 16) continue
    yield Buffer.from(pieces)
    pieces = ''
  }
  if (pieces !== '') yield Buffer.from(pieces)
}
