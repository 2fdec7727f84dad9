import { setFlagsFromString } from 'node:v8'
import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { Failure } from '../../failure.ts'
import { hidePassword, shellWord } from '../../text/escaping.ts'
import { addressOf } from './address.ts'
import { problemFailure } from './problems/problem.ts'
import type { OutgoingRequest } from './send.ts'
import { createSender, defaultTimeout, type Proxies } from './sender.ts'
import { redirectOf } from './web-page.ts'

export interface HttpOptions {
  readonly baseUrl: string
  /** Headers with credentials; fetched once, with the first request, and sent to the base URL's origin only. */
  readonly credentials?: (() => Promise<Readonly<Record<string, string>>>) | undefined
  /** How long one request may take altogether, in ms. */
  readonly timeout?: number | undefined
  readonly proxies?: Proxies | undefined
  /** Certificates to trust instead of Node's own, as PEM. */
  readonly trusted?: readonly string[] | undefined
  /** Other origins to which reads may be redirected. */
  readonly follow?: readonly string[] | undefined
}

/** A transport over HTTP. */
export type HttpTransport = Transport & { close(): Promise<void> }

const maxRedirects = 5

/** Makes a transport to a base URL. Nothing is sent before the first request. */
export async function createHttpTransport(options: HttpOptions): Promise<HttpTransport> {
  // undici compiles its parser from WebAssembly; the optimizing compiler takes 60 ms longer over it than it ever saves.
  setFlagsFromString('--liftoff-only')
  const { baseUrl, timeout = defaultTimeout, follow = [] } = options
  const base = new URL(baseUrl)
  const sender = createSender({ ...options, timeout })
  let closed = false
  let credentials: Promise<Readonly<Record<string, string>>> | undefined

  const send = async (request: OutgoingRequest, remaining: number): Promise<Response> => {
    credentials ??= options.credentials?.()
    const own = request.origin === base.origin ? await credentials : undefined
    const headers = { ...request.headers, ...own }
    if (closed) throw connectionClosed(baseUrl)
    try {
      const response = await sender.send({ ...request, headers }, remaining)
      if (own?.['x-authorization'] !== undefined) return { ...response, withCredentials: true, isBehindFront: true }
      return own?.authorization === undefined ? response : { ...response, withCredentials: true }
    } catch (error) {
      // The command has ended: nothing is retried.
      throw closed ? connectionClosed(baseUrl) : error
    }
  }

  const transport = async ({ method, path, query, headers, body, wantsBytes }: Request): Promise<Response> => {
    const started = Date.now()
    const outgoing = {
      method,
      headers: { ...headers, 'accept-encoding': 'gzip', 'user-agent': 'calctl' },
      body,
      ...(wantsBytes && { wantsBytes }),
    }
    let origin = base.origin
    let target = addressOf(base.pathname + base.search, { path, query })
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await send({ ...outgoing, origin, path: target }, timeout - (Date.now() - started))
      const next = redirectOf(response, origin + target)
      if (!next) return response
      const redirect = { method, url: origin + target, next, newBaseUrl: newBaseUrl(next, base, { path, query }) }
      if (method !== 'GET' && method !== 'HEAD') throw redirectedWrite(redirect)
      if (next.origin !== origin && !follow.includes(next.origin)) throw redirectedRead(redirect)
      origin = next.origin
      target = next.pathname + next.search
    }
    const { redirectLoop } = await import('./problems/answer-problems.ts')
    throw problemFailure(redirectLoop(baseUrl))
  }

  return Object.assign(transport, {
    close: async () => {
      closed = true
      await sender.close()
    },
  })
}

const connectionClosed = (baseUrl: string) => new Failure('interrupted', `the connection to ${baseUrl} was closed`)

interface Redirect {
  readonly method: string
  readonly url: string
  readonly next: URL
  /** The base URL of the site where it is now, if it is like the old one. */
  readonly newBaseUrl: string | undefined
}

/** Updates are built on what was read, so no other server may be able to insert data of its own. */
const redirectedRead = ({ method, url, next, newBaseUrl }: Redirect) =>
  new Failure('settings', `${new URL(url).origin} redirects to ${pageOf(next)}: nothing was read from there`, {
    hint: `if you trust it, use ${baseUrlOption(newBaseUrl)}; or, for reads alone, add: --follow ${next.origin}`,
    method,
    url: hidePassword(url),
    redirectsTo: hidePassword(next.href),
    ...(movedToHttps(url, next) && { problem: 'only-https' }),
  })

const redirectedWrite = ({ method, url, next, newBaseUrl }: Redirect) =>
  new Failure('settings', `${new URL(url).origin} redirects writes to ${pageOf(next)}: nothing was written`, {
    hint: `if that is the right address, use ${baseUrlOption(newBaseUrl)}`,
    method,
    url: hidePassword(url),
  })

const baseUrlOption = (newBaseUrl: string | undefined) =>
  newBaseUrl === undefined ? 'it as the base URL' : `--base-url ${shellWord(newBaseUrl)}`

const movedToHttps = (url: string, next: URL): boolean =>
  url.startsWith('http:') && next.protocol === 'https:' && next.hostname === new URL(url).hostname

const pageOf = ({ origin, pathname }: URL): string => origin + pathname

/** The option for a site that has moved, to `https` or to a name with `www.`, where its addresses below the base URL are the same. */
function newBaseUrl({ href }: URL, { search }: URL, request: Pick<Request, 'path' | 'query'>): string | undefined {
  const end = addressOf(search, request)
  return href.endsWith(end) ? href.slice(0, href.length - end.length) + search : undefined
}
