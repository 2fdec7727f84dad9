import type { Transport } from '../contract/exchange.ts'
import type { Client } from './client.ts'
import { createHttpTransport, type HttpOptions } from './http.ts'
import { withReconciliation } from './lost-writes.ts'
import { pause } from './pause.ts'
import { proxiesIn } from './pools.ts'
import { type RetryOptions, withRetries } from './retry.ts'

interface ResilientHttpOptions
  extends Pick<HttpOptions, 'baseUrl' | 'credentials' | 'timeout'>,
    Pick<RetryOptions, 'retries' | 'now' | 'notice'> {
  /** Where proxies are named. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly caFile: string | undefined
  stopping(): AbortSignal
}

/** A way across the network that bears with what networks do. */
export interface ResilientHttp {
  readonly transport: Transport
  /** The client that finds out what became of writes whose answers were lost on this way. */
  reconciling(client: Client): Client
  close(): Promise<void>
}

/** Opens the way to a site. Nothing is sent before the first request. */
export async function openResilientHttp(options: ResilientHttpOptions): Promise<ResilientHttp> {
  const { baseUrl, credentials, timeout, env, caFile, stopping } = options
  const trusted = caFile === undefined ? undefined : (await import('./certificates.ts')).trustedWith(caFile)
  const http = await createHttpTransport({
    baseUrl,
    credentials,
    timeout,
    proxies: proxiesIn(env),
    trusted: await trusted,
  })
  const patience: RetryOptions = { ...options, random: Math.random, pause: ms => pause(ms, stopping()) }
  return {
    transport: withRetries(http, baseUrl, patience),
    reconciling: client => withReconciliation(client, patience),
    close: () => http.close(),
  }
}
