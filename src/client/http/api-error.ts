import { isObject } from '../../base/text/json.ts'
import type { Response } from '../../contract/exchange.ts'
import { bodies, parseBody } from './response.ts'

/**
 * The errors in responses: those of the API, and messages that PHP prints before the answer.
 */

/** An error in the API's own form. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The API error in a response; undefined if there is none. */
export function apiErrorIn(response: Response): ApiError | undefined {
  const body = parseBody(response)
  if (!isObject(body)) return undefined
  if (isObject(body.errors)) return errorByCode(body.errors)
  if (typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  return { code: body.code, message: plainSentence(body.message), data: isObject(body.data) ? body.data : {} }
}

/** The response with the status of its error: if PHP printed a notice first, status 200 was already sent. */
export function withOwnStatus(response: Response): Response {
  const own = response.status < 300 ? apiErrorIn(response)?.data.status : undefined
  if (typeof own !== 'number' || own < 400) return response
  const failed = { ...response, status: own }
  bodies.set(failed, { value: parseBody(response) })
  return failed
}

/** Older sites answer an update of an unknown slug with 200 and a list of sentences by error code. */
function errorByCode(errors: Readonly<Record<string, unknown>>): ApiError | undefined {
  const [first] = Object.entries(errors)
  if (!first) return undefined
  const [code, sentences] = first
  return { code, message: plainSentence([sentences].flat().map(String).join('; ')), data: {} }
}

/** Whether a response says that the requested page is beyond the last one, which is not a failure. */
export const isPastLastPage = (response: Response): boolean =>
  response.status === 404 && apiErrorIn(response)?.code.endsWith('-archive-page-not-found') === true

/** A message of a service on one line, so that it cannot look like a hint of calctl; without markup and without a full stop. */
export const plainSentence = (message: string) =>
  message
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')

/** The first message of PHP before the JSON of an answer. */
export function phpMessageIn(response: Response): string | undefined {
  const text = String(response.body)
  const [found] =
    /\b(Warning|Notice|Deprecated|Strict Standards|Fatal error)\b.*?( on line \D{0,9}\d+|$)/m.exec(text) ?? []
  return found !== undefined && parseBody(response) !== undefined ? plainSentence(found).slice(0, 200) : undefined
}
