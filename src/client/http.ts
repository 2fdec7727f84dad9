import { setFlagsFromString } from 'node:v8'
import type { Request, Response, Transport } from '../contract/exchange.ts'
import { Failure } from '../failure.ts'
import { hidePassword } from '../text/secret-parameters.ts'
import { createPools, type Proxies, proxyFor } from './pools.ts'
import { type OutgoingRequest, sendRequest } from './send.ts'
import { unreachable } from './unreachable.ts'

export interface HttpOptions {
  readonly baseUrl: string
  /** Headers with credentials; fetched once, with the first request, and sent to the base URL's origin only. */
  readonly credentials?: (() => Promise<Readonly<Record<string, string>>>) | undefined
  /** How long one request may take altogether, in ms. */
  readonly timeout?: number | undefined
  readonly proxies?: Proxies | undefined
  /** Certificates to trust instead of Node's own, as PEM. */
  readonly trusted?: readonly string[] | undefined
  /** Other origins to which reads may be redirected. */
  readonly follow?: readonly string[] | undefined
}

/** A transport over HTTP. */
export type HttpTransport = Transport & { close(): Promise<void> }

const maxRedirects = 5

/** Makes a transport to a base URL. Nothing is sent before the first request. */
export async function createHttpTransport(options: HttpOptions): Promise<HttpTransport> {
  // undici compiles its parser from WebAssembly; the optimizing compiler takes 60 ms longer over it than it ever saves.
  setFlagsFromString('--liftoff-only')
  const { baseUrl, timeout = 30_000, proxies, follow = [] } = options
  const base = new URL(baseUrl)
  const pools = createPools({ ...options, timeout })
  let closed = false
  let credentials: Promise<Readonly<Record<string, string>>> | undefined

  const send = async (request: OutgoingRequest, remaining: number): Promise<Response> => {
    const { origin, method, path } = request
    credentials ??= options.credentials?.()
    const headers = { ...request.headers, ...(origin === base.origin && (await credentials)) }
    const pool = await pools.of(origin)
    if (closed) throw connectionClosed(baseUrl)
    try {
      return await sendRequest(pool, { ...request, headers }, remaining)
    } catch (error) {
      // The command has ended: nothing is retried.
      if (closed) throw connectionClosed(baseUrl)
      const proxy = proxies && proxyFor(origin, proxies)?.origin
      throw unreachable(error, { method, url: origin + path, timeout, proxy })
    }
  }

  const transport = async ({ method, path, query, headers, body }: Request): Promise<Response> => {
    const started = Date.now()
    const outgoing = { method, headers: { ...headers, 'accept-encoding': 'gzip', 'user-agent': 'calctl' }, body }
    let origin = base.origin
    let target = `${base.pathname.replace(/\/$/, '')}${path}${query ? `?${query}` : ''}`
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await send({ ...outgoing, origin, path: target }, timeout - (Date.now() - started))
      const next = redirectOf(response, origin + target)
      if (!next) return response
      if (method !== 'GET' && method !== 'HEAD') throw redirectedWrite(method, origin + target, next)
      if (next.origin !== origin && !follow.includes(next.origin)) throw redirectedRead(method, origin + target, next)
      origin = next.origin
      target = next.pathname + next.search
    }
    throw new Failure('settings', `too many redirects from ${baseUrl}`, { hint: 'is the base URL right?' })
  }

  return Object.assign(transport, {
    close: async () => {
      closed = true
      await pools.destroy()
    },
  })
}

const connectionClosed = (baseUrl: string) => new Failure('interrupted', `the connection to ${baseUrl} was closed`)

function redirectOf({ status, headers }: Response, from: string): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  return /^https?:$/.test(target.protocol) ? target : undefined
}

/** What is read becomes the base of updates, so that another server must not slip in its own. */
const redirectedRead = (method: string, url: string, { origin, pathname }: URL) =>
  new Failure('settings', `${new URL(url).origin} redirects to ${origin}${pathname}: nothing was read from there`, {
    hint: `if you trust it, use it as the base URL, or add: --follow ${origin}`,
    method,
    url: hidePassword(url),
  })

const redirectedWrite = (method: string, url: string, { origin, pathname }: URL) =>
  new Failure('settings', `${new URL(url).origin} redirects writes to ${origin}${pathname}: nothing was written`, {
    hint: 'if that is the right address, use it as the base URL',
    method,
    url: hidePassword(url),
  })
