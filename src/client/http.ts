import { setFlagsFromString } from 'node:v8'
import type { Request, Response, Transport } from '../contract/exchange.ts'
import { Failure } from '../failure.ts'
import { exchange, largestAnswer, type Sent } from './send.ts'
import { unreachable } from './unreachable.ts'

export interface HttpOptions {
  readonly baseUrl: string
  /** Headers that let a request in; fetched once, with the first request, and sent to the base URL's origin only. */
  readonly credentials?: () => Promise<Readonly<Record<string, string>>>
  /** How long one request may take altogether, in ms. */
  readonly timeout?: number
}

/** A way to a site across the network. */
export type HttpTransport = Transport & { close(): Promise<void> }

const mostRedirects = 5

/** Opens the way to a base URL. Nothing is sent before the first request. */
export async function httpTransport(options: HttpOptions): Promise<HttpTransport> {
  // undici compiles its parser from WebAssembly; the optimising compiler takes 60 ms longer over it than it ever saves.
  setFlagsFromString('--liftoff-only')
  const { Pool } = await import('./undici.ts')
  const { baseUrl, timeout = 30_000 } = options
  const base = new URL(baseUrl)
  const pools = new Map<string, InstanceType<typeof Pool>>()
  const poolOf = (origin: string) => {
    const known = pools.get(origin)
    if (known) return known
    const limits = { maxResponseSize: largestAnswer, connect: { timeout }, bodyTimeout: 0, headersTimeout: 0 }
    const pool = new Pool(origin, { connections: 8, ...limits })
    pools.set(origin, pool)
    return pool
  }
  let closed = false
  let credentials: Promise<Readonly<Record<string, string>>> | undefined

  /** Goes where it is sent, but only if nothing is written there, and without credentials if it is another origin. */
  const follow = async (sent: Sent, origin: string, redirects: number): Promise<Response> => {
    credentials ??= options.credentials?.()
    const own = origin === base.origin ? await credentials : {}
    if (closed) throw new Failure('interrupted', `the connection to ${baseUrl} was closed`)
    const response = await exchange(poolOf(origin), { ...sent, headers: { ...sent.headers, ...own } }, timeout).catch(
      (error: unknown) => {
        throw unreachable(error, { method: sent.method, url: origin + sent.path, timeout })
      },
    )
    const target = redirectOf(response, origin + sent.path)
    if (!target) return response
    if (sent.method !== 'GET' && sent.method !== 'HEAD') throw notFollowed(sent, origin, target)
    if (redirects === 0)
      throw new Failure('settings', `${baseUrl} redirects for ever`, { hint: 'is the base URL right?' })
    return follow({ ...sent, path: target.pathname + target.search }, target.origin, redirects - 1)
  }

  const transport = ({ method, path, query, headers, body }: Request) => {
    const sent = { method, path: `${base.pathname.replace(/\/$/, '')}${path}${query ? `?${query}` : ''}`, body }
    return follow(
      { ...sent, headers: { ...headers, 'accept-encoding': 'gzip', 'user-agent': 'calctl' } },
      base.origin,
      mostRedirects,
    )
  }
  return Object.assign(transport, {
    close: async () => {
      closed = true
      await Promise.all([...pools.values()].map(pool => pool.destroy()))
    },
  })
}

function redirectOf({ status, headers }: Response, from: string): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  return /^https?:$/.test(target.protocol) ? target : undefined
}

const notFollowed = ({ method, path }: Sent, origin: string, target: URL) =>
  new Failure('settings', `${origin} redirects writes to ${target.origin}${target.pathname}: nothing was written`, {
    hint: 'if that is the right place, use it as the base URL',
    method,
    url: origin + path,
  })
