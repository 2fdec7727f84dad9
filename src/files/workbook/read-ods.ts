import { phrase } from '../../base/words/phrase.ts'
import { type CellRow, missingResult } from '../csv/cell-values.ts'
import { numberText, serialOf } from '../csv/number-formats.ts'
import { type Attributes, attribute, finish, parseXml, type XmlHandlers } from '../xml-events.ts'
import { type Archive, archiveTooLarge, protectedWorkbook, tagsIn } from './archive.ts'
import { type CellValue, type MergedArea, RowBuilder, type WorkbookSheet } from './workbook-rows.ts'

/** Opens a workbook of LibreOffice or another program (OpenDocument, ISO 26300). */
export async function openOds(archive: Archive, name: string): Promise<WorkbookSheet[]> {
  const encrypted = await tagsIn(archive.text('META-INF/manifest.xml'), 'encryption-data')
  if (encrypted.length > 0) throw protectedWorkbook(name)
  const text = () => archive.text('content.xml')
  const { sheets, struck } = await survey(text(), name)
  return sheets.map(({ areas, ...sheet }, index) => ({
    ...sheet,
    rows: () => parseXml(text(), name, new SheetReader(name, index, struck)),
    mergedAreas: async () => areas,
  }))
}

/** What must be known before the cells are read: the sheets with their merged areas, and the styles of cells that are struck through. */
async function survey(text: AsyncIterable<string>, name: string) {
  const sheets: (Pick<WorkbookSheet, 'name' | 'isHidden'> & { readonly areas: MergedArea[] })[] = []
  const styles = new Styles()
  const position = new Position()
  const open = (element: string, attributes: Attributes) => {
    const value = (key: string) => attribute(attributes, key)
    position.open(element, attributes)
    styles.open(element, attributes)
    if (element === 'table' && position.depth === 1)
      sheets.push({ name: value('name') ?? '', isHidden: styles.hidden.has(value('style-name') ?? ''), areas: [] })
    else if (element === 'table-cell' && position.depth === 1) {
      const { column, row } = position
      const rows = Number(value('number-rows-spanned') ?? 1)
      if (rows > 1) sheets.at(-1)?.areas.push({ column, firstRow: row, lastRow: row + rows - 1 })
    }
  }
  await finish(parseXml(text, name, { open, close: element => position.close(element) }))
  return { sheets, struck: styles.struck }
}

/** The styles of sheets that are hidden, and of cells that are struck through. They come before the sheets. */
class Styles {
  readonly hidden = new Set<string>()
  readonly struck = new Set<string>()
  #name = ''

