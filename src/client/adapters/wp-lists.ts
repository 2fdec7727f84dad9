import { isObject } from '../../base/text/json.ts'
import type { Response } from '../../contract/exchange.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { recordCount, recordList } from '../../contract/resource-words.ts'
import type { Page, Values, WordPress } from '../client.ts'
import { hasAllRows, wrongTotals } from '../find/whole-lists.ts'
import { apiErrorIn } from '../http/api-error.ts'
import { queryRequest } from '../http/request.ts'
import { parseBody } from '../http/response.ts'
import { answerOf, keysOf } from './wp-record.ts'
import { answerTo, isRefusal, pathTo, type WordPressSite, withoutWordPress } from './wp-requests.ts'

/** The largest number of records in a page of `wp/v2`. */
export const largestList = 100

/** A page of a list of `wp/v2`; undefined if the site does not show it to this user. */
export async function rowsAt(site: WordPressSite, resource: Resource, query: Values): Promise<Page | undefined> {
  const { calendar, closed } = site
  const values = {
    context: 'edit',
    per_page: largestList,
    ...(resource.trashable && { status: 'any,trash' }),
    _fields: keysOf(resource).join(','),
    ...query,
  }
  const request = queryRequest('GET', pathTo(resource), values)
  const response = await answerTo(site, request)
  const records = response.status === 200 ? parseBody(response) : undefined
  if (Array.isArray(records) && records.every(isObject)) {
    await checkTotal(site, resource, response, { rows: records.length, values })
    return pageOf(resource, records, response, values)
  }
  if (apiErrorIn(response)?.code === 'rest_post_invalid_page_number') return { records: [], total: 0, pages: 0 }
  const { responseFailure } = await import('../http/problems/response-failure.ts')
  const failure = responseFailure({ request, calendar, resource }, response, recordList(resource.name))
  if (!isRefusal(failure) && !isForbiddenStatus(response)) throw withoutWordPress(failure)
  closed.set(resource, failure)
  return undefined
}

/**
 * WordPress counts the records that a user may not edit, but leaves them out. A user who may edit all of them gets as many as it counts.
 */
async function checkTotal(
  { calendar, user }: WordPressSite,
  resource: Resource,
  { headers }: Response,
  { rows, values }: { readonly rows: number; readonly values: Values },
): Promise<void> {
  const { 'x-wp-total': total = '' } = headers
  if (total === '' || hasAllRows(rows, Number(total), values)) return
  if ((await user()).may.editOthers) throw wrongTotals(calendar, recordCount(rows, resource.name), Number(total))
}

/** Users who may not edit posts may not ask for their statuses either. */
function isForbiddenStatus(response: Response): boolean {
  const { code, data } = apiErrorIn(response) ?? {}
  return code === 'rest_invalid_param' && isObject(data?.params) && 'status' in data.params
}

/** A page of a list. If something in front of the site has removed the totals, a full page counts as followed by another one. */
function pageOf(resource: Resource, rows: Record<string, unknown>[], { headers }: Response, query: Values): Page {
  const { 'x-wp-total': total = rows.length, 'x-wp-totalpages': pages } = headers
  const last = Number(query.page ?? 1) + (rows.length < Number(query.per_page) ? 0 : 1)
  return { records: rows.map(row => answerOf(resource, row)), total: Number(total), pages: Number(pages ?? last) }
}

/** Rows by ID, a hundred in each request; undefined if the site does not show them. */
export async function listByIds(
  wordpress: WordPress,
  resource: Resource,
  ids: readonly number[],
): Promise<Map<number, Answer> | undefined> {
  const records = new Map<number, Answer>()
  for (let start = 0; start < ids.length; start += largestList) {
    const include = ids.slice(start, start + largestList).join(',')
    const page = await wordpress.list(resource, { include })
    if (!page) return undefined
    for (const record of page.records) records.set(record.id, record)
  }
  return records
}
