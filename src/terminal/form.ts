/** An object to print: a record of a resource, or any other. */
export type Row = Readonly<Record<string, unknown>>

/** Properties of rows that printing depends on. Every resource is a shape. */
export interface Shape {
  /** Of a table, and of CSV and TSV. */
  readonly columns: readonly string[]
  /** All names, in the order of a card. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The column that `-o ids` prints, if it is not `id`. */
  readonly key?: string
  /** The column that people look for first: a table cuts it last. */
  readonly title?: string
  /** Columns that a table never cuts, besides those of numbers and dates. */
  readonly whole?: readonly string[]
}

/** Creates a shape of these names; by default all of them are columns. */
export const shapeOf = (names: readonly string[], { columns = names, key }: Partial<Shape> = {}): Shape => ({
  columns,
  fields: Object.fromEntries(names.map(name => [name, true])),
  ...(key !== undefined && { key }),
})

/** Several records, possibly a stream. */
export type Records = Iterable<Row> | AsyncIterable<Row>

/** Whether it is a single record, not a list. */
export const isOne = (records: Row | Records): records is Row =>
  !(Symbol.iterator in records || Symbol.asyncIterator in records)

/** Properties of the terminal that tables depend on; without `columns`, lines may have any length. */
export interface Surface {
  readonly color: boolean
  readonly columns: number | undefined
  /** The viewer's time zone. */
  readonly zone?: string | undefined
}

/** How records become text, one after another, so that a stream need not be in memory as a whole. */
export interface Form {
  readonly open?: string
  record(record: Row, index: number): string
  close?(count: number): string
}

const chunkLength = 65_536
/** In ms: a slow stream is written at least this often. */
const longestWait = 100

/** Writes records in chunks as they arrive. Records that were read before a failure are written too. */
export async function writeForm(records: Records, form: Form, write: (text: string) => Promise<void>): Promise<void> {
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
      await write(full)
      written = Date.now()
    }
    chunk += form.close?.(count) ?? ''
  } finally {
    if (chunk !== '') await write(chunk)
  }
}
