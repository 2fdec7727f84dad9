import type { Response } from '../contract/exchange.ts'
import { isLanguage } from '../contract/words.ts'
import { Failure, type FailureKind } from '../failure.ts'
import { type Asked, isObject, parsed } from './answer.ts'
import { longestWait, retryAfter } from './retry-after.ts'

/** An answer that says no, in the API's own form. */
interface Refused {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A list was asked for a page after its last: nothing is wrong, there is no more. */
export const isPastTheEnd = (response: Response): boolean =>
  response.status === 404 && refusedIn(response)?.code.endsWith('-archive-page-not-found') === true

/** Whether an error code says that a record is in the trash. */
export const isTrashedCode = (code: string | undefined): boolean =>
  /-(is-in-trash|no-longer-available)$/.test(code ?? '')

/** What an answer means that is not what was asked for, told by its code before its status. */
export function refusal(asked: Asked, response: Response, expected: string): Failure {
  const { status } = response
  const { method } = asked.request
  const refused = refusedIn(response)
  const { kind, message, hint } = refused
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
    ...(method !== 'GET' && doneAfter(response, refused)),
  })
}

/** Whether a write was done that a gateway answered, or a site in its last breath: a dead one behind a gateway certainly says no more. */
function doneAfter(response: Response, refused: Refused | undefined): { done?: 'unknown' | 'late' } {
  const { status } = response
  if (status === 502) return { done: 'unknown' }
  const isAnswer = status < 500 || (status !== 504 && refused !== undefined) || isAskedToWait(response)
  return isAnswer ? {} : { done: 'late' }
}

const isAskedToWait = ({ status, headers }: Response) => status === 503 && headers['retry-after'] !== undefined

interface Told {
  readonly kind: FailureKind
  readonly message: string
  readonly hint?: string
}

const wrongAddress = 'is the base URL right? that of a WordPress site ends in /wp-json'

