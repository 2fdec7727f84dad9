import type { Sink } from '../world.ts'

/** What can be printed: a record of a resource, or anything else that has names and values. */
export type Row = Readonly<Record<string, unknown>>

/** What printing needs to know of rows. Every resource is one. */
export interface Shape {
  /** Of a table, and of CSV and TSV. */
  readonly columns: readonly string[]
  /** All names, in the order in which one row is shown. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The column that `-o ids` prints, where it is not `id`. */
  readonly key?: string
}

/** A shape of these names; the columns are all of them unless only some are given. */
export const shapeOf = (names: readonly string[], { columns = names, key }: Partial<Shape> = {}): Shape => ({
  columns,
  fields: Object.fromEntries(names.map(name => [name, true])),
  ...(key !== undefined && { key }),
})

/** Records at hand, or coming one after another. */
export type Records = Iterable<Row> | AsyncIterable<Row>

/** Whether it is one record, and not a list of one. */
export const isOne = (records: Row | Records): records is Row =>
  !(Symbol.iterator in records || Symbol.asyncIterator in records)

/** What must be known of the terminal; lines may be of any length where `columns` is undefined. */
export interface Surface {
  readonly color: boolean
  readonly columns: number | undefined
  /** The viewer's time zone. */
  readonly zone?: string | undefined
}

/** How records become text one after another, so that a stream of them is never held whole. */
export interface Form {
  readonly open?: string
  record(record: Row, index: number): string
  close?(count: number): string
}

const chunkLength = 65_536
/** In ms: a slow stream is written at least this often. */
const longestWait = 100

/** Writes records as they come, in chunks; what was read before a failure is written too. */
export async function writeForm(records: Records, form: Form, sink: Pick<Sink, 'write'>): Promise<void> {
  let chunk = form.open ?? ''
  let count = 0
  let written = Date.now()
  try {
    for await (const record of records) {
      chunk += form.record(record, count)
      count += 1
      if (chunk.length < chunkLength && Date.now() - written < longestWait) continue
      const full = chunk
      chunk = ''
      await sink.write(full)
      written = Date.now()
    }
    chunk += form.close?.(count) ?? ''
  } finally {
    if (chunk !== '') await sink.write(chunk)
  }
}
