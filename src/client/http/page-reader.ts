import type { Response } from '../../contract/exchange.ts'
import { problemFailure } from './problems/unavailable.ts'
import { createSender, type SenderOptions } from './sender.ts'
import { maxRedirects, redirectOf } from './transport.ts'

/** A page after all redirects. */
export interface WebPage extends Pick<Response, 'status' | 'headers'> {
  readonly url: URL
  readonly body: string
}

/** Reads a page, follows its redirects, and asks for a form such as `application/json`. Throws `unreachable` if nothing answers. */
export type ReadPage = (url: URL, accept?: string) => Promise<WebPage>

interface PageReaderOptions extends SenderOptions {
  /** Headers for the web server in front of a site, sent only to the host of the site. */
  readonly front?: { readonly host: string; readonly headers: Readonly<Record<string, string>> } | undefined
}

/** Makes a reader of pages on any host, which sends no credentials of users. */
export function createPageReader(options: PageReaderOptions): { read: ReadPage; close(): Promise<void> } {
  const sender = createSender(options)
  const { front } = options
  const answerOf = ({ origin, host, pathname, search }: URL, accept: string): Promise<Response> => {
    const own = front?.host === host ? front.headers : {}
    const headers = { accept, 'user-agent': 'calctl', 'accept-encoding': 'gzip', ...own }
    return sender.send({ origin, method: 'GET', path: pathname + search, headers })
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
    close: sender.close,
  }
}
