import { type ReadOptions, readRecords } from '../../src/files/read-records.ts'
import type { FileRecord, WritableRecord } from '../../src/files/records/file-record.ts'
import { type WriteOptions, writeRecords } from '../../src/files/write-records.ts'

export interface Read {
  readonly records: FileRecord[]
  readonly notices: string[]
}

/** Reads a file given as text or bytes, in chunks of this size. The clock stands at 21 November 2026. */
export async function read(
  content: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  chunk = 65_536,
): Promise<Read> {
  const notices: string[] = []
  const records: FileRecord[] = []
  const now = new Date('2026-11-21T02:00:00Z')
  const notice = (text: string) => notices.push(text)
  for await (const record of readRecords(chunks(Buffer.from(content), chunk), { now, notice, ...options }))
    records.push(record)
  return { records, notices }
}

/** The values of the records of a file, without their positions. */
export async function values(content: string | Uint8Array, options: Partial<ReadOptions> = {}): Promise<unknown[]> {
  return (await read(content, options)).records.map(record => record.values)
}

export async function writeText(records: readonly WritableRecord[], options: WriteOptions): Promise<string> {
  let text = ''
  for await (const piece of writeRecords(each(records), options)) text += piece
  return text
}

/** Yields the items one at a time, as a service does. */
export async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
