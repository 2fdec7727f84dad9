import { resourceNamed } from '../contract/contract.ts'
import type { Response } from '../contract/exchange.ts'
import { isObject } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import {
  type ApiError,
  apiErrorIn,
  type Explanation,
  longestWait,
  parseBody,
  plainSentence,
  type RequestInfo,
  retryAfter,
} from './response.ts'
import { explainUnavailable, listAllCommand } from './unavailable.ts'

/** What an answer means that is not what was asked for, told by its code before its status. */
export function responseFailure(asked: RequestInfo, response: Response, expected: string): Failure {
  const { status } = response
  const { method } = asked.request
  const refused = apiErrorIn(response)
  const { kind, message, hint, language } = refused
    ? meaning(asked, response, refused)
    : status < 300
      ? notOurs(asked, response, expected)
      : unspoken(asked, response)
  return new Failure(kind, message, {
    hint,
    status,
    code: refused?.code,
    method,
    url: url(asked),
    ...(language && { language }),
    ...(method !== 'GET' && doneAfter(response, refused)),
  })
}

/** Whether a write may have been done that was answered by a gateway, or by a site that broke down without a word of the API. */
function doneAfter(response: Response, refused: ApiError | undefined): { done?: 'unknown' | 'late' } {
  const { status } = response
  if (status === 502) return { done: 'unknown' }
  const isAnswer = status < 500 || (status !== 504 && refused !== undefined) || isAskedToWait(response)
  return isAnswer ? {} : { done: 'late' }
}

const isAskedToWait = ({ status, headers }: Response) => status === 503 && headers['retry-after'] !== undefined

const wrongAddress = 'is the base URL right? that of a WordPress site ends in /wp-json'

/** Values that are refused as if the site had broken down. */
const refusedAsBreakdown = new Set(['empty_content', 'empty_term_name', 'duplicate_term_slug'])

function meaning(asked: RequestInfo, response: Response, refused: ApiError): Explanation {
  const { code, message } = refused
  const { status } = response
  if (code === 'rest_no_route') return noRoute(asked)
  if (isPassing(status) && !refusedAsBreakdown.has(code))
    return {
      kind: 'unreachable',
      message: `${status} from ${asked.calendar.label}: ${message}`,
      hint: tryAgain(response),
    }
  if (status === 401) return denied(asked, message)
  return (
    explainUnavailable(asked, status, refused) ?? {
      kind: 'refused',
      message: `refused${asked.calendar.baseUrl ? ` by ${asked.calendar.label}` : ''}: ${details(refused)}`,
      hint: hintFor(asked, refused),
    }
  )
}

/** No word from the API itself: a proxy, a firewall, another server. */
function unspoken(asked: RequestInfo, response: Response): Explanation {
  const { status } = response
  const message = `${asked.calendar.label} answered ${status} with ${contentOf(response)}`
  if (isPassing(status)) return { kind: 'unreachable', message, hint: tryAgain(response) }
  return status === 401 ? denied(asked, `${status}`) : { kind: 'settings', message, hint: wrongAddress }
}

function notOurs(asked: RequestInfo, response: Response, expected: string): Explanation {
  const got = parseBody(response) === undefined ? contentOf(response) : 'other JSON'
  return {
    kind: 'settings',
    message: `expected ${expected} from ${asked.calendar.label}, got ${got}`,
    hint: wrongAddress,
  }
}

const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429

function tryAgain(response: Response): string {
  const wait = retryAfter(response, Date.now())
  if (wait === undefined || wait <= longestWait) return 'try again in a while'
  return `it asks to be left alone for ${Math.ceil(wait / 60_000)} min`
}

const denied = ({ calendar }: RequestInfo, message: string): Explanation => ({
  kind: 'denied',
  message: `not allowed at ${calendar.label}: ${message}`,
  hint: 'see which credentials are used with: calctl profiles show',
})

const noRoute = ({ calendar, request }: RequestInfo): Explanation => ({
  kind: 'missing',
  message: `no route ${request.method} ${request.path} at ${calendar.label}`,
  hint: 'is the namespace right? the documentation has calendar/events/v1, a WordPress site: --namespace tribe/events/v1',
})

function details({ message, data: { params } }: ApiError): string {
  if (Array.isArray(params)) return `missing: ${params.join(', ')}`
  if (!isObject(params)) return message
  return Object.entries(params)
    .map(([name, text]) => `${name}: ${plainSentence(String(text))}`)
    .join('; ')
}

function hintFor({ resource, request }: RequestInfo, { code, data }: ApiError): string | undefined {
  if (code === 'term_exists' && data.term_id !== undefined) return `it is there already, with the id ${data.term_id}`
  if (code === 'rest_forbidden') return 'see which credentials are used with: calctl profiles show'
  if (code === 'read_only')
    return 'are the file and its folder yours to write to, and is it not served with --read-only?'
  if (code !== 'rest_invalid_param' || !resource || !isObject(data.params)) return undefined
  const [linked] = Object.keys(data.params).map(name => resource.fields[name]?.of)
  if (linked) return `list what is there with: ${listAllCommand(resourceNamed(linked))}`
  const verb = { GET: 'list', POST: 'create' }[request.method] ?? 'update'
  return `see what is expected with: calctl ${resource.name} ${verb} --help`
}

function contentOf({ headers, body }: Response): string {
  if (body.length === 0) return 'nothing'
  const type = headers['content-type']?.split(';')[0]
  if (type === 'text/html') return 'HTML'
  return type === 'application/json' ? 'malformed JSON' : (type ?? 'text')
}

/** Passwords may stand in a query and must not be shown. */
function url({ calendar, request: { path, query } }: RequestInfo): string {
  const shown = query?.replace(/(?<=^|&)(password=)[^&]*/, '$1***')
  return `${calendar.baseUrl ?? ''}${path}${shown ? `?${shown}` : ''}`
}
