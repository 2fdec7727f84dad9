import { setTimeout as wait } from 'node:timers/promises'
import type { Response, Transport } from '../contract/exchange.ts'
import { Failure } from '../failure.ts'
import { inputProblem, reason } from '../fs.ts'
import type { Client } from './client.ts'
import { createHttpTransport, type HttpOptions } from './http.ts'
import { withReconciliation } from './lost-writes.ts'
import { withPatience } from './patience.ts'
import { noticingPhpMessages } from './php-messages.ts'
import { proxiesIn } from './pools.ts'
import { type RetryOptions, withRetries } from './retry.ts'
import type { Exchange } from './traffic.ts'

interface ResilientHttpOptions
  extends Pick<HttpOptions, 'baseUrl' | 'credentials' | 'timeout' | 'follow'>,
    Pick<RetryOptions, 'retries' | 'now' | 'notice'> {
  /** Where proxies are named. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly caFile: string | undefined
  /** Gets every request that is sent, with its answer. */
  readonly observe?: ((exchange: Exchange) => Promise<void>) | undefined
  readonly stopSignal: AbortSignal
  sleep(ms: number): Promise<unknown>
}

/** HTTP with retries, and a client over it that reconciles lost writes. */
export interface ResilientHttp {
  readonly transport: Transport
  /** Wraps a client over this transport: it finds out what became of writes whose responses were lost. */
  reconciling(client: Client): Client
  /** To be called before the reads that writes are built on. */
  prepareToWrite(): void
  /** From now on, sends each request once, and fails it when this resolves; undefined ends that. */
  hurry(deadline: Promise<unknown> | undefined): void
  /** From now on, waits up to so many ms in a row while the site refuses everything. */
  waitForSite(maxWait: number): void
  close(): Promise<void>
}

/** Prepares the transport to a base URL. Nothing is sent before the first request. */
export async function openResilientHttp(options: ResilientHttpOptions): Promise<ResilientHttp> {
  const { baseUrl, credentials, timeout, follow, env, caFile, stopSignal, observe } = options
  const trusted = caFile === undefined ? undefined : await trustedCertificates(caFile)
  const http = await createHttpTransport({ baseUrl, credentials, timeout, follow, proxies: proxiesIn(env), trusted })
  const retryOptions: RetryOptions = { ...options, random: Math.random, pause: ms => pause(ms, stopSignal) }
  const sending = observe ? await observed(http, observe, options) : http
  let isFresh = false
  let deadline: Promise<unknown> | undefined
  const fresh = withFreshReads(sending, () => isFresh)
  const patient = withPatience(fresh, { ...options, label: baseUrl })
  const retrying = withRetries(patient.transport, baseUrl, retryOptions)
  const transport: Transport = request =>
    deadline ? beforeDeadline(fresh(request), deadline, baseUrl) : retrying(request)
  return {
    transport: noticingPhpMessages(transport, baseUrl, options.notice),
    hurry(until) {
      deadline = until
    },
    waitForSite: patient.begin,
    prepareToWrite() {
      isFresh = true
    },
    reconciling: client => withReconciliation(client, retryOptions),
    close: () => http.close(),
  }
}

/** The answer, if it comes in time. */
const beforeDeadline = (response: Promise<Response>, deadline: Promise<unknown>, baseUrl: string): Promise<Response> =>
  Promise.race([
    response,
    deadline.then((): never => {
      throw new Failure('unreachable', `${baseUrl} did not answer in time`, { timedOut: true })
    }),
  ])

async function observed(
  transport: Transport,
  observe: (exchange: Exchange) => Promise<void>,
  { baseUrl, credentials = async () => ({}), now }: ResilientHttpOptions,
): Promise<Transport> {
  const { withTraffic } = await import('./traffic.ts')
  return withTraffic(transport, { baseUrl, credentials, now, observe })
}

/** Resolves after `ms`; throws `interrupted` as soon as the user stops it. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal })
  } catch {
    throw new Failure('interrupted', 'interrupted while waiting to retry')
  }
}

/** The certificates of a PEM file and those that Node trusts by itself. */
export async function trustedCertificates(path: string): Promise<string[]> {
  const { readFile } = await import('node:fs/promises')
  const { X509Certificate } = await import('node:crypto')
  const { rootCertificates } = await import('node:tls')
  const unreadable = (why: string) =>
    new Failure('settings', `--ca-file: cannot read ${path}: ${why}`, { hint: 'is the path right?' })
  const problem = inputProblem(path)
  if (problem !== undefined) throw unreadable(problem)
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw unreadable(reason(error, 'read'))
  })
  const isCertificate = (pem: string): boolean => {
    try {
      return new X509Certificate(pem).subject !== undefined
    } catch {
      return false
    }
  }
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new Failure('settings', `--ca-file: no certificates in ${path}`, {
      hint: 'expected PEM: lines between BEGIN CERTIFICATE and END CERTIFICATE',
    })
  return [...rootCertificates, ...certificates]
}

/**
 * A transport whose reads no cache answers, as soon as they are to be fresh: what a write is built on must be what the site has now.
 * Many caches in front of a site heed no request header, and some do not say that an answer is theirs; but none answers for a URL
 * that nobody asked for before. Services ignore `_`.
 */
function withFreshReads(transport: Transport, isFresh: () => boolean): Transport {
  return request => {
    const { method, query, headers } = request
    if (method !== 'GET' || !isFresh()) return transport(request)
    const once = `_=${Math.random().toString(36).slice(2)}`
    return transport({
      ...request,
      query: query ? `${query}&${once}` : once,
      headers: { ...headers, 'cache-control': 'no-cache' },
    })
  }
}
