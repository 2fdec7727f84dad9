/**
 * WordPress's own API, beside the events API. This file sends requests to it, `wp-record.ts` reads its answers and writes its bodies, and
 * `stored-records.ts` adds stored values to answers of the events API. Input: resources of the contract, whose fields name their keys in
 * `wp/v2`. Output: records in the shape of the events API.
 */

import { Failure, refused } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { namedRecord, recordCount, recordList, theRecord } from '../../contract/resource-words.ts'
import type { Calendar, EditorAccess, Page, SiteUser, Values, WordPress } from '../client.ts'
import { hasAllRows, wrongTotals } from '../find/whole-lists.ts'
import { apiErrorIn } from '../http/api-error.ts'
import { jsonRequest, queryRequest, renewable } from '../http/request.ts'
import { parseBody } from '../http/response.ts'
import { answerOf, keysOf, patchBody } from './wp-record.ts'

interface WordPressOptions {
  readonly transport: (request: Request) => Promise<Response>
  readonly calendar: Calendar
  readonly access: EditorAccess
  readonly notice: (text: string) => Promise<void>
  readonly user: () => Promise<SiteUser>
}

/** What a site has answered so far. */
interface Site extends WordPressOptions {
  readonly open: Set<Resource>
  /** The resources that this user may not edit, and what the site answered; it is not asked about them again. */
  readonly closed: Map<Resource, Failure>
  hasNoticed: boolean
}

/**
 * WordPress's own API: the same records with their texts as they are stored, and updates that change only what they are sent. A site
 * without these routes answers 404, which is remembered; users who may not edit a record get 401 or 403. Any other answer is a failure like
 * that of any request: it does not say that the events API could be used instead.
 */
export function createWordPress(options: WordPressOptions): WordPress {
  const site: Site = { ...options, open: new Set(), closed: new Map(), hasNoticed: false }
  const { open, closed } = site
  const wordpress: WordPress = {
    async isOpen(resource) {
      if (open.has(resource)) return true
      const records = await wordpress.list(resource, { per_page: 1 })
      if (records) open.add(resource)
      return records !== undefined
    },
    isClosed: resource => closed.has(resource),
    list: async (resource, query) => (closed.has(resource) ? undefined : listAt(site, resource, query)),
    async get(resource, id) {
      if (closed.has(resource)) return undefined
      const query = { context: 'edit', _fields: keysOf(resource).join(',') }
      try {
        return await recordAt(site, queryRequest('GET', pathTo(resource, id), query), resource, id)
      } catch (error) {
        if (error instanceof Failure && isRefusal(error)) return undefined
        throw error
      }
    },
    async patch(resource, id, values, renew) {
      const requestFor = (body: Values) => jsonRequest(pathTo(resource, id), patchBody(resource, body))
      return recordAt(site, renewable(values, requestFor, renew), resource, id)
    },
    fallBack: (resource, failure) => fallBack(site, resource, failure),
  }
  return wordpress
}

const pathTo = ({ wordpress }: Resource, id?: number) => `/wp/v2/${wordpress}${id === undefined ? '' : `/${id}`}`

async function answerTo({ transport, access }: Site, request: Request): Promise<Response> {
  const response = await transport(request)
  if (isWithoutRoutes(response)) await access.rememberNoWordPress()
  return response
}

async function recordAt(site: Site, request: Request, resource: Resource, id: number): Promise<Answer> {
  const response = await answerTo(site, request)
  const record = response.status === 200 ? parseBody(response) : undefined
  const info = { request, calendar: site.calendar, resource, ref: { id } }
  if (isObject(record) && record.id === id) return answerOf(resource, record)
  const { otherRecordFailure, responseFailure } = await import('../http/problems/response-failure.ts')
  if (isObject(record) && typeof record.id === 'number')
    throw otherRecordFailure(info, record.id, namedRecord(resource.name, id))
  const failure = responseFailure(info, response, theRecord(resource.name))
  throw failure.details.done === undefined ? withoutWordPress(failure) : failure
}

async function listAt(site: Site, resource: Resource, query: Values): Promise<Page | undefined> {
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
  { calendar, user }: Site,
  resource: Resource,
  { headers }: Response,
  { rows, values }: { readonly rows: number; readonly values: Values },
): Promise<void> {
  const { 'x-wp-total': total = '' } = headers
  if (total === '' || hasAllRows(rows, Number(total), values)) return
  if ((await user()).may.editOthers) throw wrongTotals(calendar, recordCount(rows, resource.name), Number(total))
}

async function fallBack(site: Site, resource: Resource, failure?: Failure): Promise<void> {
  if (failure && !isRefusal(failure)) throw failure
  const { calendar, access, notice } = site
  const refusal = failure ?? site.closed.get(resource)
  if (refusal && access.requiresWordPress) throw refusal
  const { status, code } = refusal?.details ?? {}
  const reason = status
    ? phrase('wp/v2 of {calendar} answered {answer}', {
        calendar: calendar.label,
        answer: [status, code].filter(Boolean).join(' '),
      })
    : phrase('wp/v2 of {calendar} does not show all of this record', { calendar: calendar.label })
  if (access.requiresWordPress) throw refused(reason, phrase('leave out {option}', { option: '--via' }))
  // A record that does not exist is missing in both APIs.
  if (site.hasNoticed || code === 'rest_post_invalid_id' || code === 'rest_term_invalid') return
  site.hasNoticed = true
  await notice(phrase('{reason}: updating through the events API', { reason }))
}

/** Whether an answer says that the site has no `wp/v2`, or that this user may not edit through it. */
const isRefusal = ({ details: { status } }: Failure): boolean => refusals.includes(status)

/** Users who may not edit posts may not ask for their statuses either. */
function isForbiddenStatus(response: Response): boolean {
  const { code, data } = apiErrorIn(response) ?? {}
  return code === 'rest_invalid_param' && isObject(data?.params) && 'status' in data.params
}

const refusals: readonly (number | undefined)[] = [401, 403, 404, 405, 410, 501]

/**
 * A failure of `wp/v2` whose hint says how to do without it, unless the problem is that of the whole site or of something in front of it.
 */
const withoutWordPress = ({ kind, message, details }: Failure): Failure =>
  new Failure(kind, message, {
    ...details,
    hint:
      kind === 'settings' || details.status === 500
        ? phrase('try again later, or leave wp/v2 out with: --via events')
        : details.hint,
  })

/** The largest number of records in a page of `wp/v2`. */
export const largestList = 100

/** A page of a list. If something in front of the site has removed the totals, a full page counts as followed by another one. */
function pageOf(resource: Resource, rows: Record<string, unknown>[], { headers }: Response, query: Values): Page {
  const { 'x-wp-total': total = rows.length, 'x-wp-totalpages': pages } = headers
  const last = Number(query.page ?? 1) + (rows.length < Number(query.per_page) ? 0 : 1)
  return { records: rows.map(row => answerOf(resource, row)), total: Number(total), pages: Number(pages ?? last) }
}

/** WordPress's own codes for a record that does not exist, or that this user may not edit. */
const ownCodes =
  /^rest_(post_invalid_id|term_invalid|cannot_\w+|forbidden\w*|invalid_\w+|user_cannot_view|post_invalid_page_number)$/

/** Whether the routes do not exist, or a plugin has closed them to everybody. */
function isWithoutRoutes(response: Response): boolean {
  if (!refusals.includes(response.status)) return false
  const code = apiErrorIn(response)?.code
  // A page with 401 or 403 comes from a firewall, which may dislike only this request.
  if (code === undefined) return response.status !== 401 && response.status !== 403
  return !ownCodes.test(code)
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
