import type { Rows, Site, TableName } from './rows.ts'
import type { Store } from './store.ts'
import { createTables, emptySnapshot, sequenceOf } from './tables.ts'

/** A calendar that is gone when the process ends; empty, or with these rows. */
export function memoryStore(site: Site, rows: { readonly [T in TableName]?: readonly Rows[T][] } = {}): Store {
  const all = { ...emptySnapshot.rows, ...rows }
  const tables = createTables({ rows: all, sequence: sequenceOf(all) })
  return {
    site,
    table: name => tables.maps[name],
    bySlug: tables.bySlug,
    get version() {
      return tables.version
    },
    write: async work => tables.commit(work).result,
    onChange: tables.onChange,
    snapshot: tables.snapshot,
    async restore(snapshot) {
      tables.restore(snapshot)
    },
    async close() {},
  }
}
