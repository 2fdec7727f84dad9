/**
 * The smaller copies that WordPress makes of an uploaded picture by default: each has the name of the picture with its own size, as
 * `poster-300x200.png`.
 */

/** A width and a height in pixels. */
export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** What a copy must fit into; a cropped copy fills it. */
interface Frame extends PixelSize {
  readonly name: string
  readonly isCropped?: boolean
}

const frames: readonly Frame[] = [
  { name: 'medium', width: 300, height: 300 },
  { name: 'large', width: 1024, height: 1024 },
  { name: 'thumbnail', width: 150, height: 150, isCropped: true },
  { name: 'medium_large', width: 768, height: Number.POSITIVE_INFINITY },
  { name: '1536x1536', width: 1536, height: 1536 },
  { name: '2048x2048', width: 2048, height: 2048 },
]

/** The sizes of the copies of a picture, by their names; none that is as large as the picture itself. */
export function copySizes(picture: PixelSize): Record<string, PixelSize> {
  const smaller = frames.filter(({ width, height }) => width < picture.width || height < picture.height)
  return Object.fromEntries(smaller.map(frame => [frame.name, sizeWithin(frame, picture)]))
}

function sizeWithin({ width, height, isCropped }: Frame, picture: PixelSize): PixelSize {
  if (isCropped) return { width: Math.min(width, picture.width), height: Math.min(height, picture.height) }
  const scale = Math.min(width / picture.width, height / picture.height)
  return { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) }
}

/** The file name of a copy. */
export const copyName = (file: string, { width, height }: PixelSize): string =>
  file.replace(/(\.\w+)?$/, `-${width}x${height}$1`)

/** The picture of which a file is a copy, by name alone, and the size of the copy; undefined if the name is not that of a copy. */
export function readCopyName(name: string): { readonly picture: string; readonly size: PixelSize } | undefined {
  const [, stem, width, height, ending = ''] = /^(.+)-(\d{1,4})x(\d{1,4})(\.\w+)?$/.exec(name) ?? []
  if (stem === undefined) return undefined
  return { picture: stem + ending, size: { width: Number(width), height: Number(height) } }
}
