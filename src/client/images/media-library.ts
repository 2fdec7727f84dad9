/**
 * The images of a site, `wp/v2/media`. `local-image.ts` checks local files before anything is sent; this file uploads them, unless that was
 * done before. Input: images as a step has them (`PendingUpload`). Output: IDs, which the events API and `wp/v2` accept.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { conflict, Failure, refused, usage } from '../../base/failure.ts'
import { reason } from '../../base/io-reasons.ts'
import { decodePercent } from '../../base/text/escaping.ts'
import { isObject } from '../../base/text/json.ts'
import { sizeText } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import type { ImageFile, PendingUpload } from '../../contract/kinds/image-kind.ts'
import { slugOf } from '../../contract/slug.ts'
import type { Calendar, ConnectionToClient, MediaItem } from '../client.ts'
import { apiErrorIn } from '../http/api-error.ts'
import { jsonRequest, queryRequest } from '../http/request.ts'
import { parseBody } from '../http/response.ts'
import { hashOf, imageType, notAnImage, withEnding } from './local-image.ts'

/** The path of the media library below the base URL. */
export const mediaPath = '/wp/v2/media'

interface MediaOptions extends Pick<ConnectionToClient, 'transport' | 'calendar' | 'uploads'> {
  /** The bytes of an image on the web. */
  readonly download: (url: string) => Promise<Uint8Array>
}

/** An image with its bytes. */
interface Content extends Pick<ImageFile, 'name' | 'type' | 'sha256'> {
  readonly alt?: string | undefined
  bytes(): Promise<Uint8Array>
}

/** Makes the function that gives the image on the site, uploaded at most once, however often it is asked for. */
export function createUploader({ transport, calendar, uploads, download }: MediaOptions) {
  const running = new Map<string, Promise<MediaItem>>()

  /** If several steps have the same contents, the first one uploads them; if that fails, the next one tries. */
  const once = async (content: Content): Promise<MediaItem> => {
    const key = content.sha256
    for (let one = running.get(key); one; one = running.get(key)) {
      const item = await one.catch(() => undefined)
      if (item) return item
      if (running.get(key) === one) running.delete(key)
    }
    const item = existing(content).then(found => found ?? upload(content))
    running.set(key, item)
    return item
  }

  /** The image that was uploaded before, unless somebody has removed it. */
  const existing = async ({ sha256 }: Content): Promise<MediaItem | undefined> => {
    const known = await uploads?.find(sha256)
    if (!known) return undefined
    const response = await transport(queryRequest('GET', `${mediaPath}/${known.id}`, { _fields: fields }))
    const item = response.status === 200 ? mediaItemIn(parseBody(response)) : undefined
    return item && pathIn(item.url) === pathIn(known.url) ? item : undefined
  }

  const upload = async (content: Content): Promise<MediaItem> => {
    const bytes = await content.bytes()
    const name = fileName(content)
    const request: Request = {
      method: 'POST',
      path: mediaPath,
      headers: {
        accept: 'application/json',
        'content-type': content.type,
        'content-disposition': `attachment; filename="${name}"`,
      },
      body: bytes,
    }
    const send = async () => {
      const response = await transport(request)
      const item = response.status === 201 || response.status === 200 ? mediaItemIn(parseBody(response)) : undefined
      if (item) return item
      throw await notUploaded(calendar, request, response, `${content.name} (${sizeText(bytes.length)})`)
    }
    const { sendUncertain } = await import('../http/retry.ts')
    const item = await sendUncertain(
      send,
      phrase('{file} may have been uploaded', { file: content.name }),
      phrase('before you try again, look for it in: {command}', {
        command: 'calctl api GET /wp/v2/media -f per_page=5',
      }),
    )
    await uploads?.remember(content.sha256, item)
    return item
  }

  const describe = async (item: MediaItem, alt: string): Promise<void> => {
    const request = jsonRequest(`${mediaPath}/${item.id}`, { alt_text: alt })
    const response = await transport(request)
    if (response.status !== 200) throw await failureOf(calendar, request, response)
  }

  return async (upload: PendingUpload['$upload']): Promise<MediaItem> => {
    const content = 'url' in upload ? await downloaded(upload.url, download) : contentOf(upload)
    const item = await once(content)
    if ('url' in upload) await uploads?.remember(content.sha256, item, upload.url)
    const { alt } = content
    if (alt === undefined || alt === item.alt) return item
    await describe(item, alt)
    return { ...item, alt }
  }
}

