import { isObject } from '../../base/text/json.ts'
import { isPendingUpload } from '../../contract/kinds/image-kind.ts'
import type { Answer } from '../../contract/resource.ts'
import type { ImageSources, Reads, Values } from '../client.ts'

export const isImageUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value)

/** The ID of an image in an answer. */
export const imageId = ({ image }: Answer): number | undefined =>
  isObject(image) && Number(image.id) > 0 ? Number(image.id) : undefined

/**
 * Creates the function that sends writes with images. A site downloads an image each time it is given its URL, so the first write sends the
 * URL, and the others wait for the ID that the image gets. If the first one fails, the next one sends the URL.
 */
export function createImageSender(sources: ImageSources | undefined) {
  const loads = new Map<string, Promise<number | undefined>>()
  return async (values: Values, send: (values: Values) => Promise<Answer>): Promise<Answer> => {
    const { image } = values
    if (!sources || !isImageUrl(image)) return send(values)
    for (let load = loads.get(image); load; load = loads.get(image)) {
      const id = await load
      if (id !== undefined) return send({ ...values, image: String(id) })
      if (loads.get(image) === load) loads.delete(image)
    }
    const sent = send(values)
    loads.set(
      image,
      sent.then(imageId, () => undefined),
    )
    const answer = await sent
    const id = imageId(answer)
    if (id !== undefined) await sources.remember(id, image)
    return answer
  }
}

/** What is known about the images of a site. */
export type KnownImages = Pick<Reads, 'images' | 'uploads'>

/**
 * The values with the ID of an image that the record already has, if it was downloaded or copied from this URL, or uploaded from this file.
 * Sends no request.
 */
export async function withKnownImage(
  { images, uploads }: Partial<KnownImages>,
  before: Answer,
  values: Values,
): Promise<Values> {
  const id = imageId(before)
  const { image } = values
  if (id === undefined) return values
  const sourceOf = async () => (await images?.sourceOf(id)) ?? (await uploads?.sourceOf(id))
  const isKnown = async () => {
    if (isImageUrl(image)) return (await images?.sourceOf(id)) === image
    if (!isPendingUpload(image)) return false
    const { $upload: upload } = image
    if ('url' in upload) return (await sourceOf()) === upload.url
    // Another text in its place is a change.
    return upload.alt === undefined && (await uploads?.find(upload.sha256))?.id === id
  }
  return (await isKnown()) ? { ...values, image: String(id) } : values
}

/** The values with the ID of an image that was uploaded before, in place of its file. Sends no request. */
export async function withUploadedImage({ uploads }: KnownImages, values: Values): Promise<Values> {
  const { image } = values
  if (!isPendingUpload(image) || 'url' in image.$upload) return values
  const known = await uploads?.find(image.$upload.sha256)
  return known ? { ...values, image: String(known.id) } : values
}
