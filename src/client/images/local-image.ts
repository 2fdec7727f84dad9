import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { largerThan, storedFileProblem } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { ImageFile } from '../../contract/kinds/image-kind.ts'

/** The largest image to upload, in bytes: hosts rarely accept more. */
const largestImage = 64 * 1024 ** 2

/** The image in a file, or why it cannot be uploaded: `it is empty`. Only its type and size are checked. */
export async function readLocalImage(file: string, name: string): Promise<ImageFile | { readonly problem: string }> {
  try {
    const problem = storedFileProblem(file) ?? sizeProblem((await stat(file)).size)
    if (problem !== undefined) return { problem }
    const bytes = await readFile(file)
    const type = imageType(bytes)
    if (!type.startsWith('image/')) return { problem: notAnImage(type) }
    return { file, name, size: bytes.length, type, sha256: hashOf(bytes) }
  } catch (error) {
    return { problem: reason(error as Error, 'read') }
  }
}

function sizeProblem(size: number): string | undefined {
  if (size === 0) return phrase('it is empty')
  return size > largestImage ? largerThan(largestImage) : undefined
}

export const notAnImage = (type: string): string =>
  type === '' ? phrase('it is not an image') : phrase('it is {type}, not an image', { type })

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The media type of a file, from its first bytes; empty if they do not tell. */
export function imageType(bytes: Uint8Array): string {
  const beginning = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return signatures.find(([from, signature]) => beginning.startsWith(signature, from))?.[2] ?? ''
}

/**
 * The bytes that tell the type of a file, and where they are: for the image formats of the web, and for what people send instead of images.
 */
const signatures: readonly (readonly [from: number, bytes: string, type: string])[] = [
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftypavis', 'image/avif'],
  [4, 'ftypheic', 'image/heic'],
  [4, 'ftypheix', 'image/heic'],
  [4, 'ftypmif1', 'image/heic'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, 'BM', 'image/bmp'],
  [0, '\0\0\x01\0', 'image/x-icon'],
  [0, '%PDF-', 'application/pdf'],
  [0, 'PK\x03\x04', 'application/zip'],
]

const endings: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/tiff': ['tif', 'tiff'],
  'image/heic': ['heic', 'heif'],
}

/** A file name with the extension of its type: sites go by the extension, and refuse a wrong one. */
export function withEnding(name: string, type: string): string {
  const own = endings[type] ?? [type.replace(/^image\/(x-|vnd\.)?/, '')]
  const [ending = ''] = own
  const given = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  if (given !== undefined && own.includes(given)) return name
  return `${name.replace(/\.\w{2,5}$/, '')}.${ending}`
}
