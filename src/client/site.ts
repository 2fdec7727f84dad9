import type { Transport } from '../contract/exchange.ts'
import type { Client } from './client.ts'
import { type HttpOptions, httpTransport } from './http.ts'
import { recovering } from './lost.ts'
import { pause } from './pause.ts'
import { proxiesIn } from './proxies.ts'
import { type Patience, retrying } from './retry.ts'

interface SiteOptions
  extends Pick<HttpOptions, 'baseUrl' | 'credentials' | 'timeout'>,
    Pick<Patience, 'retries' | 'now' | 'notice'> {
  /** Where proxies are named. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly caFile: string | undefined
  stopping(): AbortSignal
}

/** A way across the network that bears with what networks do. */
export interface SiteWay {
  readonly transport: Transport
  /** The client that finds out what became of writes whose answers were lost on this way. */
  steadied(client: Client): Client
  close(): Promise<void>
}

/** Opens the way to a site. Nothing is sent before the first request. */
export async function openSite(options: SiteOptions): Promise<SiteWay> {
  const { baseUrl, credentials, timeout, env, caFile, stopping } = options
  const trusted = caFile === undefined ? undefined : (await import('./certificates.ts')).trustedWith(caFile)
  const http = await httpTransport({ baseUrl, credentials, timeout, proxies: proxiesIn(env), trusted: await trusted })
  const patience: Patience = { ...options, random: Math.random, pause: ms => pause(ms, stopping()) }
  return {
    transport: retrying(http, baseUrl, patience),
    steadied: client => recovering(client, patience),
    close: () => http.close(),
  }
}
