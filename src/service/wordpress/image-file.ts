/** What the bytes of an image say about it. */
export interface ImageFile {
  readonly mime: string
  /** In pixels; null for a format that is not looked into. */
  readonly width: number | null
  readonly height: number | null
}

/** The kind and size of an image, by its first bytes and never by its name; undefined for anything else. */
export function readImage(bytes: Uint8Array): ImageFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const starts = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) && bytes.length >= 24)
    return { mime: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
  if (starts(0x47, 0x49, 0x46, 0x38) && bytes.length >= 10)
    return { mime: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (starts(0xff, 0xd8, 0xff)) return { mime: 'image/jpeg', ...jpegSize(view) }
  if (starts(0x52, 0x49, 0x46, 0x46) && Buffer.from(bytes.subarray(8, 12)).toString('latin1') === 'WEBP')
    return { mime: 'image/webp', width: null, height: null }
  return undefined
}

/** A JPEG is a row of segments, each with its length; a frame header has the size. */
function jpegSize(view: DataView): Pick<ImageFile, 'width' | 'height'> {
  let at = 2
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + view.getUint16(at + 2)
  }
  return { width: null, height: null }
}

const endings: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/webp': ['webp'],
}

/** Whether a file name ends as files of this kind do. */
export const hasEndingOf = ({ mime }: ImageFile, name: string): boolean =>
  endings[mime]?.includes(name.replace(/^.*\./, '').toLowerCase()) ?? false
