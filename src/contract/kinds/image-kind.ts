import { decodePercent } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Kind } from '../field.ts'
import { slugOf } from '../slug.ts'
import { base, fieldOf } from './base-kind.ts'
import { positiveIn, scalar } from './kind-values.ts'
import { isIdOrNone } from './link-kinds.ts'
import { isHttp } from './text-kinds.ts'

/** An image of the site: answered as an object, written as its ID or as a URL from which the site loads it. */
const imageKind: Kind<number | null, number | string> = {
  ...base,
  isSentAsText: true,
  name: 'image',
  shape: 'picture',
  placeholder: 'id|url|file',
  expected: () => phrase('an image: an ID or an http or https URL'),
  example: '12',
  empty: null,
  identity: ['id', 'url'],
  emptyColumn: null,
  read: scalar(value => value === '' || isHttp(value) || positiveIn(value) !== undefined),
  inFile(value) {
    const image = isObject(value) ? (value.url ?? value.id) : value
    if (image === false) return null
    return typeof image === 'number' ? String(image) : image
  },
  exported: ({ name, answer: { [name]: shown } }) => (isObject(shown) ? (shown.url ?? String(shown.id)) : undefined),
  schema: () => ({ type: ['integer', 'string'] }),
  answerSchema: () => ({ oneOf: [{ const: false }, { $ref: '#/components/schemas/Image' }] }),
  canonical: answered => (isObject(answered) ? (answered.id ?? null) : null),
  isShown(asked, { name, answer: { [name]: shown } }) {
    if (!isObject(shown)) return false
    return String(shown.id) === String(asked) || shown.url === asked || isImageCopy(asked, shown)
  },
  roundTrip: ({ name, answer: { [name]: shown } }) =>
    isObject(shown) && shown.id !== undefined ? String(shown.id) : undefined,
  column: (value, _field, _name, storing) => storing.imageId(value as number | string),
  isPatchable: isIdOrNone,
  patched: value => Number(value ?? 0) || 0,
  unpatched: value => (Number(value) > 0 ? { id: Number(value) } : false),
}

/**
 * Whether an image is the site's copy of the image at a URL, by file name: WordPress removes accents and punctuation from the name,
 * and may append a number or `-scaled` (`poster.jpg`, `poster-1.jpg`). A URL without an image file name proves nothing.
 */
function isImageCopy(value: unknown, image: unknown): boolean {
  const source = imageFile(value)
  const copy = imageFile(isObject(image) ? image.url : undefined)
  if (!source?.name || !copy || source.host === copy.host || !copy.name.startsWith(source.name)) return false
  return /^(-\d{1,3})?(-scaled)?$/.test(copy.name.slice(source.name.length))
}

const imageEnding = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$/i

function imageFile(address: unknown): { host: string; name: string } | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const { host, pathname } = new URL(address)
  const file = pathname.replace(/^.*\//, '')
  return imageEnding.test(file) ? { host, name: slugOf(decodePercent(file.replace(imageEnding, ''))) } : undefined
}

export const image = fieldOf(imageKind)

/** A local image file. */
export interface ImageFile {
  /** Its absolute path. */
  readonly file: string
  /** The path as it was typed, for messages. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Its media type, detected from its contents: `image/jpeg`. */
  readonly type: string
  readonly sha256: string
  /** The alternative text. */
  readonly alt?: string
}

/**
 * Stands for the ID of an image in the values of a step: a local file, or an image on the web that the site will copy. It is uploaded when
 * the step is due, unless the site has it by then.
 */
export interface PendingUpload {
  readonly $upload: ImageFile | { readonly url: string }
}

/** The name of a file or a URL, for messages. */
export const uploadName = ({ $upload: upload }: PendingUpload): string => ('url' in upload ? upload.url : upload.name)

export function isPendingUpload(value: unknown): value is PendingUpload {
  const upload = isObject(value) ? value.$upload : undefined
  if (!isObject(upload)) return false
  const names = 'url' in upload ? ['url'] : ['file', 'name', 'type', 'sha256']
  return names.every(name => typeof upload[name] === 'string')
}

/** Whether the value of an image can only be a file path: neither an ID nor a URL. */
export const isImagePath = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  !/^\s*\+?\d+(\.\d*)?(e\+?\d+)?\s*$/i.test(value) &&
  (/^file:\/\//i.test(value) || !/^[a-z][a-z\d+.-]+:/i.test(value))
