import type { Dispatcher } from 'undici'
import { type Proxies, proxyFor } from './proxies.ts'
import { largestAnswer } from './send.ts'

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
  const limits = { connections: 8, maxResponseSize: largestAnswer, bodyTimeout: 0, headersTimeout: 0 }

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
