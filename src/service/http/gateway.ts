import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Request, Response } from '../../contract/exchange.ts'
import { isLanguage } from '../../contract/languages.ts'
import { obeyedRoute } from '../../contract/received-request.ts'
import { controlPath } from '../control-description.ts'
import { errorResponse } from '../refusal.ts'
import { largestBody } from '../request/read-request.ts'
import type { ControlRequest } from './control.ts'
import { type Subscribe, streamOf } from './event-stream.ts'
import type { ServerOutcome } from './faults.ts'
import {
  type CorsOptions,
  corsHeaders,
  isAllowed,
  isForeign,
  isForeignWrite,
  isPreflight,
  preflightHeaders,
  sendingOrigin,
} from './origins.ts'
import { type RequestTarget, readTarget } from './target.ts'

/** Where a gateway forwards requests to, and from whom it accepts them. */
export interface GatewayOptions {
  /** Empty, or `/wp-json`. */
  readonly basePath: string
  readonly service: (request: Request) => Promise<ServerOutcome>
  readonly welcome: () => Response
  /** Pages for people in a browser, in one of their `languages`; undefined for paths of the API. */
  readonly pages?: (path: string, query: string, languages?: string) => Promise<Response | undefined>
  readonly control: (request: ControlRequest) => Promise<Response>
  /** Tells a page in a browser that the calendar has changed. */
  readonly changes?: Subscribe
  /** Whether a `Host` header names this server. */
  readonly isOwnHost: (header: string) => boolean
  readonly cors: CorsOptions
  /** Called for a write that is refused because of the page from which it comes. */
  onRefusedOrigin?(origin: string): void
  /** The time for the header `Date`; undefined while it is that of the machine. */
  now?(): Date | undefined
}

/** Answers one request. `sendContinue` asks a client that waits for it (`Expect: 100-continue`) to send the body. */
export type Gateway = (message: IncomingMessage, sendContinue: () => void) => Promise<ServerOutcome>

export function createGateway(options: GatewayOptions): Gateway {
  const { isOwnHost, cors, now, onRefusedOrigin } = options
  return async (message, sendContinue) => {
    const target = readTarget(message, isOwnHost)
    if ('status' in target) return target
    const { host } = target
    const { method = 'GET' } = message
    const { origin } = message.headers
    const date = now?.()
    const sharedHeaders = { ...corsHeaders(origin, cors), ...(date && { date: date.toUTCString() }) }
    const headers = flatten(message.headers)
    const sent = { method, query: target.query, headers }
    if (isForeignWrite(sent, host, cors)) {
      const page = sendingOrigin(headers)
      if (page !== undefined) onRefusedOrigin?.(page)
      return foreignWrite(sharedHeaders)
    }
    if (isPreflight(method, headers) && isAllowed(headers.origin ?? '', cors))
      return { status: 204, headers: { ...sharedHeaders, ...preflightHeaders }, body: '' }
    const caller = { headers, isForeign: isForeign(sent, host, cors) }
    const outcome = await route(options, message, sendContinue, { ...target, ...caller })
    return typeof outcome === 'string' ? outcome : { ...outcome, headers: { ...outcome.headers, ...sharedHeaders } }
  }
}

async function route(
  options: GatewayOptions,
  message: IncomingMessage,
  sendContinue: () => void,
  { path, query, headers, isForeign }: RequestTarget & Required<Pick<Request, 'headers' | 'isForeign'>>,
): Promise<ServerOutcome> {
  const { basePath, service, control, cors } = options
  const { method = 'GET' } = message
  const below = pathBelow(path, basePath)
  const route = obeyedRoute({ query })
  const isRead = method === 'GET' || method === 'HEAD'
  const page = isRead && route === undefined ? await pageAt(options, { path, below, query, headers }) : undefined
  if (page) return page
  // Uploads are files of the site, next to its API.
  const isServed = below !== undefined || path === '/' || path.includes('/wp-content/uploads/')
  if (!isServed && !(cors.quirks && route !== undefined)) return outsideBasePath
  const body = await readBody(message, sendContinue)
  if (body === 'too large') return tooLarge
  if (below?.startsWith(controlPath))
    return control({
      method,
      action: below.slice(controlPath.length),
      body: body === undefined ? '' : Buffer.from(body).toString(),
      query,
      token: headers['x-calctl-token'],
      wantsStream: headers.accept === 'text/event-stream',
      remoteAddress: message.socket.remoteAddress,
    })
  const isAbandoned = () => message.socket.destroyed
  return service({
    headers,
    isForeign,
    method,
    path: below ?? path,
    query,
    isAbandoned,
    ...(body === undefined ? {} : { body }),
  })
}

