import { slugOf } from '../../contract/slug.ts'
import { decodePercent } from '../../text/percent-encoding.ts'
import type { RequestContext } from '../request-context.ts'
import type { ImageRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { ImageFile } from './image-file.ts'

/** What is known of an uploaded image besides its ID and URL. It is kept in memory: the calendar file has no images. */
export interface Upload {
  readonly bytes?: Uint8Array
  readonly file?: ImageFile
  readonly title: string
  readonly alt_text: string
  readonly caption: string
  readonly author: number
  readonly date: string
  readonly date_utc: string
  readonly modified: string
  readonly modified_utc: string
}

const uploadsByStore = new WeakMap<Store, Map<number, Upload>>()

export function uploadsOf(store: Store): Map<number, Upload> {
  const uploads = uploadsByStore.get(store) ?? new Map<number, Upload>()
  uploadsByStore.set(store, uploads)
  return uploads
}

/** An image with what is known about it: of one that was given by its URL that is its name. */
export function uploadOf(store: Store, { id, url }: ImageRow): Upload {
  const date = { date: '', date_utc: '', modified: '', modified_utc: '' }
  return uploadsOf(store).get(id) ?? { title: baseName(url), alt_text: '', caption: '', author: 1, ...date }
}

/** The address of the site itself, without the folder of the API. */
export const siteHome = ({ baseUrl }: Pick<RequestContext, 'baseUrl'>): string => baseUrl.replace(/\/wp-json$/, '')

/** The folder of uploads, below the address of a site. */
export const uploadFolder = '/wp-content/uploads/'

/** The bytes of an upload by its path; undefined if there are none. */
export function fileAt(store: Store, path: string): { bytes: Uint8Array; mime: string } | undefined {
  for (const { id, url } of store.table('images').values()) {
    const upload = uploadsOf(store).get(id)
    if (upload?.bytes && upload.file && url.endsWith(path)) return { bytes: upload.bytes, mime: upload.file.mime }
  }
  return undefined
}

/** The name of a file without its ending. */
export const baseName = (path: string): string => decodePercent(path.replace(/^.*\//, '')).replace(/\.\w+$/, '')

/** A file name as WordPress stores it: without spaces and signs, and with a number if there is one of that name. */
export function freeFileName(store: Store, folder: string, given: string): string {
  const ending = /\.\w+$/.exec(given)?.[0].toLowerCase() ?? ''
  const stem = slugOf(given.slice(0, given.length - ending.length)) || 'image'
  const taken = new Set(Array.from(store.table('images').values(), ({ url }) => url))
  for (let number = 0; ; number++) {
    const name = `${stem}${number === 0 ? '' : `-${number}`}${ending}`
    if (!taken.has(folder + name)) return name
  }
}