  open(element: string, attributes: Attributes): void {
    const value = (key: string) => attribute(attributes, key)
    if (element === 'style') this.#name = value('name') ?? ''
    else if (element === 'table-properties' && value('display') === 'false') this.hidden.add(this.#name)
    else if (element === 'text-properties' && (value('text-line-through-style') ?? 'none') !== 'none')
      this.struck.add(this.#name)
  }
}

const mostRows = 1_048_576
/** As many cells as fit into the largest part that is unpacked. A count may be any number, up to a thousand million. */
const mostCells = 3_000_000
const mostColumns = 16_384

const repeated = (attributes: Attributes, key: string, most: number): number =>
  Math.min(Math.max(Math.trunc(Number(attribute(attributes, key) ?? 1)) || 1, 1), most)

/** The place of a cell: equal rows and cells are written once, with a count. */
class Position {
  /** Tables inside of cells have a depth of 2. */
  depth = 0
  row = 0
  rowsRepeated = 1
  column = 0
  columnsRepeated = 1
  #nextRow = 1
  #nextColumn = 0

  open(element: string, attributes: Attributes): void {
    if (element === 'table') this.depth += 1
    if (this.depth !== 1) return
    if (element === 'table') this.#nextRow = 1
    else if (element === 'table-row') {
      this.row = this.#nextRow
      this.rowsRepeated = repeated(attributes, 'number-rows-repeated', mostRows)
      this.#nextRow += this.rowsRepeated
      this.#nextColumn = 0
    } else if (element === 'table-cell' || element === 'covered-table-cell') {
      this.column = this.#nextColumn
      this.columnsRepeated = repeated(attributes, 'number-columns-repeated', mostColumns)
      this.#nextColumn += this.columnsRepeated
    }
  }

  close(element: string): void {
    if (element === 'table') this.depth -= 1
  }
}

/** Elements whose text does not belong to their cell. */
const notes = new Set(['annotation', 'shapes', 'frame', 'custom-shape', 'tracked-changes'])

/** Yields the rows of a sheet that contain something, each as soon as it ends. */
class SheetReader implements XmlHandlers<CellRow> {
  readonly #position = new Position()
  #sheet = -1
  #row = new RowBuilder()
  #isHidden = false
  #cell: Attributes = {}
  #paragraphs: string[] = []
  #isParagraph = false
  #noteDepth = 0
  #cells = 0

  constructor(
    readonly name: string,
    readonly index: number,
    readonly struck: ReadonlySet<string>,
  ) {}

  open(element: string, attributes: Attributes): void {
    this.#position.open(element, attributes)
    const isOuter = this.#position.depth === 1
    if (element === 'table' && isOuter) this.#sheet += 1
    if (this.#sheet !== this.index) return
    if (notes.has(element)) this.#noteDepth += 1
    if (element === 'p' && this.#noteDepth === 0) {
      this.#isParagraph = true
      this.#paragraphs.push('')
    } else if (element === 'table-row' && isOuter) {
      this.#row = new RowBuilder()
      this.#isHidden = /^(collapse|filter)$/.test(attribute(attributes, 'visibility') ?? '')
    } else if (element === 'table-cell' && isOuter) {
      this.#cell = attributes
      this.#paragraphs = []
    } else this.text(charactersOf(element, attributes))
  }

  text(piece: string): void {
    if (this.#isParagraph && this.#noteDepth === 0) this.#paragraphs.push((this.#paragraphs.pop() ?? '') + piece)
  }

  close(element: string, yields: (row: CellRow) => void): void {
    if (this.#sheet === this.index) {
      if (element === 'p' && this.#noteDepth === 0) this.#isParagraph = false
      if (notes.has(element)) this.#noteDepth -= 1
      if (element === 'table-cell' && this.#position.depth === 1) this.#closeCell()
      if (element === 'table-row' && this.#position.depth === 1) this.#closeRow(yields)
    }
    this.#position.close(element)
  }

  #closeCell(): void {
    const { text, raw } = cellValue(this.#cell, this.#paragraphs.join('\n'))
    if (text === '') return
    const { column, columnsRepeated } = this.#position
    this.#count(columnsRepeated)
    for (let copy = 0; copy < columnsRepeated; copy++) this.#row.set(column + copy, text, raw)
    if (this.struck.has(attribute(this.#cell, 'style-name') ?? '')) this.#row.strike()
  }

  #closeRow(yields: (row: CellRow) => void): void {
    if (this.#row.isEmpty) return
    const { row, rowsRepeated } = this.#position
    this.#count(this.#row.row(0).cells.length * (rowsRepeated - 1))
    for (let copy = 0; copy < rowsRepeated; copy++) yields(this.#row.row(row + copy, this.#isHidden))
  }

  #count(more: number): void {
    this.#cells += more
    if (this.#cells > mostCells)
      throw archiveTooLarge(
        this.name,
        phrase('a sheet has more than {count} million cells', { count: mostCells / 1_000_000 }),
      )
  }
}

/** The characters that an element stands for. */
function charactersOf(element: string, attributes: Attributes): string {
  if (element === 'tab') return '\t'
  if (element === 'line-break') return '\n'
  return element === 's' ? ' '.repeat(Math.min(Number(attribute(attributes, 'c') ?? 1) || 1, 1000)) : ''
}

function cellValue(cell: Attributes, shown: string): CellValue {
  const attributes = new Map(Object.entries(cell).map(([key, value]) => [key.slice(key.indexOf(':') + 1), value]))
  const type = cell['calcext:value-type'] === 'error' ? 'error' : attributes.get('value-type')
  const value = Number(attributes.get('value'))
  if (attributes.has('formula') && type === undefined && shown === '') return { text: missingResult }
  if (type === 'boolean') {
    const isTrue = attributes.get('boolean-value') === 'true'
    return { text: isTrue ? 'TRUE' : 'FALSE', raw: isTrue }
  }
  if (type === 'date') return momentValue(attributes.get('date-value') ?? shown)
  if (type === 'time') return durationValue(attributes.get('time-value') ?? '', shown)
  if (type === 'percentage') return { text: numberText(value, 'percentage', ''), raw: { value, format: '0.##%' } }
  return type === 'float' || type === 'currency' ? numberValue(value, type, shown) : { text: shown }
}

function numberValue(value: number, type: 'float' | 'currency', shown: string): CellValue {
  // Postal codes and phone numbers show more digits than their number has.
  const isPadded = /^0[\d ./()-]*$/.test(shown) && Number(shown.replace(/\D/g, '')) === value
  if (isPadded && shown.length > 1) return { text: shown }
  const format = type === 'currency' || /\p{Sc}/u.test(shown) ? currencyFormat(shown) : 'General'
  return { text: numberText(value, 'number', format), raw: { value, format } }
}

/** The number format for a cell that shows `12,50 €`. */
function currencyFormat(shown: string): string {
  const [before = '', after = ''] = shown.split(/\d.*\d|\d/).map(part => part.replace(/[\s-]/g, ''))
  const decimals = /[.,](\d{1,2})(?!\d)/.exec(shown)?.[1]?.length ?? 0
  const digits = decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`
  return before === '' ? `${digits}${after && ` "${after}"`}` : `"${before}"${digits}`
}

/** `2027-06-05` or `2027-06-05T19:30:00` */
function momentValue(value: string): CellValue {
  const [day = '', time] = value.replace(/\.\d+$/, '').split('T')
  const clock = time?.replace(/^(\d\d:\d\d):00$/, '$1')
  const text = clock === undefined ? day : `${day} ${clock}`
  const serial = serialOf(text)
  const format = clock === undefined ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm'
  return serial === undefined ? { text } : { text, raw: { value: serial, format } }
}

/** `PT19H30M00S` */
function durationValue(value: string, shown: string): CellValue {
  const match = /^PT(\d+)H(\d+)M(\d+)(?:[.,](\d+))?S$/.exec(value)
  if (!match) return { text: shown }
  const [hours, minutes, seconds] = match.slice(1).map(Number)
  const days = ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) / 86_400
  return { text: numberText(days, 'duration', ''), raw: { value: days, format: '[hh]:mm' } }
}
