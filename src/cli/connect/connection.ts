import { resolve } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { inputProblem, reason } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import { phpMessageIn } from '../../client/http/response.ts'
import { type RetryOptions, type Sending, withPatience, withRetries } from '../../client/http/retry.ts'
import { defaultTimeout, proxiesIn } from '../../client/http/sender.ts'
import type { TrafficLog } from '../../client/http/traffic.ts'
import { createHttpTransport } from '../../client/http/transport.ts'
import type { Response, Transport } from '../../contract/exchange.ts'
import type { Globals, World } from '../world.ts'

/** What all requests of a command have in common. */
export interface HttpContext {
  readonly world: World
  readonly globals: Globals
  readonly notice: (text: string) => Promise<void>
  readonly traffic?: TrafficLog | undefined
  readonly sending?: Sending
}

/** An open connection to a server. */
export interface HttpConnection {
  readonly transport: Transport
  /** How a write is tried again whose answer was lost. */
  readonly retry: RetryOptions
  close(): Promise<void>
}

/**
 * Opens HTTP to a server with the user's options: how long to wait, how often to retry, whom to trust, what to write down. Nothing is
 * sent before the first request.
 */
export async function openHttp(
  { world, globals, notice, traffic, sending = {} }: HttpContext,
  baseUrl: string,
  credentials: () => Promise<Readonly<Record<string, string>>>,
): Promise<HttpConnection> {
  const { follow, retries = 3 } = globals
  const now = () => world.now().getTime()
  const stopSignal = world.stopSignal()
  const retry: RetryOptions = { retries, now, notice, random: Math.random, pause: pauseOf(world.sleep, stopSignal) }
  const http = await createHttpTransport({ ...(await connectionOptions(world, globals)), baseUrl, credentials, follow })
  const observe = traffic?.observe
  const observed = observe
    ? (await import('../../client/http/traffic.ts')).withTraffic(http, { baseUrl, credentials, now, observe })
    : http
  const fresh = withFreshReads(observed, sending)
  const patient = withPatience(fresh, { label: baseUrl, sending, now, notice, stopSignal, sleep: world.sleep })
  const retrying = withRetries(patient, baseUrl, retry)
  const transport: Transport = request =>
    sending.deadline ? beforeDeadline(fresh(request), sending.deadline, baseUrl) : retrying(request)
  return { transport: noticingPhpMessages(transport, baseUrl, notice), retry, close: () => http.close() }
}

/** The answer, if it comes in time. */
const beforeDeadline = (response: Promise<Response>, deadline: Promise<unknown>, baseUrl: string): Promise<Response> =>
  Promise.race([
    response,
    deadline.then((): never => {
      throw new Failure('unreachable', phrase('{baseUrl} did not answer in time', { baseUrl }), { timedOut: true })
    }),
  ])

/** Waits before a request is sent again; throws `interrupted` as soon as the user stops it. */
export const pauseOf =
  (sleep: World['sleep'], signal: AbortSignal): RetryOptions['pause'] =>
  async ms => {
    if (!signal.aborted) await sleep(ms, signal)
    if (signal.aborted) throw new Failure('interrupted', phrase('interrupted while waiting to retry'))
  }

/** How connections are made with the user's options. */
export const connectionOptions = async (
  { env, cwd }: Pick<World, 'env' | 'cwd'>,
  { timeout = defaultTimeout, caFile }: Pick<Globals, 'timeout' | 'caFile'>,
) => ({
  timeout,
  proxies: proxiesIn(env),
  trusted: caFile === undefined ? undefined : await trustedCertificates(resolve(cwd, caFile)),
})

/** The certificates of a PEM file and those that Node trusts by itself. */
export async function trustedCertificates(path: string): Promise<string[]> {
  const { readFile } = await import('node:fs/promises')
  const { X509Certificate } = await import('node:crypto')
  const { rootCertificates } = await import('node:tls')
  const unreadable = (why: string) =>
    new Failure('settings', phrase('--ca-file: cannot read {path}: {why}', { path, why }), {
      hint: phrase('check the path'),
    })
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
    throw new Failure('settings', phrase('--ca-file: no certificates in {path}', { path }), {
      hint: phrase('expected PEM: lines between BEGIN CERTIFICATE and END CERTIFICATE'),
    })
  return [...rootCertificates, ...certificates]
}

/**
 * A transport whose reads no cache answers, as soon as they are to be fresh: what a write is built on must be what the site has now.
 * Many caches in front of a site heed no request header, and some do not say that an answer is theirs; but none answers for a URL
 * that nobody asked for before. Services ignore `_`.
 */
function withFreshReads(transport: Transport, sending: Sending): Transport {
  return request => {
    const { method, query, headers } = request
    if (method !== 'GET' || !sending.toWrite) return transport(request)
    const once = `_=${Math.random().toString(36).slice(2)}`
    return transport({
      ...request,
      query: query ? `${query}&${once}` : once,
      headers: { ...headers, 'cache-control': 'no-cache' },
    })
  }
}

/** A transport that says once that a site prints messages of PHP before its answers, if these can be read nevertheless. */
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

/** The answer to a GET of a file on the web, without credentials, whose body is bytes. It is not larger than any answer may be. */
export async function download(context: HttpContext, url: URL): Promise<Response> {
  const { origin, pathname, search } = url
  const site = await openHttp(context, origin, async () => ({}))
  try {
    const query = search.slice(1)
    return await site
      .transport({ method: 'GET', path: pathname, query, headers: { accept: '*/*' }, wantsBytes: true })
      .catch(withNewAddress)
  } finally {
    await site.close()
  }
}

/** The failure of a file that has moved says so in terms of the file: it has no base URL. */
function withNewAddress(error: unknown): never {
  if (!(error instanceof Failure)) throw error
  const { kind, message, details } = error
  const { redirectsTo } = details
  if (redirectsTo === undefined) throw error
  throw new Failure(kind, message, {
    ...details,
    hint: phrase('if you trust it, read {redirectsTo}, or add: --follow {origin}', {
      redirectsTo,
      origin: new URL(redirectsTo).origin,
    }),
  })
}

/** The bytes of an image on the web, as a site would load it. */
export async function downloadImage(context: HttpContext, url: string): Promise<Uint8Array> {
  const { status, body } = await download(context, new URL(url))
  if (status === 200) return Buffer.from(body)
  throw new Failure(status < 500 ? 'refused' : 'unreachable', phrase('{url} answered {status}', { url, status }), {
    hint: phrase('open the address in a browser to see the answer, or leave out --copy-images'),
    status,
  })
}
