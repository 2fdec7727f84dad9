import { phrase } from '../../base/words/phrase.ts'
import { largestList } from '../../client/adapters/wp-lists.ts'
import type { Client, MediaItem } from '../../client/client.ts'
import { hasAllRows, wrongTotals } from '../../client/find/whole-lists.ts'
import { queryRequest } from '../../client/http/request.ts'
import { parseBody } from '../../client/http/response.ts'
import { failureOf, mediaItemIn, mediaPath } from '../../client/images/media-library.ts'
import type { PendingUpload } from '../../contract/kinds/image-kind.ts'
import type { App } from '../app.ts'
import { checkedImage, type ImageOptions } from './shared/image-files.ts'
import { mediaShape } from './shared/output-shapes.ts'

/** How many images are shown on a terminal by default. */
const shownOnTerminal = 50

/** Prints the images of a site. */
export async function listImages(app: App, { search, limit }: { search?: string; limit?: number }): Promise<void> {
  const client = await app.client()
  const { isTTY } = app.world.stdout
  const wanted = limit ?? (isTTY ? shownOnTerminal : Number.POSITIVE_INFINITY)
  const items: MediaItem[] = []
  let total = 0
  for await (const page of pagesOf(client, search, Math.min(wanted, largestList))) {
    items.push(...page.items)
    total = page.total
    if (items.length >= wanted) break
  }
  const shown = items.slice(0, wanted)
  await app.print(mediaShape, shown.map(rowOf), { total })
  if (app.output !== 'count' && shown.length < total)
    await app.notice(phrase('{count} of {total} shown; --limit {total} for the rest', { count: shown.length, total }))
}

async function* pagesOf(client: Client, search: string | undefined, size: number) {
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = { media_type: 'image', per_page: size, page, search }
    const request = queryRequest('GET', mediaPath, query)
    const response = await client.send(request)
    const rows = response.status === 200 ? parseBody(response) : undefined
    if (!Array.isArray(rows)) throw await failureOf(client.calendar, request, response, 'a list of images')
    const { 'x-wp-total': total = rows.length, 'x-wp-totalpages': count = 1 } = response.headers
    if (!hasAllRows(rows.length, Number(total), query) && (await client.user()).may.editOthers)
      throw wrongTotals(
        client.calendar,
        phrase('{count, plural, one {# image} other {# images}}', { count: rows.length }),
        Number(total),
      )
    pages = Number(count)
    yield { items: rows.flatMap(row => mediaItemIn(row) ?? []), total: Number(total) }
  }
}

/** Uploads files, and prints them as images of the site. All files are checked before the first one is sent. */
export async function uploadImages(app: App, files: readonly string[], options: ImageOptions): Promise<void> {
  const uploads: PendingUpload['$upload'][] = []
  for (const file of files) uploads.push(await checkedImage(app, file, options))
  const client = await app.writer()
  const items: MediaItem[] = []
  try {
    for (const upload of uploads) items.push(await client.uploadedImage(upload))
  } finally {
    if (items.length > 0) await app.print(mediaShape, items.map(rowOf))
  }
}

const rowOf = (item: MediaItem) => ({ ...item })
