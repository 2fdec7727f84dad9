import { existsSync, promises } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../base/fs.ts'
import { Refusal } from '../refusal.ts'
import { flushFolder, isSystemError } from './disk.ts'
import type { Rows, Site, TableName } from './rows.ts'
import type { ReadableFiles, Store, StoredFiles } from './store.ts'
import { createTables, emptySnapshot, type Rewriting, restoring, sequenceOf, type Tables } from './tables.ts'

/** A calendar only in memory: empty, or with these rows and with read-only files. */
export function memoryStore(
  site: Site,
  rows: { readonly [T in TableName]?: readonly Rows[T][] } = {},
  files?: ReadableFiles,
): Store {
  const all = { ...emptySnapshot.rows, ...rows }
  const tables = createTables({ rows: all, sequence: sequenceOf(all) })
  return storeOf(() => site, tables, {
    files: filesInMemory(files),
    write: async work => tables.commit(work).result,
    close: async () => {},
  })
}

/** How a store saves writes, and what closing does. */
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

/** The same calendar with another language or time zone, which are not written to its file. */
export function withSettings(store: Store, settings: Partial<Site>): Store {
  let latest = { own: store.site, site: { ...store.site, ...settings } }
  const siteOf = (own: Site): Site => {
    // The same object until the settings of the file change, so that values computed for it stay valid.
    if (own !== latest.own) latest = { own, site: { ...own, ...settings } }
    return latest.site
  }
  return Object.create(store, { site: { get: () => siteOf(store.site) } })
}

/** The folder of the files that were uploaded to a calendar, next to its calendar file. */
export const uploadFolderOf = (calendarFile: string): string => `${calendarFile}.uploads`

/** The files of a calendar in memory, and behind them those of another calendar. */
function filesInMemory(others?: ReadableFiles): StoredFiles {
  const files = new Map<string, Uint8Array>()
  return {
    hasCopiesOf: path => others?.hasCopiesOf?.(path) === true,
    read: async path => files.get(path) ?? others?.read(path),
    async add(path, bytes) {
      files.set(path, bytes)
    },
    async remove(path) {
      files.delete(path)
    },
    has: path => files.has(path) || others?.has(path) === true,
  }
}

/** The files in a folder, which is created for the first one. */
export function filesInFolder(folder: string): StoredFiles {
  return {
    async read(path) {
      return isOwnPath(path) ? promises.readFile(join(folder, path)).catch(() => undefined) : undefined
    },
    async add(path, bytes) {
      const file = join(folder, path)
      try {
        makeFolder(dirname(file))
        const handle = await promises.open(file, 'wx')
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await flushFolder(dirname(file))
      } catch (error) {
        if (!isSystemError(error)) throw error
        throw new Refusal(507, 'rest_upload_unknown_error', `Could not write the file: ${error.message}.`)
      }
    },
    async remove(path) {
      if (isOwnPath(path)) await promises.rm(join(folder, path), { force: true })
    },
    has: path => existsSync(join(folder, path)),
  }
}

/** Whether a path is one that `add` gives: people may edit a calendar file, and a path must not lead out of the folder. */
const isOwnPath = (path: string): boolean => /^\d{4}\/\d\d\/[\w%-][\w%.-]*$/.test(path)
