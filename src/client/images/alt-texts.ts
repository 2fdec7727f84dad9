import type { Client } from '../client.ts'
import { queryRequest } from '../http/request.ts'
import { parseBody } from '../http/response.ts'
import { largestList } from '../wordpress/wp-client.ts'
import { failureOf, mediaItemIn, mediaPath } from './media-library.ts'

const refusals = [401, 403, 404]

/**
 * The alternative texts of images by their IDs, a hundred in each request; without the images that the site does not show.
 * Undefined where it shows none to this user.
 */
export async function altTexts(client: Client, ids: readonly number[]): Promise<Map<number, string> | undefined> {
  const texts = new Map<number, string>()
  for (let start = 0; start < ids.length; start += largestList) {
    const include = ids.slice(start, start + largestList).join(',')
    const _fields = 'id,source_url,alt_text'
    const request = queryRequest('GET', mediaPath, { include, per_page: largestList, _fields })
    const response = await client.send(request)
    if (refusals.includes(response.status)) return undefined
    const rows = response.status === 200 ? parseBody(response) : undefined
    if (!Array.isArray(rows)) throw await failureOf(client.calendar, request, response, 'a list of images')
    for (const item of rows.flatMap(row => mediaItemIn(row) ?? [])) texts.set(item.id, item.alt)
  }
  return texts
}