function refusedIn(response: Response): Refused | undefined {
  const body = parsed(response)
  if (!isObject(body)) return undefined
  if (isObject(body.errors)) return serialised(body.errors)
  if (typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  return { code: body.code, message: plain(body.message), data: isObject(body.data) ? body.data : {} }
}

/** Older sites answer an update of an unknown slug with 200 and a list of sentences by code. */
function serialised(errors: Readonly<Record<string, unknown>>): Refused | undefined {
  const [first] = Object.entries(errors)
  if (!first) return undefined
  const [code, sentences] = first
  return { code, message: plain([sentences].flat().map(String).join('; ')), data: {} }
}

/** Values that are refused as if the site had broken down. */
const refusedAsBreakdown = new Set(['empty_content', 'empty_term_name', 'duplicate_term_slug'])

function meaning(asked: Asked, response: Response, refused: Refused): Told {
  const { code, message } = refused
  const { status } = response
  if (code === 'rest_no_route') return noRoute(asked)
  if (isPassing(status) && !refusedAsBreakdown.has(code))
    return { kind: 'unreachable', message: `${status} from ${asked.site}: ${message}`, hint: tryAgain(response) }
  if (status === 401) return denied(asked, message)
  if (isTrashedCode(code)) return inTrash(asked, status)
  if (code.endsWith('-not-accessible')) return hidden(asked)
  if (code.endsWith('-password-protected')) return locked(asked)
  if (isOtherKind(code)) return otherKind(asked)
  if (isMissing(asked, status, refused)) return missing(asked, refused)
  return { kind: 'refused', message: `refused by ${asked.site}: ${details(refused)}`, hint: hintFor(refused) }
}

/** No word from the API itself: a proxy, a firewall, another server. */
function unspoken(asked: Asked, response: Response): Told {
  const { status } = response
  const message = `${asked.site} answered ${status} with ${contentOf(response)}`
  if (isPassing(status)) return { kind: 'unreachable', message, hint: tryAgain(response) }
  return status === 401 ? denied(asked, `${status}`) : { kind: 'settings', message, hint: wrongAddress }
}

function notOurs(asked: Asked, response: Response, expected: string): Told {
  const got = parsed(response) === undefined ? contentOf(response) : 'other JSON'
  return { kind: 'settings', message: `expected ${expected} from ${asked.site}, got ${got}`, hint: wrongAddress }
}

const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429

function tryAgain(response: Response): string {
  const wait = retryAfter(response, Date.now())
  if (wait === undefined || wait <= longestWait) return 'try again in a while'
  return `it asks to be left alone for ${Math.ceil(wait / 60_000)} min`
}

const denied = ({ site }: Asked, message: string): Told => ({
  kind: 'denied',
  message: `not allowed at ${site}: ${message}`,
  hint: 'see which credentials are used with: calctl profiles show',
})

const noRoute = ({ site, request }: Asked): Told => ({
  kind: 'missing',
  message: `no route ${request.method} ${request.path} at ${site}`,
  hint: 'is the namespace right? the documentation has calendar/events/v1, a WordPress site: --namespace tribe/events/v1',
})

/** Services say by code, by status, or by 400 naming what addressed the record. */
function isMissing({ ref }: Asked, status: number, { code, data }: Refused): boolean {
  if (code.endsWith('-not-found') || status === 404 || status === 410) return true
  if (!ref || code !== 'rest_invalid_param' || !isObject(data.params)) return false
  const names = Object.keys(data.params)
  return names.length === 1 && names[0] === ('id' in ref ? 'id' : 'slug')
}

function missing(asked: Asked, refused: Refused): Told {
  const { resource, ref, site } = asked
  if (!resource || !ref) return { kind: 'missing', message: `not found at ${site}: ${refused.message}` }
  const elsewhere = refused.data.lang_code
  if (isLanguage(elsewhere))
    return {
      kind: 'missing',
      message: `no ${nameOf(asked)} at ${site} in this language; it is in ${elsewhere}`,
      hint: `add: --lang ${elsewhere}`,
    }
  return {
    kind: 'missing',
    message: `no ${nameOf(asked)} at ${site}`,
    hint: `list what is there with: calctl ${resource.name} list${listsAll[resource.name] ?? ''}`,
  }
}

/** What makes a list show all there is, where it shows less by itself. */
const listsAll: Readonly<Record<string, string>> = {
  events: ' --all-dates',
  categories: ' --no-hide-empty',
  tags: ' --no-hide-empty',
}

const inTrash = (asked: Asked, status: number): Told => ({
  kind: status === 410 ? 'missing' : 'refused',
  message: `${nameOf(asked)} is in the trash of ${asked.site}`,
  hint: `bring it back with: calctl ${asked.resource?.name ?? 'events'} restore ${keyOf(asked)}`,
})

const hidden = (asked: Asked): Told => ({
  kind: 'refused',
  message: `${nameOf(asked)} at ${asked.site} is not yours to see: a draft, private, or in the trash`,
  hint: 'see which credentials are used with: calctl profiles show',
})

const locked = (asked: Asked): Told => ({
  kind: 'refused',
  message: `${nameOf(asked)} at ${asked.site} needs its password`,
  hint: 'if you know it, add: --password …',
})

const isOtherKind = (code: string): boolean => /^rest-invalid-\w+-id$/.test(code)

const otherKind = (asked: Asked): Told => ({
  kind: 'missing',
  message: `${keyOf(asked)} is the ID of something else at ${asked.site}, not of ${article(asked)}`,
  hint: `list what is there with: calctl ${asked.resource?.name ?? 'events'} list${listsAll[asked.resource?.name ?? ''] ?? ''}`,
})

const article = ({ resource }: Asked): string => {
  const name = resource?.singular ?? 'event'
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}

const keyOf = ({ ref }: Asked): string => (ref === undefined ? '' : String('id' in ref ? ref.id : ref.slug))

const nameOf = (asked: Asked): string =>
  [asked.resource?.singular ?? '', keyOf(asked)].filter(part => part !== '').join(' ')

function details({ message, data: { params } }: Refused): string {
  if (Array.isArray(params)) return `missing: ${params.join(', ')}`
  if (!isObject(params)) return message
  return Object.entries(params)
    .map(([name, text]) => `${name}: ${plain(String(text))}`)
    .join('; ')
}

function hintFor({ code, data }: Refused): string | undefined {
  if (code === 'term_exists' && data.term_id !== undefined) return `it is there already, with the id ${data.term_id}`
  if (code === 'rest_forbidden') return 'see which credentials are used with: calctl profiles show'
  return undefined
}

/** Services put markup into sentences, and end them with a full stop. */
const plain = (message: string) =>
  message
    .replace(/<[^>]*>/g, '')
    .trim()
    .replace(/\.$/, '')

function contentOf({ headers, body }: Response): string {
  if (body.length === 0) return 'nothing'
  const type = headers['content-type']?.split(';')[0]
  return type === 'text/html' ? 'HTML' : (type ?? 'text of no declared type')
}

/** Passwords may stand in a query and must not be shown. */
function url({ site, request: { path, query } }: Asked): string {
  const shown = query?.replace(/(?<=^|&)(password=)[^&]*/, '$1***')
  return `${/^https?:/.test(site) ? site : ''}${path}${shown ? `?${shown}` : ''}`
}
