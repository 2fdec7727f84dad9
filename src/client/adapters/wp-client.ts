/**
 * WordPress's own API, beside the events API. This file sends requests to it (`wp-requests.ts`, `wp-lists.ts`), `wp-record.ts` reads its answers and writes its bodies, and
 * `stored-records.ts` adds stored values to answers of the events API. Input: resources of the contract, whose fields name their keys in
 * `wp/v2`. Output: records in the shape of the events API.
 */

import { Failure, refused } from '../../base/failure.ts'
import { isObject } from '../../base/text/json.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request } from '../../contract/exchange.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { namedRecord, theRecord } from '../../contract/resource-words.ts'
import type { Values, WordPress } from '../client.ts'
import { jsonRequest, queryRequest, renewable } from '../http/request.ts'
import { parseBody } from '../http/response.ts'
import { rowsAt } from './wp-lists.ts'
import { answerOf, keysOf, patchBody } from './wp-record.ts'
import {
  answerTo,
  isRefusal,
  pathTo,
  type WordPressOptions,
  type WordPressSite,
  withoutWordPress,
} from './wp-requests.ts'

/**
 * WordPress's own API: the same records with their texts as they are stored, and updates that change only what they are sent. A site
 * without these routes answers 404, which is remembered; users who may not edit a record get 401 or 403. Any other answer is a failure like
 * that of any request: it does not say that the events API could be used instead.
 */
export function createWordPress(options: WordPressOptions): WordPress {
  const site: WordPressSite = { ...options, open: new Set(), closed: new Map(), hasNoticed: false }
  const { open, closed } = site
  const wordpress: WordPress = {
    async isOpen(resource) {
      if (open.has(resource)) return true
      const records = await wordpress.list(resource, { per_page: 1 })
      if (records) open.add(resource)
      return records !== undefined
    },
    isClosed: resource => closed.has(resource),
    list: async (resource, query) => (closed.has(resource) ? undefined : rowsAt(site, resource, query)),
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

async function recordAt(site: WordPressSite, request: Request, resource: Resource, id: number): Promise<Answer> {
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

async function fallBack(site: WordPressSite, resource: Resource, failure?: Failure): Promise<void> {
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
