import type { Response } from '../../contract/exchange.ts'
import { type ConnectionOptions, createPools, proxyFor } from './pools.ts'
import { problemFailure } from './problems/problem.ts'
import { sendRequest } from './send.ts'
import type { Exchange } from './traffic.ts'

/** A page as it was found after all redirects. */
export interface WebPage extends Pick<Response, 'status' | 'headers'> {
  readonly url: URL
  readonly body: string
}

/** Reads a page, wherever it has moved to, in a form such as `application/json`. Throws `unreachable` if nothing answers. */
export type ReadPage = (url: URL, accept?: string) => Promise<WebPage>

const maxRedirects = 5

interface PageReaderOptions extends ConnectionOptions {
  /** Gets every request that is sent, with its answer. */
  readonly observe?: ((exchange: Exchange) => Promise<void>) | undefined
  /** Headers for the web server in front of a site, sent only to the host of its address. */
  readonly front?: { readonly host: string; readonly headers: Readonly<Record<string, string>> } | undefined
}

/** Makes a reader of pages anywhere, which sends no credentials of users. */
export function createPageReader(options: PageReaderOptions): { read: ReadPage; close(): Promise<void> } {
  const pools = createPools(options)
  const { timeout, proxies, front, observe } = options
  const answerOf = async ({ origin, host, pathname, search }: URL, accept: string): Promise<Response> => {
    const own = front?.host === host ? front.headers : {}
    const headers = { accept, 'user-agent': 'calctl', 'accept-encoding': 'gzip', ...own }
    const path = pathname + search
    const send = async () => sendRequest(await pools.of(origin), { origin, method: 'GET', path, headers }, timeout)
    try {
      return await observed(send, { origin, path, headers }, observe)
    } catch (error) {
      const { unreachable } = await import('./problems/connection-problems.ts')
      throw unreachable(error, {
        method: 'GET',
        url: origin + path,
        timeout,
        proxy: proxies && proxyFor(origin, proxies)?.origin,
      })
    }
  }
  return {
    async read(start, accept = 'text/html, */*;q=0.8') {
      let url = start
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const response = await answerOf(url, accept)
        const next = redirectOf(response, url.href)
        if (!next) return { url, status: response.status, headers: response.headers, body: String(response.body) }
        url = next
      }
      const { redirectLoop } = await import('./problems/answer-problems.ts')
      throw problemFailure(redirectLoop(start.href))
    },
    close: () => pools.destroy(),
  }
}

/** Sends a request that no transport sends, and shows it to `observe`. */
export async function observed(
  send: () => Promise<Response>,
  { origin, path, headers }: { origin: string; path: string; headers: Readonly<Record<string, string>> },
  observe: ((exchange: Exchange) => Promise<void>) | undefined,
): Promise<Response> {
  if (!observe) return send()
  const { withTraffic } = await import('./traffic.ts')
  const options = { baseUrl: origin, credentials: async () => ({}), now: Date.now, observe }
  return withTraffic(send, options)({ method: 'GET', path, headers })
}

/** Where a response redirects to, on the web; undefined if it does not. */
export function redirectOf({ status, headers }: Response, from: string): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  return /^https?:$/.test(target.protocol) ? target : undefined
}
