import { imageUrl } from '../render/addresses.ts'
import type { RequestContext } from '../request-context.ts'
import type { ImageRow, PostRow } from '../store/rows.ts'

/** The HTML of the shortcodes of a post: its galleries; the others show nothing without uploaded files. */
export function shortcodesOf(context: RequestContext, row: PostRow) {
  let galleries = 0
  return (name: string, attributes: string): string => {
    const images = name === 'gallery' ? imagesOf(context, row, attributes) : []
    if (images.length === 0) return ''
    galleries++
    return gallery(context, row.id, galleries, images)
  }
}

/** The images that a gallery names, else the post's own. */
function imagesOf({ store }: RequestContext, row: PostRow, attributes: string): ImageRow[] {
  const named = /\bids=["']?([\d,\s]+)/.exec(attributes)?.[1]?.split(',').map(Number)
  return (named ?? [row.image]).flatMap(id => (id ? (store.table('images').get(id) ?? []) : []))
}

function gallery(context: RequestContext, post: number, number: number, images: readonly ImageRow[]): string {
  const items = images.map(image => {
    const url = escaped(imageUrl(context, image))
    return `<figure class='gallery-item'><div class='gallery-icon landscape'><a href='${url}'><img decoding="async" src="${url}" class="attachment-thumbnail size-thumbnail" alt="" /></a></div></figure>`
  })
  return `<div id='gallery-${number}' class='gallery galleryid-${post} gallery-columns-3 gallery-size-thumbnail'>${items.join('')}</div>`
}

/** In an address, characters that would end an attribute. */
const escaped = (url: string): string => url.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('<', '%3C')

/** The text of a record in a list: WordPress numbers the galleries of a page, so they differ from those of a record alone. */
export function numberGalleries(row: object, text: Buffer, index: number): Buffer {
  if (!('description' in row) || !String(row.description).includes('[gallery')) return text
  const renumbered = text
    .toString()
    .replace(/(?<=<div id='gallery-)\d+(?=' class='gallery )/g, number => String(Number(number) + index + 1))
  return Buffer.from(renumbered)
}
