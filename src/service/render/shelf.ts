import { apiRoot, type Context } from '../context.ts'
import type { Manner } from '../manner.ts'

/** Texts of rows, made once. Rows never change, so a text stays good until what else stands in it does: its stamp. */
export interface Shelf {
  text(row: object, stamp: number, make: () => Buffer): Buffer
}

/** In bytes; twice as much is kept at most. */
const room = 48 * 1024 * 1024

/** What was not asked for while the shelf filled up once is thrown away. */
export function createShelf(): Shelf {
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

const shelves = new WeakMap<Manner, Map<string, Shelf>>()

/** The shelf of a calendar at its address: texts hold both, and the manner made them. */
export function shelfOf(context: Context): Shelf {
  const key = `${context.store.site.language} ${apiRoot(context, context.store.site.language)}`
  const ofManner = shelves.get(context.manner) ?? new Map<string, Shelf>()
  const shelf = ofManner.get(key) ?? createShelf()
  shelves.set(context.manner, ofManner.set(key, shelf))
  return shelf
}
