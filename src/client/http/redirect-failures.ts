import { Failure } from '../../base/failure.ts'
import { hidePassword, shellWord } from '../../base/text/escaping.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request } from '../../contract/exchange.ts'
import { addressOf } from './request.ts'

interface Redirect {
  readonly method: string
  readonly url: string
  readonly next: URL
  /** The base URL after the redirect, if it is like the old one. */
  readonly newBaseUrl: string | undefined
}

/** The failure for a redirected read: updates are built on what is read, so no other server may supply it. */
export const redirectedRead = ({ method, url, next, newBaseUrl }: Redirect) =>
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

export const redirectedWrite = ({ method, url, next, newBaseUrl }: Redirect) =>
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
const between = (url: string, { origin, pathname }: URL) => ({ origin: new URL(url).origin, page: origin + pathname })

/** The new base URL of a site that has moved to `https` or to a name with `www.`, if its addresses below the base URL are the same. */
export function newBaseUrl(
  { href }: URL,
  { search }: URL,
  request: Pick<Request, 'path' | 'query'>,
): string | undefined {
  const end = addressOf(search, request)
  return href.endsWith(end) ? href.slice(0, href.length - end.length) + search : undefined
}
