import type { LookupFunction } from 'node:net'
import { resolve } from 'node:path'
import { badSettings, Failure } from '../../base/failure.ts'
import { inputProblem, reason } from '../../base/fs.ts'
import { phrase } from '../../base/words/phrase.ts'
import { openSite, type SiteConnection } from '../../client/http/open-site.ts'
import type { Sending } from '../../client/http/retry.ts'
import { defaultTimeout, proxiesIn } from '../../client/http/sender.ts'
import type { TrafficLog } from '../../client/http/traffic.ts'
import type { Response } from '../../contract/exchange.ts'
import type { Globals, World } from '../world.ts'

/** What all requests of a command share. */
export interface HttpContext {
  readonly world: World
  readonly globals: Globals
  readonly notice: (text: string) => Promise<void>
  readonly traffic?: TrafficLog | undefined
  readonly sending?: Sending
}

/**
 * Opens HTTP to a server with the user's options: how long to wait, how often to retry, which certificates to trust, what to log. Sends
 * nothing before the first request.
 */
export async function openHttp(
  { world, globals, notice, traffic, sending }: HttpContext,
  baseUrl: string,
  credentials: () => Promise<Readonly<Record<string, string>>>,
  lookup?: LookupFunction,
): Promise<SiteConnection> {
  const { follow, retries = 3 } = globals
  return openSite({
    ...(await connectionOptions(world, globals)),
    baseUrl,
    credentials,
    lookup,
    follow,
    retries,
    now: () => world.now().getTime(),
    sleep: world.sleep,
    stopSignal: world.stopSignal(),
    notice,
    ...(traffic && { observe: traffic.observe }),
    ...(sending && { sending }),
  })
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
    badSettings(phrase('--ca-file: cannot read {path}: {why}', { path, why }), phrase('check the path'))
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
    throw badSettings(
      phrase('--ca-file: no certificates in {path}', { path }),
      phrase('expected PEM: lines between BEGIN CERTIFICATE and END CERTIFICATE'),
    )
  return [...rootCertificates, ...certificates]
}

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
