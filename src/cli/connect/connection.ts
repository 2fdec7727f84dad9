import type { LookupFunction } from 'node:net'
import { resolve } from 'node:path'
import { openSite, type SiteConnection } from '../../client/http/open-site.ts'
import type { Sending } from '../../client/http/retry.ts'
import { defaultTimeout, proxiesIn } from '../../client/http/sender.ts'
import type { TrafficLog } from '../../client/http/traffic.ts'
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
  trusted:
    caFile === undefined
      ? undefined
      : await (await import('./certificates.ts')).trustedCertificates(resolve(cwd, caFile)),
})
