import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { badSettings, forExample } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request, Response } from '../../contract/exchange.ts'
import { maxResponseSize, NoResponse, RequestTimeout, rejectRefusedTunnels } from './connection-errors.ts'
import type { TracedExchange } from './traffic.ts'

/** How connections are made. */
export interface ConnectionOptions {
  /** How long connecting may take, in ms. */
  readonly timeout: number
  readonly proxies?: Proxies | undefined
  /** Certificates to trust instead of those of Node, as PEM. */
  readonly trusted?: readonly string[] | undefined
  /** Looks up the addresses of hosts instead of Node, and can refuse them; a proxy looks them up itself. */
  readonly lookup?: LookupFunction | undefined
}

/** How long a request may take by default, in ms. */
export const defaultTimeout = 30_000

export interface SenderOptions extends ConnectionOptions {
  /** Gets every request that is sent, with its answer. */
  readonly observe?: ((exchange: TracedExchange) => Promise<void>) | undefined
}

/**
 * Makes a sender with one connection pool for each origin, direct or through a proxy. `send` throws `unreachable` if no response comes
 * within the timeout, or within `left` ms.
 */
export function createSender({ timeout, proxies, trusted, lookup, observe }: SenderOptions) {
  const pools = new Map<string, Promise<Dispatcher>>()
  const ca = trusted && { ca: [...trusted] }
  const connect = { timeout, ...ca, ...(lookup && { lookup }) }
  const limits = { connections: 8, maxResponseSize, bodyTimeout: 0, headersTimeout: 0 }

  const open = async (origin: string): Promise<Dispatcher> => {
    const proxy = proxies && proxyFor(origin, proxies)
    const { Pool, proxyAgents } = await import('./undici.lib.ts')
    if (!proxies || !proxy) return new Pool(origin, { ...limits, connect })
    const EnvHttpProxyAgent = await proxyAgents()
    return new EnvHttpProxyAgent({
      httpProxy: proxy.href,
      httpsProxy: proxy.href,
      noProxy: proxies.noProxy,
      // Plain http goes to the proxy itself, because many proxies allow tunnels only to port 443.
      proxyTunnel: false,
      connect,
      ...(ca && { requestTls: ca, proxyTls: ca }),
      clientFactory: (target: URL, options: object) => rejectRefusedTunnels(new Pool(target, options)),
      factory: (target: string | URL, options: object) => new Pool(target, { ...options, ...limits }),
    })
  }
  const poolOf = (origin: string): Promise<Dispatcher> => {
    const pool = pools.get(origin) ?? open(origin)
    pools.set(origin, pool)
    return pool
  }
  const send = async (request: OutgoingRequest, left = timeout): Promise<Response> => {
    const { origin, method, path } = request
    const pool = await poolOf(origin)
    try {
      return await sendRequest(pool, request, left)
    } catch (error) {
      const proxy = proxies && proxyFor(origin, proxies)?.origin
      const { unreachable } = await import('./problems/connection-problems.ts')
      throw unreachable(error, { method, url: origin + path, timeout, proxy })
    }
  }
  return {
    async send(request: OutgoingRequest, left?: number): Promise<Response> {
      if (!observe) return send(request, left)
      const { withTraffic } = await import('./traffic.ts')
      const { origin: baseUrl, ...sent } = request
      const observed = withTraffic(() => send(request, left), { baseUrl, now: Date.now, observe })
      return observed(sent)
    },
    async close() {
      await Promise.all([...pools.values()].map(async pool => (await pool).destroy()))
    },
  }
}

/** The proxies from the environment, and the hosts that need none. */
export interface Proxies {
  readonly http: URL | undefined
  readonly https: URL | undefined
  /** Comma-separated, as in `NO_PROXY`. */
  readonly noProxy: string
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; the lower-case names win, as they do for curl. */
export function proxiesIn(env: Readonly<Record<string, string | undefined>>): Proxies {
  return {
    http: parseProxy(env, 'http_proxy'),
    https: parseProxy(env, 'https_proxy'),
    noProxy: variable(env, 'no_proxy') ?? '',
  }
}

/** The proxy for an origin; none for this machine. undici itself handles the hosts of `noProxy`. */
export function proxyFor(origin: string, { http, https }: Proxies): URL | undefined {
  const { hostname, protocol } = new URL(origin)
  if (loopback.test(hostname)) return undefined
  return protocol === 'https:' ? https : http
}

/** Hosts such as `localhost`, which a proxy would take for its own machine. */
const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f:]+\]|0\.0\.0\.0|\[::\])$/

const variable = (env: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
  env[name] || env[name.toUpperCase()] || undefined

function parseProxy(env: Readonly<Record<string, string | undefined>>, name: string): URL | undefined {
  const text = variable(env, name)
  if (text === undefined) return undefined
  const url = /^[a-z0-9]+:\/\//i.test(text) ? text : `http://${text}`
  if (URL.canParse(url)) return new URL(url)
  // The value may contain a password, so the message does not contain it.
  const label = name.toUpperCase()
  throw badSettings(
    phrase('{label}: expected the URL of a proxy', { label }),
    forExample(`export ${label}=http://proxy.example:3128`),
  )
}

/** A request to one origin; its `path` includes the query. */
export type OutgoingRequest = Omit<Request, 'query'> & {
  readonly origin: string
  /** At most this many bytes of a body are read; the rest stays unread. */
  readonly mostBytes?: number
}

/**
 * Sends a request and reads the whole response. Rejects with a `NoResponse` that has undici's error or, after `timeout` ms, a
 * `RequestTimeout`.
 */
async function sendRequest(
  dispatcher: Dispatcher,
  { origin, method, path, headers, body, wantsBytes, mostBytes }: OutgoingRequest,
  timeout: number,
): Promise<Response> {
  const response = await new Promise<Response & { body: Buffer }>((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let length = 0
    let received: Record<string, string> = {}
    let controller: Dispatcher.DispatchController | undefined
    let timedOut: RequestTimeout | undefined
    const finish = () => {
      clearTimeout(timer)
      resolve({ status, headers: received, body: Buffer.concat(chunks) })
    }
    const fail = (reason: unknown) => {
      clearTimeout(timer)
      reject(new NoResponse(reason, controller !== undefined))
    }
    const timer = setTimeout(() => {
      timedOut = new RequestTimeout()
      fail(timedOut)
      controller?.abort(timedOut)
    }, timeout)
    dispatcher.dispatch(
      { origin, method, path, headers, body },
      {
        onRequestStart(starting) {
          // The request waited for a connection for longer than the timeout.
          if (timedOut) starting.abort(timedOut)
          else controller = starting
        },
        onResponseStart(_, statusCode, responseHeaders) {
          status = statusCode
          received = joinHeaders(responseHeaders)
        },
        onResponseData(_, chunk) {
          chunks.push(chunk)
          length += chunk.length
          if (mostBytes === undefined || length < mostBytes) return
          finish()
          controller?.abort(new Error('the rest is not needed'))
        },
        onResponseEnd: finish,
        onResponseError(_, error) {
          fail(error)
        },
      },
    )
  })
  const bytes = mostBytes === undefined ? await decompress(response) : response.body
  return { ...response, body: wantsBytes ? bytes : bytes.toString() }
}

const joinHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function decompress({ headers, body }: Response & { body: Buffer }): Promise<Buffer> {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body
  const { gunzipSync } = await import('node:zlib')
  return gunzipSync(body, { maxOutputLength: maxResponseSize })
}
