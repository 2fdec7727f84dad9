import type { Context, Dialect } from '../dialect.ts'
import { apiRoot } from '../request-context.ts'
import type { Store } from '../store/store.ts'

/** Texts of rows, made once. Rows never change, so a text stays good until what else stands in it does: its stamp. */
export interface Shelf {
  text(row: object, stamp: number, make: () => Buffer): Buffer
}

/** Of `room` bytes, and up to as many again: what was not asked for while it filled up once is thrown away. */
function createShelf(room: number): Shelf {
  let recent = new Map<object, { stamp: number; bytes: Buffer }>()
  let before = recent
  let used = 0
  return {
    text(row, stamp, make) {
      const known = recent.get(row)
      if (known?.stamp === stamp) return known.bytes
      const older = before.get(row)
      const entry = older?.stamp === stamp ? older : { stamp, bytes: make() }
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

/** The texts that answers are put together from. */
export interface Shelves {
  /** What rows say of themselves. */
  readonly parts: Shelf
  /** Events with what they are linked to. */
  readonly events: Shelf
}

interface Kept extends Shelves {
  readonly dialect: Dialect
  readonly root: string
}

const kept = new WeakMap<Store, Kept[]>()

const megabyte = 1024 * 1024

/** The shelves of a calendar at an address: texts hold its URLs, and the dialect made them. */
export function shelvesOf(context: Context): Shelves {
  const { store, dialect } = context
  const root = apiRoot(context, store.site.language)
  const all = kept.get(store) ?? []
  const known = all.find(one => one.dialect === dialect && one.root === root)
  if (known) return known
  const made = { dialect, root, parts: createShelf(12 * megabyte), events: createShelf(16 * megabyte) }
  kept.set(store, [...all, made])
  return made
}
