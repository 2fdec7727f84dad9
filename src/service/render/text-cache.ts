import type { Context, Dialect } from '../dialect.ts'
import { apiRoot } from '../request-context.ts'
import type { Store } from '../store/store.ts'

/** The texts of rows. Rows never change, so a text is valid until something else in it does, which its stamp tells. */
export interface TextCache {
  text(row: object, stamp: number, render: () => Buffer): Buffer
}

/** A cache of `room` bytes, and up to as many again: what was not used while it filled up once is dropped. */
function createTextCache(room: number): TextCache {
  let recent = new Map<object, { stamp: number; bytes: Buffer }>()
  let before = recent
  let used = 0
  return {
    text(row, stamp, render) {
      const cached = recent.get(row)
      if (cached?.stamp === stamp) return cached.bytes
      const older = before.get(row)
      const entry = older?.stamp === stamp ? older : { stamp, bytes: render() }
      if (used > room) {
        before = recent
        recent = new Map()
        used = 0
      }
      recent.set(row, entry)
      used += entry.bytes.length
      return entry.bytes
    },
  }
}

/** The texts that answers are built from. */
export interface TextCaches {
  /** The own fields of rows. */
  readonly parts: TextCache
  /** Events with their links. */
  readonly events: TextCache
}

interface CachesOfDialect extends TextCaches {
  readonly dialect: Dialect
  readonly root: string
}

const cachesOfStores = new WeakMap<Store, CachesOfDialect[]>()

const megabyte = 1024 * 1024

/** The caches of a calendar at a base URL and in a dialect, on both of which its texts depend. */
export function textCachesOf(context: Context): TextCaches {
  const { store, dialect } = context
  const root = apiRoot(context, store.site.language)
  const all = cachesOfStores.get(store) ?? []
  const existing = all.find(one => one.dialect === dialect && one.root === root)
  if (existing) return existing
  const caches = { dialect, root, parts: createTextCache(12 * megabyte), events: createTextCache(16 * megabyte) }
  cachesOfStores.set(store, [...all, caches])
  return caches
}
