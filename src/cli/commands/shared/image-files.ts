import { resolve } from 'node:path'
import type { Command } from 'commander'
import { usage } from '../../../base/failure.ts'
import { localPath } from '../../../base/paths.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Values } from '../../../client/client.ts'
import { type ImageFile, isImagePath, type PendingUpload } from '../../../contract/kinds/image-kind.ts'
import type { Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'

/** The options for images of commands that write single records. */
export interface ImageOptions {
  readonly imageAlt?: string | undefined
}

/** The options for images of commands that write the records of files. */
export interface ImageCopyOptions {
  readonly copyImages?: true
}

/** Adds `--image-alt` if a resource has images. */
export const imageOption = (command: Command, resource: Resource): Command =>
  'image' in resource.fields
    ? command.option('--image-alt <text>', phrase('Alternative text of the image file that --image uploads'))
    : command

/** The values with an image file, ready to be uploaded, in place of its path. Throws `usage` for a file that cannot be uploaded. */
export async function withImageFile(app: App, values: Values, { imageAlt }: ImageOptions): Promise<Values> {
  const { image } = values
  if (!isImagePath(image)) {
    if (imageAlt === undefined) return values
    throw usage(
      phrase('--image-alt describes a file that --image uploads'),
      phrase('describe another image with: calctl api POST /wp/v2/media/ID -f alt_text=TEXT'),
    )
  }
  return { ...values, image: pending(await checkedImage(app, image, { imageAlt }, '--image: ')) }
}

/** An image file that can be uploaded. Throws `usage` for any other. */
export async function checkedImage(app: App, name: string, options: ImageOptions, option = ''): Promise<ImageFile> {
  const { world } = app
  const { imageAlt } = options
  const read = await openImage(resolve(world.cwd, localPath(name)), name)
  if (!('problem' in read)) return { ...read, ...(imageAlt !== undefined && { alt: imageAlt }) }
  throw usage(
    `${option}${phrase('cannot read {name}: {problem}', { name, problem: read.problem })}`,
    option
      ? phrase('give a JPEG, PNG, GIF, WebP or AVIF file, or the ID or URL of an image')
      : phrase('give a JPEG, PNG, GIF, WebP or AVIF file'),
  )
}

export async function openImage(path: string, name: string): ReturnType<typeof readLocalImage> {
  const { readLocalImage } = await import('../../../client/images/local-image.ts')
  return readLocalImage(path, name)
}

export const pending = (upload: PendingUpload['$upload']): PendingUpload => ({ $upload: upload })