interface PageRequest {
  readonly path: string
  /** The path below the base path, if it is there. */
  readonly below: string | undefined
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Answers for people: pages in a browser, with the files that they load, and a welcome in a terminal. Like a site with the API below a path
 * of its own, quirks ask nobody what they accept.
 */
async function pageAt(
  { pages, changes, welcome, basePath, cors: { quirks } }: GatewayOptions,
  { path, below, query, headers }: PageRequest,
): Promise<Response | undefined> {
  // The index of the API.
  if (below === '/' && path !== '/') return undefined
  const isSite = quirks && basePath !== ''
  const { accept = '', 'accept-language': wanted } = isSite ? { accept: 'text/html' } : headers
  const place = below ?? path
  if (place === '/__page/changes') return changes && streamOf(changes)
  const isFile = place.startsWith('/__page/') || place === '/calendar.ics'
  const isPage = accept.includes('text/html') && !(isSite && below !== undefined)
  const page = isFile || isPage ? await pages?.(place, query, wanted) : undefined
  if (path !== '/') return page
  // Programs that ask for JSON get the index of the API instead.
  if (accept.includes('application/json')) return undefined
  const greeting = welcome()
  return page ? { ...page, headers: { ...greeting.headers, ...page.headers } } : greeting
}

const flatten = (headers: IncomingMessage['headers']): Record<string, string> => {
  const result: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    result[name] = typeof value === 'string' ? value : (value?.join(', ') ?? '')
  }
  return result
}

/**
 * The path below the base path, beginning with `/`; undefined if it is outside. A language may precede the base path as well as
 * follow it: `/en/wp-json/…` is `/en/…` below `/wp-json`.
 */
function pathBelow(path: string, basePath: string): string | undefined {
  if (basePath === '') return path
  const below = withoutPrefix(path, basePath)
  if (below !== undefined) return below
  const [, language = ''] = path.split('/', 2)
  const inLanguage = isLanguage(language.toLowerCase()) ? withoutPrefix(path, `/${language}${basePath}`) : undefined
  return inLanguage === undefined ? undefined : `/${language}${inLanguage}`
}

const withoutPrefix = (path: string, prefix: string): string | undefined => {
  if (path === prefix) return '/'
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined
}

/** The bytes of a body, undefined if there is none; rejects if the client disconnects. */
async function readBody(message: IncomingMessage, sendContinue: () => void) {
  const { 'content-length': declared, 'transfer-encoding': encoding, expect } = message.headers
  if (encoding === undefined && (declared === undefined || declared === '0')) return undefined
  if (expect !== undefined && Number(declared) > largestBody) return 'too large'
  sendContinue()
  const chunks: Uint8Array[] = []
  let length = 0
  // Read to the end even if it is too large: a client that is still sending would not see the answer.
  message.on('data', (chunk: Uint8Array) => {
    length += chunk.length
    if (length <= largestBody) chunks.push(chunk)
  })
  await once(message, 'end')
  return length > largestBody ? 'too large' : Buffer.concat(chunks)
}

const foreignWrite = (headers: Readonly<Record<string, string>>): Response =>
  errorResponse(
    403,
    'rest_cross_origin',
    'Pages of other sites may not write to this calendar. To allow one, start the server with --cors and its origin.',
    headers,
  )

const outsideBasePath: Response = errorResponse(
  404,
  'rest_no_route',
  'No route was found matching the URL and request method.',
)

const tooLarge: Response = errorResponse(413, 'request_too_large', 'The request body is larger than 8 MiB.')
