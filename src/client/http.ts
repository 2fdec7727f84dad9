import { setFlagsFromString } from 'node:v8'
import type { Request, Response, Transport } from '../contract/exchange.ts'
import { Failure } from '../failure.ts'
import { createPools, type Proxies, proxyFor } from './pools.ts'
import { type OutgoingRequest, sendRequest } from './send.ts'
import { unreachable } from './unreachable.ts'

export interface HttpOptions {
  readonly baseUrl: string
  /** Headers that let a request in; fetched once, with the first request, and sent to the base URL's origin only. */
  readonly credentials?: (() => Promise<Readonly<Record<string, string>>>) | undefined
  /** How long one request may take altogether, in ms. */
  readonly timeout?: number | undefined
  readonly proxies?: Proxies | undefined
  /** Certificates to trust in place of Node's own, as PEM. */
  readonly trusted?: readonly string[] | undefined
}

/** A way to a site across the network. */
export type HttpTransport = Transport & { close(): Promise<void> }

const mostRedirects = 5

/** Opens the way to a base URL. Nothing is sent before the first request. */
export async function createHttpTransport(options: HttpOptions): Promise<HttpTransport> {
  // undici compiles its parser from WebAssembly; the optimising compiler takes 60 ms longer over it than it ever saves.
  setFlagsFromString('--liftoff-only')
  const { baseUrl, timeout = 30_000, proxies } = options
  const base = new URL(baseUrl)
  const pools = createPools({ ...options, timeout })
  let closed = false
  let credentials: Promise<Readonly<Record<string, string>>> | undefined

  const send = async (sent: OutgoingRequest, patience: number): Promise<Response> => {
    const { origin, method, path } = sent
    credentials ??= options.credentials?.()
    const headers = { ...sent.headers, ...(origin === base.origin && (await credentials)) }
    const pool = await pools.of(origin)
    if (closed) throw cut(baseUrl)
    try {
      return await sendRequest(pool, { ...sent, headers }, patience)
    } catch (error) {
      // Nobody waits for it any more, so that it is not tried again.
      if (closed) throw cut(baseUrl)
      const proxy = proxies && proxyFor(origin, proxies)?.origin
      throw unreachable(error, { method, url: origin + path, timeout, proxy })
    }
  }

  const transport = async ({ method, path, query, headers, body }: Request): Promise<Response> => {
    const started = Date.now()
    const sent = { method, headers: { ...headers, 'accept-encoding': 'gzip', 'user-agent': 'calctl' }, body }
    let origin = base.origin
    let target = `${base.pathname.replace(/\/$/, '')}${path}${query ? `?${query}` : ''}`
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const response = await send({ ...sent, origin, path: target }, timeout - (Date.now() - started))
      const next = redirectOf(response, origin + target)
      if (!next) return response
      if (method !== 'GET' && method !== 'HEAD') throw notFollowed(method, origin + target, next)
      origin = next.origin
      target = next.pathname + next.search
    }
    throw new Failure('settings', `${baseUrl} redirects for ever`, { hint: 'is the base URL right?' })
  }

  return Object.assign(transport, {
    close: async () => {
      closed = true
      await pools.destroy()
    },
  })
}

const cut = (baseUrl: string) => new Failure('interrupted', `the connection to ${baseUrl} was closed`)

function redirectOf({ status, headers }: Response, from: string): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  return /^https?:$/.test(target.protocol) ? target : undefined
}

const notFollowed = (method: string, url: string, { origin, pathname }: URL) =>
  new Failure('settings', `${new URL(url).origin} redirects writes to ${origin}${pathname}: nothing was written`, {
    hint: 'if that is the right place, use it as the base URL',
    method,
    url,
  })
