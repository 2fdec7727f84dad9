import type { Rows, Site, TableName } from './rows.ts'
import type { Store, StoredFiles } from './store.ts'
import { filesInMemory } from './stored-files.ts'
import { createTables, emptySnapshot, type Rewriting, restoring, sequenceOf, type Tables } from './tables.ts'

/** A calendar in memory only; empty, or with these rows and with files that are only read. */
export function memoryStore(
  site: Site,
  rows: { readonly [T in TableName]?: readonly Rows[T][] } = {},
  files?: StoredFiles,
): Store {
  const all = { ...emptySnapshot.rows, ...rows }
  const tables = createTables({ rows: all, sequence: sequenceOf(all) })
  return storeOf(() => site, tables, {
    files: filesInMemory(files),
    write: async work => tables.commit(work).result,
    close: async () => {},
  })
}

/** How a store saves writes, and what closing it does. */
interface Persistence {
  readonly files: StoredFiles
  refresh?(): Promise<void> | undefined
  onReread?(listener: () => void): void
  whenSaved?(): Promise<boolean> | undefined
  write<T>(work: (writing: Rewriting) => T): Promise<T>
  close(): Promise<void>
}

/** The store in front of these tables. */
export const storeOf = (
  site: () => Site,
  tables: Tables,
  { files, refresh = () => undefined, onReread = () => {}, whenSaved = () => undefined, write, close }: Persistence,
): Store => ({
  get site() {
    return site()
  },
  files,
  table: name => tables.maps[name],
  bySlug: tables.bySlug,
  get version() {
    return tables.version
  },
  refresh,
  whenSaved,
  write,
  onChange: tables.onChange,
  onReread,
  snapshot: tables.snapshot,
  restore: snapshot => write(restoring(tables, snapshot)),
  close,
})
