import type { Response } from '../contract/exchange.ts'
import { isLanguage } from '../contract/words.ts'
import { Failure, type FailureKind } from '../failure.ts'
import { type Asked, isObject, parsed } from './answer.ts'

/** An answer that says no, in the API's own form. */
interface Refused {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A list was asked for a page after its last: nothing is wrong, there is no more. */
export const isPastTheEnd = (response: Response): boolean =>
  response.status === 404 && refusedIn(response)?.code.endsWith('-archive-page-not-found') === true

/** What an answer that is not 2xx means, told by its code before its status. */
export function refusal(asked: Asked, response: Response): Failure {
  const { status } = response
  const refused = refusedIn(response)
  const { kind, message, hint } = refused ? meaning(asked, status, refused) : unspoken(asked, response)
  return new Failure(kind, message, {
    hint,
    status,
    code: refused?.code,
    method: asked.request.method,
    url: url(asked),
  })
}

/** A 2xx answer that the API would not give. */
export function notOurs(asked: Asked, response: Response, expected: string): Failure {
  const got = parsed(response) === undefined ? contentOf(response) : 'other JSON'
  return new Failure('settings', `expected ${expected} from ${asked.site}, got ${got}`, {
    hint: wrongAddress,
    status: response.status,
    method: asked.request.method,
    url: url(asked),
  })
}

interface Told {
  readonly kind: FailureKind
  readonly message: string
  readonly hint?: string
}

const wrongAddress = 'is the base URL right? that of a WordPress site ends in /wp-json'

function refusedIn(response: Response): Refused | undefined {
  const body = parsed(response)
  if (!isObject(body) || typeof body.code !== 'string' || typeof body.message !== 'string') return undefined
  return { code: body.code, message: plain(body.message), data: isObject(body.data) ? body.data : {} }
}

function meaning(asked: Asked, status: number, refused: Refused): Told {
  const { code, message } = refused
  if (code === 'rest_no_route') return noRoute(asked)
  if (status >= 500 || status === 408 || status === 429)
    return { kind: 'unreachable', message: `${status} from ${asked.site}: ${message}`, hint: tryAgain }
  if (status === 401) return denied(asked, message)
  if (code.endsWith('-is-in-trash') || code.endsWith('-no-longer-available')) return inTrash(asked, status)
  if (isMissing(asked, status, refused)) return missing(asked, refused)
  return { kind: 'refused', message: `refused by ${asked.site}: ${details(refused)}`, hint: hintFor(refused) }
}

/** No word from the API itself: a proxy, a firewall, another server. */
function unspoken(asked: Asked, response: Response): Told {
  const { status } = response
  const message = `${asked.site} answered ${status} with ${contentOf(response)}`
  if (status >= 500 || status === 408 || status === 429) return { kind: 'unreachable', message, hint: tryAgain }
  return status === 401 ? denied(asked, `${status}`) : { kind: 'settings', message, hint: wrongAddress }
}

const tryAgain = 'try again in a while'

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

/** Services say by 404, or by 400 naming what addressed the record. */
function isMissing({ ref }: Asked, status: number, { code, data }: Refused): boolean {
  if (status === 404 || status === 410) return true
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
  hint: `list the trash with: calctl ${asked.resource?.name ?? 'events'} list --status trash`,
})

function nameOf({ resource, ref }: Asked): string {
  const name = ref && ('id' in ref ? ref.id : ref.slug)
  return [resource?.singular, name].filter(part => part !== undefined).join(' ')
}

function details({ message, data: { params } }: Refused): string {
  if (Array.isArray(params)) return `missing: ${params.join(', ')}`
  if (!isObject(params)) return message
  return Object.entries(params)
    .map(([name, text]) => `${name}: ${plain(String(text))}`)
    .join('; ')
}

function hintFor({ code, data }: Refused): string | undefined {
  if (code === 'term_exists' && data.term_id !== undefined) return `it is there already, with the id ${data.term_id}`
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
