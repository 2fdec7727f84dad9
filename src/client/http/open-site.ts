import { Failure } from '../../base/failure.ts'
import { once } from '../../base/memoize.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Response, Transport } from '../../contract/exchange.ts'
import { phpMessageIn } from './api-error.ts'
import type { PatienceOptions } from './patience.ts'
import { type RetryOptions, type Sending, withRetries } from './retry.ts'
import type { TrafficLog } from './traffic.ts'
import { createHttpTransport, type HttpOptions } from './transport.ts'

/** An open connection to a site. */
export interface SiteConnection {
  readonly transport: Transport
  /** How often a write is sent again after its answer was lost, and how long to wait. */
  readonly retry: RetryOptions
  close(): Promise<void>
}

export interface SiteOptions
  extends Omit<HttpOptions, 'credentials'>,
    Omit<PatienceOptions, 'label'>,
    Pick<RetryOptions, 'retries'> {
  credentials(): Promise<Readonly<Record<string, string>>>
  readonly observe?: TrafficLog['observe']
  readonly sending?: Sending
}

/** Opens a connection to a site, with retries and uncached reads. Sends nothing before the first request. */
export async function openSite(options: SiteOptions): Promise<SiteConnection> {
  const { observe, sending = {}, ...connection } = options
  const { baseUrl, credentials, retries, now, sleep, stopSignal, notice } = connection
  const retry: RetryOptions = { retries, now, notice, random: Math.random, pause: pauseOf(sleep, stopSignal) }
  const http = await createHttpTransport(connection)
  const observed = observe
    ? (await import('./traffic.ts')).withTraffic(http, { baseUrl, credentials, now, observe })
    : http
  const fresh = withFreshReads(observed, sending)
  const patience = once(async () => {
    const { Patience } = await import('./patience.ts')
    return new Patience(fresh, { label: baseUrl, now, notice, stopSignal, sleep })
  })
  const waiting: Transport = async request =>
    sending.maxWait === undefined ? fresh(request) : (await patience()).send(request, sending.maxWait)
  const retrying = withRetries(waiting, baseUrl, retry)
  const transport: Transport = request =>
    sending.deadline ? beforeDeadline(fresh(request), sending.deadline, baseUrl) : retrying(request)
  return { transport: noticingPhpMessages(transport, baseUrl, notice), retry, close: () => http.close() }
}

/** The answer, unless the deadline comes first. */
const beforeDeadline = (response: Promise<Response>, deadline: Promise<unknown>, baseUrl: string): Promise<Response> =>
  Promise.race([
    response,
    deadline.then((): never => {
      throw new Failure('unreachable', phrase('{baseUrl} did not answer in time', { baseUrl }), { timedOut: true })
    }),
  ])

/** Waits before a request is sent again; throws `interrupted` as soon as the signal is aborted. */
export const pauseOf =
  (sleep: SiteOptions['sleep'], signal: AbortSignal): RetryOptions['pause'] =>
  async ms => {
    if (!signal.aborted) await sleep(ms, signal)
    if (signal.aborted) throw new Failure('interrupted', phrase('interrupted while waiting to retry'))
  }

/**
 * A transport whose reads no cache answers once they serve a write, because a write must be built on what the site has now. Many caches in
 * front of a site ignore request headers, and some do not say that an answer is theirs; but no cache can answer for a URL that nobody has
 * requested before. Services ignore the parameter `_`.
 */
function withFreshReads(transport: Transport, sending: Sending): Transport {
  return request => {
    const { method, query, headers } = request
    if (method !== 'GET' || !sending.toWrite) return transport(request)
    const unique = `_=${Math.random().toString(36).slice(2)}`
    return transport({
      ...request,
      query: query ? `${query}&${unique}` : unique,
      headers: { ...headers, 'cache-control': 'no-cache' },
    })
  }
}

/** A transport that says once if a site prints messages of PHP before its answers, when these can still be read. */
function noticingPhpMessages(transport: Transport, label: string, notice: (text: string) => Promise<void>): Transport {
  let hasNoticed = false
  return async request => {
    const response = await transport(request)
    if (hasNoticed || typeof response.body !== 'string' || /^\s*([{[]|$)/.test(response.body)) return response
    const message = phpMessageIn(response)
    if (message === undefined || hasNoticed) return response
    hasNoticed = true
    await notice(
      phrase(
        '{label} prints PHP messages before its answers, which are still readable: {message}; ask whoever runs the site to turn off display_errors',
        { label, message },
      ),
    )
    return response
  }
}
