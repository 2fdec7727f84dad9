import { type CellValue, type WriteOptions, writeOds, writeXlsx } from 'hucre'
import { ZipFile } from 'yazl'

export type SheetRows = Readonly<Record<string, readonly (readonly CellValue[])[]>>

/** A workbook that another library writes: sheets by their names, as rows of cells. */
export const workbook = (sheets: SheetRows, options: Partial<WriteOptions> = {}): Promise<Uint8Array> =>
  writeXlsx({ ...options, sheets: sheetsOf(sheets) })

/** The same as OpenDocument. */
export const odsWorkbook = (sheets: SheetRows): Promise<Uint8Array> => writeOds({ sheets: sheetsOf(sheets) })

const sheetsOf = (sheets: SheetRows) =>
  Object.entries(sheets).map(([name, rows]) => ({ name, rows: rows.map(row => [...row]) }))

/** An archive of these parts. */
export async function archive(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

interface RawXlsx {
  /** What stands within `worksheet`, for each sheet. */
  readonly sheets: Readonly<Record<string, string>>
  /** Attributes of the sheets in the workbook. */
  readonly states?: Readonly<Record<string, string>>
  readonly strings?: string
  readonly styles?: string
  readonly properties?: string
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relations = (targets: readonly (readonly [type: string, target: string])[]) =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** A workbook in XML as programs write it, for what a library does not write. */
export function rawXlsx({ sheets, states = {}, strings, styles, properties = '' }: RawXlsx): Promise<Buffer> {
  const names = Object.keys(sheets)
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ...(strings === undefined ? [] : [['sharedStrings', '/xl/sharedStrings.xml'] as const]),
      ...(styles === undefined ? [] : [['styles', 'styles.xml'] as const]),
    ]),
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${names
      .map(
        (name, index) => `<sheet name="${name}" sheetId="${index + 7}" ${states[name] ?? ''} r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
  }
  if (strings !== undefined) parts['xl/sharedStrings.xml'] = `${head}<sst xmlns="${main}">${strings}</sst>`
  if (styles !== undefined) parts['xl/styles.xml'] = `${head}<styleSheet xmlns="${main}">${styles}</styleSheet>`
  for (const [index, xml] of Object.values(sheets).entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = `${head}<worksheet xmlns="${main}">${xml}</worksheet>`
  return archive(parts)
}
