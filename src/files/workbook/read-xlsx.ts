import { posix } from 'node:path'
import { usage } from '../../base/failure.ts'
import { once } from '../../base/memoize.ts'
import { phrase } from '../../base/words/phrase.ts'
import { type CellRow, missingResult } from '../csv/cell-values.ts'
import { builtInFormat, daysTo1904, type NumberKind, numberKind, numberText } from '../csv/number-formats.ts'
import { type Attributes, attribute, finish, parseXml } from '../xml-events.ts'
import { type Archive, tagsIn } from './archive.ts'
import { type CellValue, type MergedArea, RowBuilder, type WorkbookSheet } from './workbook-rows.ts'

/** What the cells of a workbook refer to. */
interface CellContext {
  readonly strings: readonly string[]
  readonly formats: readonly { readonly code: string; readonly kind: NumberKind; readonly isStruck: boolean }[]
  readonly is1904: boolean
}

/** Opens a workbook of Excel (ECMA-376), from any program. */
export async function openXlsx(archive: Archive, name: string): Promise<WorkbookSheet[]> {
  const workbookPart = await mainPart(archive, name)
  const targets = await relationships(archive, workbookPart, name)
  const sheets: (Pick<WorkbookSheet, 'name' | 'isHidden'> & { part: string })[] = []
  let is1904 = false
  const open = (element: string, attributes: Attributes) => {
    if (element === 'workbookPr') is1904 = isTrue(attributes.date1904)
    if (element !== 'sheet') return
    const part = targets.get(attribute(attributes, 'id') ?? '')?.part
    if (part === undefined || !archive.names.has(part)) return
    const isHidden = /hidden/i.test(attributes.state ?? '')
    sheets.push({ name: attributes.name ?? '', isHidden, part })
  }
  await finish(parseXml(archive.text(workbookPart), name, { open }))
  const context = once(
    async (): Promise<CellContext> => ({
      strings: await sharedStrings(archive, partOfType(targets, 'sharedStrings'), name),
      formats: await cellFormats(archive, partOfType(targets, 'styles'), name),
      is1904,
    }),
  )
  return sheets.map(({ part, ...sheet }) => ({
    ...sheet,
    async *rows() {
      yield* sheetRows(archive.text(part), name, await context())
    },
    async mergedAreas() {
      const tags = await tagsIn(archive.text(part), 'mergeCell')
      return tags.flatMap(tag => mergedArea(/ref="([^"]*)"/.exec(tag)?.[1] ?? ''))
    },
  }))
}

interface Relationship {
  readonly type: string
  readonly part: string
}

async function mainPart(archive: Archive, name: string): Promise<string> {
  const targets = await relationships(archive, '', name)
  const part = partOfType(targets, 'officeDocument')
  if (part !== undefined && /\.xml$/i.test(part) && archive.names.has(part)) return part
  throw usage(
    phrase('{file} has no workbook that can be read', { file: name }),
    phrase('open it in a spreadsheet program and save it as .xlsx'),
  )
}

/** The part of a type: in the transitional and the strict form of the standard, types end with the same words. */
const partOfType = (targets: ReadonlyMap<string, Relationship>, type: string): string | undefined =>
  [...targets.values()].find(target => target.type.endsWith(`/${type}`))?.part

/** The parts to which a part refers, by the IDs of its relationships. */
async function relationships(archive: Archive, part: string, name: string): Promise<Map<string, Relationship>> {
  const folder = posix.dirname(part)
  const targets = new Map<string, Relationship>()
  const open = (element: string, { Id = '', Type = '', Target = '' }: Attributes) => {
    if (element !== 'Relationship') return
    const isAbsolute = Target.startsWith('/')
    targets.set(Id, { type: Type, part: posix.normalize(isAbsolute ? Target.slice(1) : posix.join(folder, Target)) })
  }
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  await finish(parseXml(archive.text(path), name, { open }))
  return targets
}

const isTrue = (text = ''): boolean => text === '1' || text === 'true'

/** `_x000D_` stands for a character that XML cannot contain. */
const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** The strings to which cells refer, without formats and pronunciations. */
async function sharedStrings(archive: Archive, part: string | undefined, name: string): Promise<string[]> {
  const strings: string[] = []
  if (part === undefined) return strings
  let text = ''
  let isText = false
  let phonetic = 0
  await finish(
    parseXml(archive.text(part), name, {
      open(element) {
        if (element === 'si') text = ''
        else if (element === 'rPh') phonetic += 1
        else if (element === 't') isText = phonetic === 0
      },
      close(element) {
        if (element === 't') isText = false
        else if (element === 'rPh') phonetic -= 1
        else if (element === 'si') strings.push(decodeEscapes(text))
      },
      text(piece) {
        if (isText) text += piece
      },
    }),
  )
  return strings
}

