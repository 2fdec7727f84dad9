import { isObject } from '../text/json.ts'

/** An image file of this machine. */
export interface ImageFile {
  /** Its absolute path. */
  readonly file: string
  /** As it was typed, for messages. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Its media type, by its contents: `image/jpeg`. */
  readonly type: string
  readonly sha256: string
  /** The alternative text, for people who cannot see it. */
  readonly alt?: string
}

/** An image on the web, of which the site gets a copy. */
interface ImageCopy {
  readonly url: string
}

/** Stands in a step's values for the ID of an image, which is uploaded when the step is due unless it is on the site by then. */
export interface PendingUpload {
  readonly $upload: ImageFile | ImageCopy
}

/** What people call it: the name of a file, or an address. */
export const uploadName = ({ $upload: upload }: PendingUpload): string => ('url' in upload ? upload.url : upload.name)

export function isPendingUpload(value: unknown): value is PendingUpload {
  const upload = isObject(value) ? value.$upload : undefined
  if (!isObject(upload)) return false
  const names = 'url' in upload ? ['url'] : ['file', 'name', 'type', 'sha256']
  return names.every(name => typeof upload[name] === 'string')
}

/** Whether the value of an image can only be the path of a file: neither an ID nor an address on the web. */
export const isImagePath = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  !/^\s*\+?\d+(\.\d*)?(e\+?\d+)?\s*$/i.test(value) &&
  (/^file:\/\//i.test(value) || !/^[a-z][a-z\d+.-]+:/i.test(value))
