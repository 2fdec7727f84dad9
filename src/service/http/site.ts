import type { IncomingMessage } from 'node:http'
import type { Request, Response } from '../../contract/exchange.ts'
import { readBody } from './body.ts'
import type { ControlRequest } from './control.ts'
import { errorAnswer } from './error.ts'
import type { Outcome } from './faults.ts'
import { isForeignWrite, isPreflight, preflightHeaders, type Sharing, sharingHeaders } from './origins.ts'
import { belowBase, readTarget, type Target } from './target.ts'

/** What is found at a host and port: the service below its base path, and what stands around it. */
export interface SiteOptions {
  /** Empty, or `/wp-json`. */
  readonly basePath: string
  readonly service: (request: Request) => Promise<Outcome>
  readonly welcome: (accept: string) => Response
  readonly control: (request: ControlRequest) => Promise<Response>
  readonly isOwnHost: (header: string) => boolean
  readonly sharing: Sharing
}

/** Answers one request that came over a socket. `invite` tells a caller who waits for it to send the body. */
export type Answering = (message: IncomingMessage, invite: () => void) => Promise<Outcome>

/** Who may ask at all is decided first, then where the request goes. */
export function createSite(options: SiteOptions): Answering {
  const { isOwnHost, sharing } = options
  return async (message, invite) => {
    const target = readTarget(message.url ?? '/')
    const { method = 'GET' } = message
    const { origin } = message.headers
    const host = target.host ?? message.headers.host ?? ''
    if (!isOwnHost(host)) return unknownHost(host)
    const shared = sharingHeaders(origin, sharing)
    if (isForeignWrite(method, origin, host, sharing)) return foreignWrite(shared)
    const headers = flat(message.headers)
    if (isPreflight(method, headers) && sharing.origins.has(headers.origin ?? ''))
      return { status: 204, headers: { ...shared, ...preflightHeaders }, body: '' }
    const outcome = await route(options, message, invite, target, headers)
    return typeof outcome === 'string' ? outcome : { ...outcome, headers: { ...outcome.headers, ...shared } }
  }
}

async function route(
  { basePath, service, welcome, control }: SiteOptions,
  message: IncomingMessage,
  invite: () => void,
  { path, query }: Target,
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { method = 'GET' } = message
  const below = belowBase(path, basePath)
  const isRead = method === 'GET' || method === 'HEAD'
  const isFront = isRead && (path === '/' || below === '/') && !query.includes('rest_route=')
  // Programs are told in JSON what the site is.
  if (isFront && !headers.accept?.includes('application/json')) return welcome(headers.accept ?? '')
  if (below === undefined && path !== '/') return outside
  const body = await readBody(message, invite)
  if (body === 'too large') return tooLarge
  if (below?.startsWith(controlPath))
    return control({
      method,
      action: below.slice(controlPath.length),
      token: headers['x-calctl-token'],
      remoteAddress: message.socket.remoteAddress,
    })
  return service({ method, path: below ?? path, query, headers, ...(body === undefined ? {} : { body }) })
}

const controlPath = '/__calctl/'

const flat = (headers: IncomingMessage['headers']): Record<string, string> => {
  const result: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    result[name] = typeof value === 'string' ? value : (value?.join(', ') ?? '')
  }
  return result
}

const unknownHost = (host: string): Response =>
  host === ''
    ? errorAnswer(400, 'rest_missing_host', 'The Host header is missing.')
    : errorAnswer(
        421,
        'rest_unknown_host',
        `This server does not go by the name "${host}". If it should, start it with --allow-host ${host}.`,
      )

const foreignWrite = (headers: Readonly<Record<string, string>>): Response =>
  errorAnswer(
    403,
    'rest_cross_origin',
    'A page of another site may not write here. If it should, start the server with --cors and its origin.',
    headers,
  )

const outside: Response = errorAnswer(404, 'rest_no_route', 'No route was found matching the URL and request method.')

const tooLarge: Response = errorAnswer(413, 'request_too_large', 'A body may hold 8 MiB at most.')
