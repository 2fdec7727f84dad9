import { type Answer, isObject } from '../contract/resource.ts'
import { slugOf } from '../contract/slug.ts'
import { decodePercent } from '../text/percent-encoding.ts'
import type { ImageSources, Values } from './client.ts'

export const isImageUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value)

/** The ID of an image in an answer. */
export const imageId = ({ image }: Answer): number | undefined =>
  isObject(image) && Number(image.id) > 0 ? Number(image.id) : undefined

/** Remembers the image that a site loaded for a write. */
export async function rememberImage(sources: ImageSources | undefined, { image }: Values, answer: Answer) {
  const id = imageId(answer)
  if (sources && id !== undefined && isImageUrl(image)) await sources.remember(id, image)
}

/** A URL that the image of a record was loaded from, as its ID: the record has it already. */
export async function withKnownImage(
  sources: ImageSources | undefined,
  before: Answer,
  values: Values,
): Promise<Values> {
  const id = imageId(before)
  const isSame =
    sources && id !== undefined && isImageUrl(values.image) && (await sources.sourceOf(id)) === values.image
  return isSame ? { ...values, image: String(id) } : values
}

/**
 * Whether an image is the site's own copy of the image at a URL, going by its file name: WordPress stores it under the name in
 * the URL without accents and signs, with a number or `-scaled` appended: `poster.jpg`, `poster-1.jpg`. An address whose path
 * names no image file says nothing about the name.
 */
export function isImageCopy(value: unknown, image: unknown): boolean {
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
