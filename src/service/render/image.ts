import type { Context } from '../dialect.ts'
import type { ImageRow } from '../store/rows.ts'
import { imageUrl } from './addresses.ts'
import { copyName, copySizes } from './image-sizes.ts'

/** An image as the API returns it; what only its file could tell is null. */
export function shownImage(context: Context, id: number | null): object | false {
  if (id === null) return false
  const row = context.store.table('images').get(id)
  const url = row ? imageUrl(context, row) : null
  const extension = url === null ? null : (/\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? null)
  const { width = null, height = null, filesize = null } = row ?? {}
  return {
    url,
    id,
    extension,
    width,
    height,
    filesize,
    sizes: row && url !== null ? copiesOf(context, row, url) : null,
  }
}

/** The smaller copies of a picture as the API returns them; null if there are none. */
function copiesOf({ store }: Context, row: ImageRow, url: string): object | null {
  const { width, height, mime_type } = row
  if (!width || !height || !store.files.hasCopiesOf?.(row.url)) return null
  const copies = Object.entries(copySizes({ width, height })).map(([name, size]) => [
    name,
    { ...size, 'mime-type': mime_type, url: copyName(url, size) },
  ])
  return Object.fromEntries(copies)
}