/** The number formats of cells, by the numbers of their styles. */
async function cellFormats(archive: Archive, part: string | undefined, name: string): Promise<CellContext['formats']> {
  const codes = new Map<number, string>()
  const formats: { number: number; font: number }[] = []
  if (part === undefined) return []
  let isCellStyle = false
  let fonts = 0
  const struckFonts = new Set<number>()
  const open = (element: string, attributes: Attributes) => {
    if (element === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
    else if (element === 'cellXfs') isCellStyle = true
    else if (element === 'font') fonts += 1
    else if (element === 'strike' && attributes.val !== '0') struckFonts.add(fonts - 1)
    else if (element === 'xf' && isCellStyle)
      formats.push({ number: Number(attributes.numFmtId ?? 0), font: Number(attributes.fontId ?? 0) })
  }
  const close = (element: string) => {
    if (element === 'cellXfs') isCellStyle = false
  }
  await finish(parseXml(archive.text(part), name, { open, close }))
  return formats.map(({ number, font }) => {
    const code = codes.get(number) ?? builtInFormat(number)
    return { code, kind: numberKind(code), isStruck: struckFonts.has(font) }
  })
}

/** The number of a column from its letters, counted from 0. */
function columnOf(reference: string): number | undefined {
  let column = 0
  for (const character of reference) {
    const digit = character.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column > 0 && column <= 16_384 ? column - 1 : undefined
}

function mergedArea(reference: string): MergedArea[] {
  const [first = '', last = ''] = reference.split(':')
  const [firstRow, lastRow] = [first, last].map(cell => Number(/\d+$/.exec(cell)?.[0]))
  const column = columnOf(first)
  return column === undefined || !firstRow || !lastRow || lastRow <= firstRow ? [] : [{ column, firstRow, lastRow }]
}

/** The rows of a sheet, each as soon as it ends. */
function sheetRows(text: AsyncIterable<string>, name: string, context: CellContext): AsyncGenerator<CellRow> {
  let number = 0
  let column = -1
  let row = new RowBuilder()
  let isHidden = false
  let cell: Attributes = {}
  let value = ''
  let hasFormula = false
  let phonetic = 0
  let isText = false
  const endCell = () => {
    // A program that does not calculate leaves formulas without a value; an empty text is a value.
    const isMissing = hasFormula && value === '' && cell.t !== 'str'
    const { text, raw }: CellValue = isMissing ? { text: missingResult } : cellValue(cell, value, context)
    row.set(column, text, raw)
    if (text !== '' && context.formats[Number(cell.s ?? 0)]?.isStruck) row.strike()
  }
  return parseXml<CellRow>(text, name, {
    open(element, attributes) {
      if (element === 'c') {
        cell = attributes
        column = columnOf(attributes.r ?? '') ?? column + 1
        value = ''
        hasFormula = false
      } else if (element === 'v' || element === 't') {
        isText = phonetic === 0
      } else if (element === 'f') {
        hasFormula = true
      } else if (element === 'rPh') {
        phonetic += 1
      } else if (element === 'row') {
        number = Number(attributes.r ?? number + 1)
        column = -1
        row = new RowBuilder()
        isHidden = isTrue(attributes.hidden)
      }
    },
    text(piece) {
      if (isText) value += piece
    },
    close(element, yields) {
      if (element === 'v' || element === 't') {
        isText = false
      } else if (element === 'rPh') {
        phonetic -= 1
      } else if (element === 'c') {
        endCell()
      } else if (element === 'row' && !row.isEmpty) {
        yields(row.row(number, isHidden))
      }
    },
  })
}

function cellValue({ t = 'n', s }: Attributes, value: string, { strings, formats, is1904 }: CellContext): CellValue {
  if (t === 's') return { text: strings[Number(value)] ?? '' }
  if (t === 'str' || t === 'inlineStr') return { text: decodeEscapes(value) }
  if (t === 'b') return { text: isTrue(value) ? 'TRUE' : 'FALSE', raw: isTrue(value) }
  if (t === 'd') return { text: value.replace('T', ' ').replace(/(\.\d*)?Z?$/, '') }
  const number = Number(value)
  if (t !== 'n' || value.trim() === '' || Number.isNaN(number)) return { text: value }
  const { code, kind } = formats[Number(s ?? 0)] ?? { code: 'General', kind: 'number' }
  const serial = is1904 && (kind === 'date' || kind === 'dateTime') ? number + daysTo1904 : number
  return { text: numberText(serial, kind, code), raw: { value: serial, format: code } }
}