const fields = 'id,source_url,alt_text,mime_type,media_details'

export function mediaItemIn(value: unknown): MediaItem | undefined {
  if (!isObject(value) || typeof value.id !== 'number' || typeof value.source_url !== 'string') return undefined
  const { id, source_url: url, alt_text: alt = '', mime_type: type = '', media_details } = value
  const { width, height } = isObject(media_details) ? media_details : {}
  const pixels = (size: unknown) => (typeof size === 'number' ? size : null)
  return { id, url, alt: String(alt), type: String(type), width: pixels(width), height: pixels(height) }
}

/** The path without the host: a site can move, but its files keep their paths. */
const pathIn = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url)

/** The contents of a file; throws if it has changed since the plan was made, because it is then not what was confirmed. */
function contentOf(image: ImageFile): Content {
  return {
    ...image,
    async bytes() {
      const bytes = await readFile(image.file).catch((error: Error) => {
        throw usage(
          phrase('cannot read {file}: {reason}', { file: image.name, reason: reason(error, 'read') }),
          phrase('put the file back'),
        )
      })
      if (hashOf(bytes) === image.sha256) return bytes
      throw conflict(
        phrase('{file} has changed since it was read for this plan', { file: image.name }),
        phrase('make the plan again'),
      )
    },
  }
}

async function downloaded(url: string, download: MediaOptions['download']): Promise<Content> {
  const bytes = await download(url)
  const type = imageType(bytes)
  if (!type.startsWith('image/'))
    throw refused(
      phrase('cannot copy {address}: {reason}', { address: url, reason: notAnImage(type) }),
      phrase('open the address in a browser, and name the image itself'),
    )
  const name = basename(decodePercent(new URL(url).pathname)) || 'image'
  return { name, type, sha256: hashOf(bytes), bytes: async () => bytes }
}

/** The name to send: headers are ASCII, and WordPress would remove accents and spaces anyway. */
function fileName({ name, type }: Content): string {
  const file = withEnding(basename(name), type)
  const [, stem = '', ending = ''] = /^(.*)\.(\w+)$/.exec(file) ?? []
  return `${slugOf(stem).replace(/[^\w-]/g, '') || 'image'}.${ending}`
}

/** The failure of an answer about images. */
export async function failureOf(
  calendar: Calendar,
  request: Request,
  response: Response,
  expected = phrase('the image'),
): Promise<Failure> {
  const { responseFailure } = await import('../http/problems/response-failure.ts')
  return responseFailure({ request, calendar }, response, expected)
}

/** Why a site refused an upload. A problem of the whole site, or in front of it, is reported as for any request. */
async function notUploaded(calendar: Calendar, request: Request, response: Response, image: string): Promise<Failure> {
  const failure = await failureOf(calendar, request, response)
  const reason = refusalOf(calendar, response, image)
  if (!reason) return failure
  const { done: _, ...details } = failure.details
  const kind = failure.kind === 'unreachable' ? 'refused' : failure.kind
  return new Failure(kind, reason.message, { ...details, hint: reason.hint })
}

function refusalOf({ label }: Calendar, response: Response, image: string) {
  const { status } = response
  const error = apiErrorIn(response)
  if (status === 413)
    return {
      message: phrase('{file} is too large for {calendar}', { file: image, calendar: label }),
      hint: phrase(
        'make the image smaller, or ask for a higher limit: upload_max_filesize and post_max_size of PHP, and that of the web server',
      ),
    }
  if (!error) return undefined
  if (error.code === 'rest_no_route')
    return {
      message: phrase('{calendar} takes no uploads: it has no {path}', { calendar: label, path: mediaPath.slice(1) }),
      hint: phrase('give --image the ID or URL of an image that is on the web'),
    }
  if (/^rest_(cannot_|forbidden)/.test(error.code))
    return {
      message: phrase('{calendar} lets this user upload no images: {reason}', {
        calendar: label,
        reason: error.message,
      }),
      hint: phrase('ask for the role of an author or editor, or name an image of the site by its ID'),
    }
  if (error.code.startsWith('rest_upload_'))
    return {
      message: phrase('{calendar} refused {file}: {reason}', { calendar: label, file: image, reason: error.message }),
      hint: phrase('try it as a JPEG or PNG, or in a smaller size'),
    }
  return undefined
}
