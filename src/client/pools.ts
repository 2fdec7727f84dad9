import type { Dispatcher } from 'undici'
import { Failure } from '../failure.ts'
import { maxResponseSize } from './send.ts'

/** Which connections are made, and how. */
export interface PoolOptions {
  /** How long connecting may take, in ms. */
  readonly timeout: number
  readonly proxies?: Proxies | undefined
  /** Certificates to trust in place of Node's own, as PEM. */
  readonly trusted?: readonly string[] | undefined
}

/** The connections to every origin that is talked to: directly, or through a proxy. */
export function createPools({ timeout, proxies, trusted }: PoolOptions) {
  const pools = new Map<string, Promise<Dispatcher>>()
  const ca = trusted && { ca: [...trusted] }
  const limits = { connections: 8, maxResponseSize: maxResponseSize, bodyTimeout: 0, headersTimeout: 0 }

  const open = async (origin: string): Promise<Dispatcher> => {
    const proxy = proxies && proxyFor(origin, proxies)
    if (!proxies || !proxy) {
      const { Pool } = await import('./undici.ts')
      return new Pool(origin, { ...limits, connect: { timeout, ...ca } })
    }
    const proxied = await import('./undici-proxy.lib.ts')
    return new proxied.EnvHttpProxyAgent({
      httpProxy: proxy.href,
      httpsProxy: proxy.href,
      noProxy: proxies.not,
      // Plain http is asked for at the proxy itself: many allow tunnels to 443 only.
      proxyTunnel: false,
      connect: { timeout, ...ca },
      ...(ca && { requestTls: ca, proxyTls: ca }),
      factory: (target: string | URL, options: object) => new proxied.Pool(target, { ...options, ...limits }),
    })
  }
  return {
    of(origin: string): Promise<Dispatcher> {
      const pool = pools.get(origin) ?? open(origin)
      pools.set(origin, pool)
      return pool
    },
    async destroy(): Promise<void> {
      await Promise.all([...pools.values()].map(async pool => (await pool).destroy()))
    },
  }
}

/** The proxies that the environment names, and the hosts that need none. */
export interface Proxies {
  readonly http: URL | undefined
  readonly https: URL | undefined
  /** Comma-separated, as in `NO_PROXY`. */
  readonly not: string
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; the lower-case names win, as with curl. */
export function proxiesIn(env: Readonly<Record<string, string | undefined>>): Proxies {
  return {
    http: proxy(env, 'http_proxy'),
    https: proxy(env, 'https_proxy'),
    not: either(env, 'no_proxy') ?? '',
  }
}

/** The proxy through which an origin is reached; those of `not` are left out by undici. */
export const proxyFor = (origin: string, { http, https }: Proxies): URL | undefined =>
  origin.startsWith('https:') ? https : http

const either = (env: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
  env[name] || env[name.toUpperCase()] || undefined

function proxy(env: Readonly<Record<string, string | undefined>>, name: string): URL | undefined {
  const text = either(env, name)
  if (text === undefined) return undefined
  const url = /^[a-z0-9]+:\/\//i.test(text) ? text : `http://${text}`
  if (URL.canParse(url)) return new URL(url)
  // What it says may hold a password, and is not repeated.
  throw new Failure('settings', `${name.toUpperCase()}: expected the address of a proxy`, {
    hint: `for example: export ${name.toUpperCase()}=http://proxy.example:3128`,
  })
}
