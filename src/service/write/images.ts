import type { Write } from '../dialect.ts'
import type { ImageRow } from '../store/rows.ts'
import type { Store, Table } from '../store/store.ts'

/**
 * The id of an image: a number is one, and a URL gets one of its own that stays the same. Null, or an empty text, is no image.
 */
export function imageId({ context, writing }: Write, image: number | string | null): number | null {
  if (image === null || image === '') return null
  if (typeof image === 'number' || !Number.isNaN(Number(image))) return Number(image)
  const known = idsByUrl(context.store)
  const before = known.get(image)
  if (before !== undefined && context.store.table('images').get(before)?.url === image) return before
  const row = { id: writing.nextId('post'), url: image }
  writing.put('images', row)
  known.set(image, row.id)
  return row.id
}

const kept = new WeakMap<Table<ImageRow>, Map<string, number>>()

/** Made again when the table holds more than is known: images are added by this file and by nobody else while it runs. */
function idsByUrl(store: Store): Map<string, number> {
  const table = store.table('images')
  const before = kept.get(table)
  if (before && before.size >= table.size) return before
  const made = new Map([...table.values()].map(({ id, url }) => [url, id]))
  kept.set(table, made)
  return made
}
