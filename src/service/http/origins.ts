import { networkInterfaces } from 'node:os'
import { receivedParameters } from '../../base/text/received-parameters.ts'
import type { Request } from '../../contract/exchange.ts'
import { isWrite } from '../../contract/received-request.ts'

type Headers = Readonly<Record<string, string>>

const methods = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'
const exposedHeaders = 'X-TEC-Total, X-TEC-TotalPages, Allow, Location, Retry-After'

/** Which pages of other sites may use this calendar from a browser. */
export interface CorsOptions {
  /** Origins, `*` for every page, and `localhost` for pages of this machine. */
  readonly origins: ReadonlySet<string>
  /** Whether answers carry production's headers, which let every origin read. */
  readonly quirks: boolean
}

/** Whether this is a write by a page of another site that is not among the allowed origins. With quirks, a GET can be one. */
export const isForeignWrite = (request: Sent, host: string, cors: CorsOptions) =>
  isWrite(request) && isForeign(request, host, cors)

type Sent = Pick<Request, 'method' | 'query'> & { readonly headers: Headers }

/**
 * Whether a request comes, or may come, from a page of another site that is not among the allowed origins. For images and scripts, browsers
 * send no origin. They say that the page is of another site, but to hosts of plain http only by `Referer`, which a page can leave out.
 */
export function isForeign(request: Sent, host: string, cors: CorsOptions): boolean {
  const { headers } = request
  const origin = sendingOrigin(headers)
  if (cors.origins.has('*')) return false
  if (headers.origin === undefined && 'sec-fetch-site' in headers) return isFromOtherSite(headers)
  return origin === undefined ? isLikeOfPage(request) : isForeignOrigin(origin, host, cors)
}

/** The origin of the page that causes a request, if a browser tells it. */
export const sendingOrigin = ({ origin, referer }: Headers): string | undefined =>
  origin ?? (referer && (URL.canParse(referer) ? new URL(referer).origin : 'null'))

/** Whether an image or a script of a page could cause a request that writes, or whose answer it could read. No page can set `Authorization`. */
const isLikeOfPage = ({ method, query = '', headers }: Sent): boolean =>
  headers.authorization === undefined &&
  !isWrite({ method }) &&
  (isWrite({ method, query }) || '_jsonp' in receivedParameters(query))

/** Whether an origin is neither the server's own nor allowed. */
export const isForeignOrigin = (origin: string, host: string, cors: CorsOptions): boolean =>
  !isAllowed(origin, cors) && origin !== `http://${host}` && origin !== `https://${host}`

/** Whether a browser says that a page of another origin, or of another port of this machine, causes a request. */
export const isFromOtherSite = ({ 'sec-fetch-site': site = 'none' }: Readonly<Record<string, unknown>>): boolean =>
  site !== 'same-origin' && site !== 'none'

/** Whether the pages of an origin may read and write like the server's own. */
export const isAllowed = (origin: string, { origins }: CorsOptions): boolean =>
  origins.has(origin) || origins.has('*') || (origins.has('localhost') && isLocal(origin))

const isLocal = (origin: string): boolean => URL.canParse(origin) && isLoopback(new URL(origin).hostname)

/** Words for several origins. */
export const openOrigins: ReadonlySet<string> = new Set(['*', 'localhost'])

/** The headers that tell a browser which pages may read an answer. */
export function corsHeaders(origin: string | undefined, cors: CorsOptions): Headers {
  const { origins, quirks } = cors
  if (origins.size === 0 && !quirks) return {}
  if (origin === undefined || !(quirks || isAllowed(origin, cors))) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    ...(quirks ? { 'access-control-allow-methods': methods } : { 'access-control-expose-headers': exposedHeaders }),
    vary: 'Origin',
  }
}

export const isPreflight = (method: string, headers: Headers): boolean =>
  method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers

export const preflightHeaders: Headers = {
  'access-control-allow-methods': methods,
  'access-control-allow-headers': 'Authorization, Content-Type, X-HTTP-Method-Override',
  'access-control-max-age': '600',
}

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export const inUrl = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/** Whether a host or a remote address is this machine, as seen from itself. */
export const isLoopback = (host: string): boolean => /^(localhost|(::ffff:)?127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host)

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]'

/** An address that clients on this machine can use, also if the server listens on all addresses. */
export function reachable(host: string): string {
  if (!isAnyAddress(host)) return host
  return host === '0.0.0.0' ? '127.0.0.1' : '::1'
}

/**
 * Tells the `Host` headers that name this server from others. A foreign name that resolves to this machine is how a web page reaches a
 * server on the reader's machine (DNS rebinding). Allowed names without a port are valid for every port.
 */
export function createHostCheck(host: string, port: number, allowed: readonly string[]): (header: string) => boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap(
    addresses => addresses?.map(({ address }) => address) ?? [],
  )
  const own = ['localhost', '127.0.0.1', '::1', host, ...(isAnyAddress(host) ? interfaces : [])].map(inUrl)
  const exact = new Set([...own.map(name => `${name}:${port}`), ...(port === 80 ? own : []), ...allowed].map(toLower))
  const names = new Set(allowed.map(toLower))
  return header => exact.has(toLower(header)) || names.has(toLower(header).replace(/:\d+$/, ''))
}

const toLower = (text: string) => text.toLowerCase()
