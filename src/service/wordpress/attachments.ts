import { decodePercent } from '../../base/text/escaping.ts'
import { fromUtc } from '../../base/time/zone.ts'
import { slugOf } from '../../contract/slug.ts'
import { forbidden, mayEditAll, mayPublish, mayWritePosts } from '../access.ts'
import type { Context, HandlerResult, RecordRef } from '../dialect.ts'
import { Refusal } from '../refusal.ts'
import { imageUrl, siteHome, uploadFolder } from '../render/addresses.ts'
import { readCopyName } from '../render/image-sizes.ts'
import type { ImageRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { modification, utcNow } from '../write/stored-values.ts'
import noImageMeta from './no-image-meta.json' with { type: 'json' }
import { metaOf } from './post-patch.ts'
import { checkContext, isEditing, page, recordOf } from './wordpress.ts'

/** POST of the bytes of an image, with its name in `Content-Disposition`. */
export async function upload(context: Context): Promise<HandlerResult> {
  checkMayUpload(context)
  const { headers, store, user } = context
  const given = fileNameIn(headers['content-disposition'])
  if (context.body === undefined || context.body.length === 0)
    throw new Refusal(400, 'rest_upload_no_data', 'No data supplied.')
  const bytes = Buffer.from(context.body)
  const file = readImage(bytes)
  if (!file || !hasEndingOf(file, given))
    throw new Refusal(500, 'rest_upload_sideload_error', 'Sorry, you are not allowed to upload this file type.')
  const { mime: mime_type, width, height } = file
  const dialect = await context.dialect.loadWriteDialect()
  const month = fromUtc(utcNow(context), store.site.timezone).slice(0, 7).replace('-', '/')
  const url = freeFileName(store, `${month}/`, given)
  await store.files.add(url, bytes)
  try {
    const row = await dialect.commit(store, writing => {
      const { modified, modified_utc } = modification({ context, writing, dialect })
      const dates = { date: modified, date_utc: modified_utc, modified, modified_utc }
      const texts = { title: baseName(given), alt_text: '', caption: '', author: user.id }
      const row = {
        id: writing.nextId('post'),
        url,
        mime_type,
        width,
        height,
        filesize: bytes.length,
        ...texts,
        ...dates,
      }
      writing.put('images', row)
      return row
    })
    const location = `${context.baseUrl}/wp/v2/media/${row.id}`
    return { status: 201, headers: { location }, body: answerOf(context, row, true) }
  } catch (error) {
    await store.files.remove(url)
    throw error
  }
}

/** POST on one image: its title, its caption, and its alternative text. */
export async function describeImage(context: Context, ref: RecordRef): Promise<HandlerResult> {
  checkMayEditImage(context, recordOf(context, 'images', ref), 'rest_cannot_edit', 'edit')
  const dialect = await context.dialect.loadWriteDialect()
  const row = await dialect.commit(context.store, writing => {
    const before = recordOf(context, 'images', ref)
    const changed = Object.entries(context.values).filter(([, value]) => value !== undefined)
    const row = { ...before, ...Object.fromEntries(changed), ...modification({ context, writing, dialect }) }
    writing.put('images', row)
    return row
  })
  return { status: 200, body: answerOf(context, row, true) }
}

/** DELETE of one image: images have no trash, and records that name it lose it. */
export async function removeImage(context: Context, ref: RecordRef): Promise<HandlerResult> {
  const row = recordOf(context, 'images', ref)
  checkMayEditImage(context, row, 'rest_cannot_delete', 'delete')
  if (context.values.force !== true)
    throw new Refusal(
      501,
      'rest_trash_not_supported',
      "The post does not support trashing. Set 'force=true' to delete.",
    )
  const previous = answerOf(context, row, true)
  const dialect = await context.dialect.loadWriteDialect()
  await dialect.commit(context.store, writing => {
    writing.delete('images', row.id)
    for (const table of ['events', 'venues', 'organizers'] as const)
      for (const post of context.store.table(table).values())
        if (post.image === row.id) writing.put(table, { ...post, image: null })
  })
  await context.store.files.remove(row.url)
  return { status: 200, body: { deleted: true, previous } }
}

/** GET of one image. */
export function getImage(context: Context, ref: RecordRef): HandlerResult {
  const row = recordOf(context, 'images', ref)
  checkContext(context, mayEditImage(context, row.author), 'Sorry, you are not allowed to edit this post.')
  return { status: 200, body: answerOf(context, row, isEditing(context)) }
}

/** GET of a list of images, the newest first; a search looks at names and titles. */
export function listAttachments(context: Context): HandlerResult {
  const { values } = context
  checkContext(context, mayWritePosts(context), 'Sorry, you are not allowed to edit posts in this post type.')
  const words = String(values.search ?? '').toLowerCase()
  const rows = Array.from(context.store.table('images').values(), row => ({ ...row, slug: slugOf(baseName(row.url)) }))
  const found = rows.filter(row => `${row.url} ${row.title}`.toLowerCase().includes(words))
  const sign = values.order === 'asc' ? 1 : -1
  return page(
    found,
    values,
    (one, other) => sign * (one.id - other.id),
    row => answerOf(context, row, isEditing(context)),
  )
}

/** Throws unless the caller may upload images: contributors may not. */
function checkMayUpload(context: Context): void {
  if (!mayPublish(context))
    throw forbidden(context, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
}

/** Authors change the images that they uploaded. */
const mayEditImage = (context: Context, author: number | null | undefined): boolean =>
  mayEditAll(context) || (mayPublish(context) && author === context.user.id)

/** Throws unless the caller may change an image. */
function checkMayEditImage(context: Context, row: ImageRow, code: string, verb: string): void {
  if (!mayEditImage(context, row.author))
    throw forbidden(context, code, `Sorry, you are not allowed to ${verb} this post.`)
}

/** The name in `attachment; filename="poster.png"`. */
function fileNameIn(disposition: string | undefined): string {
  if (!disposition) throw new Refusal(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.')
  const name = /filename=(?:"([^"]*)"|([^;\s]+))/i.exec(disposition)?.slice(1).find(Boolean)
  if (name) return name.replace(/^.*[\\/]/, '')
  throw new Refusal(
    400,
    'rest_upload_invalid_disposition',
    'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
  )
}

function answerOf(context: Context, row: ImageRow, isEditing: boolean): object {
  const { id, alt_text = '', caption = '', date = '', date_utc = '', modified = '', modified_utc = '' } = row
  const { mime_type = '', width = null, height = null, filesize = null } = row
  const author = row.author ?? 1
  const url = imageUrl(context, row)
  const title = row.title || baseName(url)
  const home = siteHome(context)
  const slug = slugOf(baseName(url))
  const raw = (text: string) => (isEditing ? { raw: text } : {})
  const iso = (wall: string) => wall.replace(' ', 'T')
  const size = `width="${width}" height="${height}"`
  const image = `<img loading="lazy" decoding="async" ${size} src="${url}" class="attachment-medium size-medium" alt="${alt_text}" />`
  return {
    id,
    date: iso(date),
    date_gmt: iso(date_utc),
    guid: { rendered: url, ...raw(url) },
    modified: iso(modified),
    modified_gmt: iso(modified_utc),
    slug,
    status: 'inherit',
    type: 'attachment',
    link: `${home}/${slug}/`,
    title: { ...raw(title), rendered: title },
    author,
    featured_media: 0,
    comment_status: 'open',
    ping_status: 'closed',
    template: '',
    meta: metaOf('attachments'),
    ...(isEditing && { permalink_template: `${home}/?attachment_id=${id}`, generated_slug: slugOf(title) }),
    class_list: [`post-${id}`, 'attachment', 'type-attachment', 'status-inherit', 'hentry'],
    description: { ...raw(''), rendered: `<p class="attachment"><a href='${url}'>${image}</a></p>\n` },
    caption: { ...raw(caption), rendered: caption },
    alt_text,
    media_type: 'image',
    mime_type,
    media_details: {
      width,
      height,
      file: url.replace(`${home}${uploadFolder}`, ''),
      filesize,
      sizes: {},
      image_meta: noImageMeta,
    },
    post: null,
    source_url: url,
    ...(isEditing && { missing_image_sizes: [] }),
    _links: links(context, id, author),
  }
}

function links(context: Context, id: number, author: number): object {
  const root = `${context.baseUrl}/wp/v2`
  const self = `${root}/media/${id}`
  const allow = mayEditImage(context, author) ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET']
  const actions = mayEditAll(context) ? ['unfiltered-html', 'assign-author'] : []
  return {
    self: [{ href: self, targetHints: { allow } }],
    collection: [{ href: `${root}/media` }],
    about: [{ href: `${root}/types/attachment` }],
    author: [{ embeddable: true, href: `${root}/users/${author}` }],
    replies: [{ embeddable: true, href: `${root}/comments?post=${id}` }],
    ...Object.fromEntries(actions.map(action => [`wp:action-${action}`, [{ href: self }]])),
    curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
  }
}

/** What the bytes of an image tell about it. */
interface ImageFile {
  readonly mime: string
  /** In pixels; null for formats that are not examined. */
  readonly width: number | null
  readonly height: number | null
}

/** The type and size of an image, by its first bytes and never by its name; undefined for anything else. */
function readImage(bytes: Uint8Array): ImageFile | undefined {
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

/** Whether a file name has an extension for files of this type. */
const hasEndingOf = ({ mime }: ImageFile, name: string): boolean =>
  endings[mime]?.includes(name.replace(/^.*\./, '').toLowerCase()) ?? false

/** An uploaded file, by the path of its URL; undefined if there is none. */
export async function uploadedFile(store: Store, path: string): Promise<HandlerResult | undefined> {
  const name = path.slice(path.indexOf(uploadFolder) + uploadFolder.length)
  const names = [name, readCopyName(name)?.picture]
  for (const { url, mime_type = '' } of store.table('images').values()) {
    if (!names.includes(url)) continue
    const body = await store.files.read(name)
    return body && { status: 200, headers: { 'content-type': mime_type, 'x-content-type-options': 'nosniff' }, body }
  }
  return undefined
}

/** The name of a file without its extension. */
export const baseName = (path: string): string => decodePercent(path.replace(/^.*\//, '')).replace(/\.\w+$/, '')

/** A file name as WordPress stores it: without spaces and punctuation, and with a number if the name is taken. */
export function freeFileName({ files }: Store, folder: string, given: string): string {
  const ending = /\.\w+$/.exec(given)?.[0].toLowerCase() ?? ''
  const stem = slugOf(given.slice(0, given.length - ending.length)) || 'image'
  for (let number = 0; ; number++) {
    const name = `${folder}${stem}${number === 0 ? '' : `-${number}`}${ending}`
    if (!files.has(name)) return name
  }
}
