import type { Client } from './client/client.ts'
import { createClient } from './client/create.ts'
import type { Transport } from './contract/exchange.ts'
import { resolveTarget, type Target } from './profiles/resolve.ts'
import type { Globals, OpenCalendar, World } from './world.ts'

/** A client that is talking to somewhere. */
export interface Connection {
  readonly client: Client
  /** The same client, which stops short of writing. */
  rehearsing(): Promise<Client>
  readonly profile: string
  readonly isProtected: boolean
  close(): Promise<void>
}

/** Finds out where to talk and opens the way there. */
export async function connect(
  world: World,
  globals: Globals,
  notice: (text: string) => Promise<void>,
): Promise<Connection> {
  const target = await resolveTarget(world, globals)
  for (const text of target.notices) await notice(text)
  const { profile, namespace, language, sendLanguage } = target
  const { site, transport, close } = await open(world, globals, target)
  const clientOver = (way: Transport) =>
    createClient({ transport: way, site, namespace, ...(language && sendLanguage ? { language } : {}) })
  return {
    client: clientOver(transport),
    rehearsing: async () => {
      const { dryRun } = await import('./client/dry-run.ts')
      return clientOver(dryRun(transport, site))
    },
    profile,
    isProtected: target.protected,
    close,
  }
}

interface Way extends OpenCalendar {
  /** Where it leads, for messages. */
  readonly site: string
}

async function open(world: World, globals: Globals, target: Target): Promise<Way> {
  const { place } = target
  if (place.kind === 'http') {
    const { httpTransport } = await import('./client/http.ts')
    const transport = await httpTransport({ ...target, baseUrl: place.baseUrl, timeout: globals.timeout })
    return { site: place.baseUrl, transport, close: () => transport.close() }
  }
  const calendar = await world.openCalendar(place.kind === 'demo' ? { demo: true } : { file: place.file })
  return { site: place.kind === 'demo' ? 'the demo calendar' : `the calendar file ${place.file}`, ...calendar }
}
