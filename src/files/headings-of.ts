import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Failure } from '../base/failure.ts'
import { storedFileProblem } from '../base/fs.ts'
import type { CellRow } from './csv/cell-values.ts'
import { readCsv } from './csv/read-csv.ts'
import { decodeText } from './text-streams.ts'
import { readWorkbook } from './workbook/read-workbook.ts'

/** The first row of the sheet in a file; none if the file is not a sheet. */
export async function headingsOf(path: string): Promise<readonly string[]> {
  if (storedFileProblem(path) !== undefined) return []
  try {
    for await (const row of await rowsOf(path)) return row.cells
  } catch (error) {
    if (!(error instanceof Failure) && (error as NodeJS.ErrnoException).code === undefined) throw error
  }
  return []
}

async function rowsOf(path: string): Promise<AsyncIterable<CellRow>> {
  const bytes = createReadStream(path)
  const notice = () => {}
  for await (const start of createReadStream(path, { end: 1 }))
    if (String(start) === 'PK')
      for await (const table of readWorkbook(await readFile(path), { name: path, notice })) return table.rows
  return (await readCsv(decodeText(bytes, path, notice), { name: path, separator: ',' })).rows
}
