import { dirname, relative, resolve, sep } from 'node:path'
import { memoize } from '../../../base/memoize.ts'
import { localPath } from '../../../base/paths.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Calendar } from '../../../client/client.ts'
import { isWebAddress } from '../../../client/http/request.ts'
import type { readLocalImage } from '../../../client/images/local-image.ts'
import { type ImageFile, isImagePath } from '../../../contract/kinds/image-kind.ts'
import type { FileRecord, Mistake } from '../../../files/records/file-record.ts'
import type { App } from '../../app.ts'
import { type ImageCopyOptions, openImage, pending } from './image-files.ts'

/** Creates the function that prepares the images of records from files: image files, and images on the web that are to be copied. */
export function createRecordImages(app: App, calendar: Calendar, { copyImages }: ImageCopyOptions) {
  const read = new Map<string, ReturnType<typeof readLocalImage>>()
  const noticeOnce = memoize(app.notice)
  const isOwn = (url: string) =>
    calendar.baseUrl !== undefined && new URL(url).origin === new URL(calendar.baseUrl).origin

  const withFile = async (record: FileRecord, image: string, source: string): Promise<FileRecord> => {
    if (isWebAddress(source)) {
      await noticeOnce(
        phrase('{source}: ignored the image {image}: data from the web cannot use local files', { source, image }),
      )
      return withoutImage(record)
    }
    const folder = source === '-' ? app.world.cwd : dirname(resolve(app.world.cwd, source))
    const path = resolve(folder, localPath(image))
    if (!copyImages && !isInside(folder, path)) return withMistake(record, outside(image, source))
    const opening = read.get(path) ?? openImage(path, image)
    read.set(path, opening)
    const found = await opening
    if (!('problem' in found)) {
      const alt = record.image_alt === undefined ? {} : { alt: record.image_alt }
      return withImage(record, { ...found, name: image, ...alt })
    }
    if (!record.stopsOnlyItself)
      return withMistake(record, {
        ...mistake(image),
        message: phrase('image: cannot read {image}: {problem}', { image, problem: found.problem }),
      })
    await noticeOnce(
      phrase('{source}: ignored the image {image}: {problem}', { source, image, problem: found.problem }),
    )
    return withoutImage(record)
  }

  /** `source` is the file of the record: a path, a URL, or `-`. */
  return async (record: FileRecord, source: string): Promise<FileRecord> => {
    const { image } = record.values
    if (record.image_alt !== undefined && !isImagePath(image))
      await noticeOnce(
        phrase('{source}: ignored image_alt where no image file is uploaded: it describes nothing else', { source }),
      )
    if (typeof image !== 'string') return record
    if (isImagePath(image)) return withFile(record, image, source)
    return copyImages && /^https?:/i.test(image) && !isOwn(image) ? withImage(record, { url: image }) : record
  }
}

/** Whether a path is in a folder: the author of a file may not know what is on this machine, and an upload is public. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return (
    way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path && !/^[a-z]:/i.test(way)
  )
}

const mistake = (image: string): Mistake => ({
  column: 'image',
  expected: phrase('an ID, a URL or an image file'),
  value: image,
})

const outside = (image: string, source: string): Mistake => ({
  ...mistake(image),
  message:
    source === '-'
      ? phrase('image: {image} is not in the folder of the command, nor below it', { image })
      : phrase('image: {image} is not in the folder of {file}, nor below it', { image, file: source }),
  advice: phrase('move it there, or add --copy-images to take it from where it is'),
})

const withMistake = (record: FileRecord, mistake: Mistake): FileRecord => ({
  ...record,
  mistakes: [...record.mistakes, mistake],
})

function withoutImage(record: FileRecord): FileRecord {
  const { image: _, ...values } = record.values
  return { ...record, values }
}

const withImage = (record: FileRecord, upload: ImageFile | { readonly url: string }): FileRecord => ({
  ...record,
  values: { ...record.values, image: pending(upload) },
})
