import { decodePercent } from '../../base/text/escaping.ts'
import { slugOf } from '../../contract/slug.ts'
import { uploadFolder } from '../render/addresses.ts'
import type { HandlerResult } from '../request-context.ts'
import type { Store } from '../store/store.ts'

/** An uploaded file by the path of its URL; undefined if there is none. */
export async function uploadedFile(store: Store, path: string): Promise<HandlerResult | undefined> {
  const name = path.slice(path.indexOf(uploadFolder) + uploadFolder.length)
  for (const { url, mime_type = '' } of store.table('images').values()) {
    if (url !== name) continue
    const body = await store.files.read(name)
    return body && { status: 200, headers: { 'content-type': mime_type, 'x-content-type-options': 'nosniff' }, body }
  }
  return undefined
}

/** The name of a file without its ending. */
export const baseName = (path: string): string => decodePercent(path.replace(/^.*\//, '')).replace(/\.\w+$/, '')

/** A file name as WordPress stores it: without spaces and punctuation, and with a number if the name is taken. */
export function freeFileName({ files }: Store, folder: string, given: string): string {
  const ending = /\.\w+$/.exec(given)?.[0].toLowerCase() ?? ''
  const stem = slugOf(given.slice(0, given.length - ending.length)) || 'image'
  for (let number = 0; ; number++) {
    const name = `${folder}${stem}${number === 0 ? '' : `-${number}`}${ending}`
    if (!files.has(name)) return name
  }
}
