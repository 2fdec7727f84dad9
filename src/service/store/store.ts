/**
 * A calendar in memory, with or without a file. `open-calendar-file.ts` reads a calendar file and its journal (`load.ts`) and returns a
 * `Store`; handlers read its tables and change them in writes, which are in the journal before they are acknowledged (`file-store.ts`,
 * `saver.ts`, `journal.ts`). When another program changes the file, `file-follower.ts` reads it again. The columns of tables follow from
 * the contract (`rows.ts`). Files that calctl did not write are checked by `check/`.
 */
import type { Language } from '../../contract/languages.ts'
import type { Rows, Site, TableName } from './rows.ts'

/** One list of rows by id. Rows are never changed in place: a write puts a new one. */
export interface Table<Row> {
  readonly size: number
  get(id: number): Row | undefined
  values(): Iterable<Row>
}

/** One row added, replaced or deleted: `before` is undefined for a new row, `after` for a deleted one. */
export type RowChange = {
  [T in TableName]: {
    readonly table: T
    readonly id: number
    readonly before: Rows[T] | undefined
    readonly after: Rows[T] | undefined
  }
}[TableName]

/** The whole calendar at one moment, as a value. */
export interface Snapshot {
  readonly rows: { readonly [T in TableName]: readonly Rows[T][] }
  readonly sequence: Sequence
}

/** The last IDs that were assigned. */
export interface Sequence {
  readonly post: number
  readonly term: number
}

/** What a write can do. Changes take effect at once, and are undone if the work throws or the disk refuses them. */
export interface Writing {
  /** The next id: posts and images share one sequence, terms have their own. */
  nextId(of: 'post' | 'term'): number
  put<T extends TableName>(table: T, row: Rows[T]): void
  delete(table: TableName, id: number): void
}

/** The uploaded files of a calendar, by their paths: `2026/12/poster.png`. */
export interface StoredFiles {
  read(path: string): Promise<Uint8Array | undefined>
  /** Stores a new file, durably if the calendar is on a disk; rejects with a `Refusal` 507 if the disk refuses it. */
  add(path: string, bytes: Uint8Array): Promise<void>
  /** Removes a file that no record names. */
  remove(path: string): Promise<void>
  /** Whether the smaller copies of this picture exist, under the names of `copyName`. */
  hasCopiesOf?(path: string): boolean
  /** Whether there is a file of this path. */
  has(path: string): boolean
}

/** Files to which none can be added. */
export type ReadableFiles = Pick<StoredFiles, 'read' | 'has' | 'hasCopiesOf'>

/** A calendar in memory, with or without a file. */
export interface Store {
  readonly site: Site
  readonly files: StoredFiles
  table<T extends TableName>(name: T): Table<Rows[T]>
  /** Rows with this slug in this language, regardless of case, including trashed ones. */
  bySlug<T extends Exclude<TableName, 'images'>>(name: T, language: Language, slug: string): Rows[T] | undefined
  /** Increases with every write, so that values computed from rows can be recognized as stale. */
  readonly version: number
  /**
   * Runs work to its end without interruption; resolves when its writes are on disk. Rejects with a `Refusal`: 507 if the disk fails, 503
   * while another program's change of the file is in the way.
   */
  write<T>(work: (writing: Writing) => T): Promise<T>
  /**
   * Reads the file again if another program has changed it; to be called before each request. Returns undefined if there is nothing to wait
   * for.
   */
  refresh(): Promise<void> | undefined
  /**
   * Resolves when everything that can be read now is on disk: true if it still is as it was, false if a write was refused and undone in the
   * meantime. Returns undefined if there is nothing to wait for.
   */
  whenSaved(): Promise<boolean> | undefined
  /** Calls the listener after every change, including undone ones. */
  onChange(listener: (change: RowChange) => void): void
  /** Calls the listener when the file was read again because another program changed it. */
  onReread(listener: () => void): void
  /** The current calendar; cheap, because rows are never changed. */
  snapshot(): Snapshot
  /** Restores the earlier state of the calendar, future IDs included; resolves when it is on disk. */
  restore(snapshot: Snapshot): Promise<void>
  /** Flushes, releases the file, and resolves when both are done. */
  close(): Promise<void>
}
