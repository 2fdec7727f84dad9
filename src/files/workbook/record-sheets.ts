import { phrase } from '../../base/words/phrase.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { writtenHeading } from '../../contract/posts.ts'
import type { Resource } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import type { RawCell } from '../csv/cell-values.ts'
import { serialOf } from '../csv/number-formats.ts'
import { rowCells, sheetColumns, sheetStyle } from '../csv/write-csv.ts'
import type { WritableRecord } from '../records/file-record.ts'
import type { WriteOptions } from '../write-records.ts'
import { longestCell, type OutgoingSheet, writeXlsx } from './write-xlsx.ts'

interface RecordSheetOptions extends Pick<WriteOptions, 'resources' | 'fields' | 'secrets'> {
  readonly notice: (text: string) => Promise<void>
}

/** Writes records as a workbook with a sheet for each resource, in the order of the records, which `readRecords` reads back. */
export async function* writeWorkbook(
  records: AsyncIterable<WritableRecord>,
  options: RecordSheetOptions,
): AsyncGenerator<Uint8Array> {
  const take = takeTurns(records)
  const sheets: OutgoingSheet[] = options.resources.map(name => {
    const resource = resourceNamed(name)
    const columns = sheetColumns(resource, { ...options, hasOrigin: true })
    return { name, headings: columns.map(writtenHeading), rows: rowsOf(take(name), resource, columns, options) }
  })
  yield* writeXlsx(sheets)
}

/** Distributes records, which come resource by resource, to the sheets, which are written one after another. */
function takeTurns(records: AsyncIterable<WritableRecord>) {
  const iterator = records[Symbol.asyncIterator]()
  let next: IteratorResult<WritableRecord> | undefined
  return async function* (name: ResourceName): AsyncGenerator<WritableRecord> {
    for (next ??= await iterator.next(); !next.done && next.value.resource === name; next = await iterator.next())
      yield next.value
  }
}

async function* rowsOf(
  records: AsyncIterable<WritableRecord>,
  resource: Resource,
  columns: readonly string[],
  { notice }: RecordSheetOptions,
): AsyncGenerator<RawCell[]> {
  for await (const record of records) {
    const cells = rowCells(record, columns, resource, sheetStyle('csv'))
    for (const [index, text] of cells.entries()) {
      if (text.length <= longestCell) continue
      // An empty cell leaves its field as it is when the sheet is applied.
      cells[index] = ''
      await notice(
        phrase('{record}: left out {column}, which is longer than a cell can be ({most} characters)', {
          record: namedRecord(resource.name, record.id ?? ''),
          column: columns[index] ?? '',
          most: longestCell,
        }),
      )
    }
    yield cells.map((text, index) => typedCell(text, columns[index] ?? '', resource))
  }
}

/** Dates, booleans and IDs as such; everything else is text, so that no program changes it. */
function typedCell(text: string, column: string, resource: Resource): RawCell {
  const kind = resource.fields[column]?.kind
  if (column === 'id' && text !== '') return { value: Number(text), format: '0' }
  if (kind?.shape === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  const serial = kind?.shape === 'moment' ? serialOf(text) : undefined
  return serial === undefined ? text : { value: serial, format: 'yyyy-mm-dd hh:mm' }
}
