import { setFlagsFromString } from 'node:v8'
import { Failure } from '../../base/failure.ts'
import { once } from '../../base/memoize.ts'
import { shellWord } from '../../base/text/escaping.ts'
import { hidePassword } from '../../base/text/secrets.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { isWrite } from '../../contract/received-request.ts'
import { problemFailure } from './problems/unavailable.ts'
import { addressOf } from './request.ts'
import { createSender, defaultTimeout, type OutgoingRequest, type SenderOptions } from './sender.ts'

export interface HttpOptions extends Partial<Pick<SenderOptions, 'timeout' | 'proxies' | 'trusted' | 'lookup'>> {
  readonly baseUrl: string
  /** Headers with credentials: read once, with the first request, and sent only to the origin of the base URL. */
  readonly credentials?: (() => Promise<Readonly<Record<string, string>>>) | undefined
  /** Other origins to which reads may be redirected. */
  readonly follow?: readonly string[] | undefined
}

/** A transport over HTTP. */
export type HttpTransport = Transport & { close(): Promise<void> }

export const maxRedirects = 5

/** Makes a transport to a base URL. Sends nothing before the first request. */
export async function createHttpTransport(options: HttpOptions): Promise<HttpTransport> {
  // undici compiles its parser from WebAssembly; compiling it with optimization takes 60 ms longer than it ever saves.
  setFlagsFromString('--liftoff-only')
  const { baseUrl, timeout = defaultTimeout, follow = [] } = options
  const base = new URL(baseUrl)
  const sender = createSender({ ...options, timeout })
  let closed = false
  const credentials = once(async () => options.credentials?.())

  const send = async (request: OutgoingRequest, remaining: number): Promise<Response> => {
    const known = await credentials()
    const own = request.origin === base.origin ? known : undefined
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
      headers: { 'user-agent': 'calctl', ...headers, 'accept-encoding': 'gzip' },
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
      if (isWrite({ method, query, headers })) throw redirectedWrite(redirect)
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

const connectionClosed = (baseUrl: string) =>
  new Failure('interrupted', phrase('the connection to {origin} was closed', { origin: baseUrl }))

/** Where a response redirects to; undefined if it does not, or not to a web address. */
export function redirectOf({ status, headers }: Response, from: string): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  return /^https?:$/.test(target.protocol) ? target : undefined
}

interface Redirect {
  readonly method: string
  readonly url: string
  readonly next: URL
  /** The base URL after the redirect, if it is like the old one. */
  readonly newBaseUrl: string | undefined
}

/** The failure for a redirected read: updates are built on what is read, so no other server may supply it. */
const redirectedRead = ({ method, url, next, newBaseUrl }: Redirect) =>
  new Failure('settings', phrase('{origin} redirects to {page}: nothing was read from there', between(url, next)), {
    hint: phrase('if you trust it, use {baseUrl}; or, for reads alone, add: {options}', {
      baseUrl: baseUrlOption(newBaseUrl),
      options: `--follow ${next.origin}`,
    }),
    method,
    url: hidePassword(url),
    redirectsTo: hidePassword(next.href),
    ...(movedToHttps(url, next) && { problem: 'only-https' }),
  })

const redirectedWrite = ({ method, url, next, newBaseUrl }: Redirect) =>
  new Failure('settings', phrase('{origin} redirects writes to {page}: nothing was written', between(url, next)), {
    hint: phrase('if that is the right address, use {baseUrl}', { baseUrl: baseUrlOption(newBaseUrl) }),
    method,
    url: hidePassword(url),
  })

const baseUrlOption = (newBaseUrl: string | undefined) =>
  newBaseUrl === undefined ? phrase('it as the base URL') : `--base-url ${shellWord(newBaseUrl)}`

const movedToHttps = (url: string, next: URL): boolean =>
  url.startsWith('http:') && next.protocol === 'https:' && next.hostname === new URL(url).hostname

/** From where to where a site redirects. */
const between = (from: string, to: URL) => ({
  origin: new URL(from).origin,
  page: hidePassword(to.origin + to.pathname),
})

/** The new base URL of a site that has moved to `https` or to a name with `www.`, if its addresses below the base URL are the same. */
function newBaseUrl({ href }: URL, { search }: URL, request: Pick<Request, 'path' | 'query'>): string | undefined {
  const end = addressOf(search, request)
  return href.endsWith(end) ? href.slice(0, href.length - end.length) + search : undefined
}
