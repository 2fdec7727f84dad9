import { escapeXml, unwritableInXml } from '../../base/text/escaping.ts'
import type { RawCell } from '../csv/cell-values.ts'
import { currencyOfFormat, numberKind, numberText } from '../csv/number-formats.ts'
import { type OutgoingSheet, writeArchive } from './write-xlsx.ts'

const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'

/** Writes an OpenDocument workbook, sheet by sheet and row by row. */
export function writeOds(sheets: readonly OutgoingSheet[]): AsyncGenerator<Uint8Array> {
  return writeArchive([
    // Programs recognize the file by this part, which comes first and is not compressed.
    { name: 'mimetype', stored: mimetype },
    { name: 'META-INF/manifest.xml', text: () => [manifest] },
    { name: 'content.xml', text: () => contentXml(sheets) },
  ])
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const names = 'urn:oasis:names:tc:opendocument:xmlns'
const manifest = `${head}<manifest:manifest xmlns:manifest="${names}:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mimetype}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`

const year =
  '<number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/>'
const clock = '<number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/>'
const styles = [
  `<number:date-style style:name="nd">${year}</number:date-style><style:style style:name="date" style:family="table-cell" style:data-style-name="nd"/>`,
  `<number:date-style style:name="nm">${year}<number:text> </number:text>${clock}</number:date-style><style:style style:name="moment" style:family="table-cell" style:data-style-name="nm"/>`,
  `<number:time-style style:name="nt">${clock}</number:time-style><style:style style:name="time" style:family="table-cell" style:data-style-name="nt"/>`,
]

async function* contentXml(sheets: readonly OutgoingSheet[]): AsyncGenerator<string> {
  const spaces = ['office', 'style', 'text', 'table'].map(name => `xmlns:${name}="${names}:${name}:1.0"`).join(' ')
  yield `${head}<office:document-content ${spaces} xmlns:number="${names}:datastyle:1.0" office:version="1.3"><office:automatic-styles>${styles.join('')}</office:automatic-styles><office:body><office:spreadsheet>`
  for (const { name, headings, rows } of sheets) {
    yield `<table:table table:name="${escapeXml(name)}">${rowXml(headings)}`
    for await (const cells of rows) yield rowXml(cells)
    yield '</table:table>'
  }
  yield '</office:spreadsheet></office:body></office:document-content>'
}

const rowXml = (cells: readonly RawCell[]): string =>
  `<table:table-row>${cells.map(cellXml).join('')}</table:table-row>`

function cellXml(cell: RawCell): string {
  if (cell === '') return '<table:table-cell/>'
  if (typeof cell === 'boolean') return typed('boolean', `boolean-value="${cell}"`, cell ? 'TRUE' : 'FALSE')
  if (typeof cell === 'string') return typed('string', '', cell)
  const kind = numberKind(cell.format)
  const shown = numberText(cell.value, kind, cell.format)
  if (kind === 'digits') return typed('string', '', shown)
  if (kind === 'percentage') return typed('percentage', `value="${cell.value}"`, shown)
  const [, day, time] = /^(?:(\d{4}-\d{2}-\d{2}) ?)?(\d+:\d{2}(?::\d{2})?)?$/.exec(shown) ?? []
  if (kind === 'number' || (!day && !time))
    return typed(currencyOfFormat(cell.format) ? 'currency' : 'float', `value="${cell.value}"`, shown)
  return momentXml(shown, day, time)
}

function momentXml(shown: string, day: string | undefined, time: string | undefined): string {
  if (day)
    return typed('date', `date-value="${time ? `${day}T${withSeconds(time)}` : day}"`, shown, time ? 'moment' : 'date')
  const [hours, minutes, seconds] = withSeconds(time ?? '').split(':')
  return typed('time', `time-value="PT${hours}H${minutes}M${seconds}S"`, shown, 'time')
}

const withSeconds = (time: string): string => (time.split(':').length === 2 ? `${time}:00` : time)

function typed(type: string, value: string, shown: string, style?: string): string {
  const paragraphs = escapeXml(shown.replace(unwritableInXml, ''))
    .split('\n')
    .map(line => `<text:p>${line.replaceAll('\t', '<text:tab/>').replace(/ {2,}|^ | $/g, spaces)}</text:p>`)
  return `<table:table-cell${style ? ` table:style-name="${style}"` : ''} office:value-type="${type}"${value && ` office:${value}`}>${paragraphs.join('')}</table:table-cell>`
}

/** Several spaces, which readers would otherwise join into one. */
const spaces = (text: string): string => `<text:s text:c="${text.length}"/>`
