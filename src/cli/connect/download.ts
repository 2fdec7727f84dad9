import type { LookupFunction } from 'node:net'
import { asFailure, Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Response } from '../../contract/exchange.ts'
import { type HttpContext, openHttp } from './connection.ts'

/** How a file on the web is read. */
export interface DownloadOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Looks up hosts, and can refuse them. */
  readonly lookup?: LookupFunction | undefined
}

/** The answer to a GET of a file on the web, without credentials, with its body as bytes, which is limited like any answer. */
export async function download(
  context: HttpContext,
  url: URL,
  { headers, lookup }: DownloadOptions = {},
): Promise<Response> {
  const { origin, pathname, search } = url
  const site = await openHttp(context, origin, async () => ({}), lookup)
  try {
    const query = search.slice(1)
    return await site
      .transport({ method: 'GET', path: pathname, query, headers: { accept: '*/*', ...headers }, wantsBytes: true })
      .catch(withNewAddress)
  } finally {
    await site.close()
  }
}

/** Throws the failure of a file that has moved, worded for a file, which has no base URL. */
function withNewAddress(error: unknown): never {
  const { kind, message, details } = asFailure(error)
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
