import { resolve } from 'node:path'
import type { Globals } from './globals.ts'
import type { Credentials } from './profiles/credentials.ts'
import type { TrafficLog } from './watch-traffic.ts'
import type { World } from './world.ts'

/** What all requests of a command have in common. */
export interface HttpContext {
  readonly world: World
  readonly globals: Globals
  readonly notice: (text: string) => Promise<void>
  readonly traffic: TrafficLog | undefined
}

/** Opens HTTP to a server with the user's options: how long to wait, how often to retry, whom to trust, what to write down. */
export async function openHttp(
  { world, globals, notice, traffic }: HttpContext,
  baseUrl: string,
  credentials: Credentials,
) {
  const { openResilientHttp } = await import('./client/resilient-http.ts')
  return openResilientHttp({
    baseUrl,
    credentials,
    timeout: globals.timeout,
    follow: globals.follow,
    env: world.env,
    caFile: globals.caFile && resolve(world.cwd, globals.caFile),
    observe: traffic?.observe,
    retries: globals.retries ?? 3,
    stopSignal: world.stopSignal(),
    now: () => world.now().getTime(),
    sleep: world.sleep,
    notice,
  })
}
