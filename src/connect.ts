import type { Client } from './client/client.ts'
import { createClient } from './client/create.ts'
import { resolveTarget } from './profiles/resolve.ts'
import type { Globals, World } from './world.ts'

/** A client that is talking to somewhere. */
export interface Connection {
  readonly client: Client
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
  const { profile, place, namespace, language, sendLanguage } = target
  const options = { namespace, ...(language && sendLanguage ? { language } : {}) }
  if (place.kind === 'http') {
    const { httpTransport } = await import('./client/http.ts')
    const transport = await httpTransport({ ...target, baseUrl: place.baseUrl, timeout: globals.timeout })
    const client = createClient({ ...options, transport, site: place.baseUrl })
    return { client, profile, isProtected: target.protected, close: async () => transport.close() }
  }
  const calendar = await world.openCalendar(place.kind === 'demo' ? { demo: true } : { file: place.file })
  const site = place.kind === 'demo' ? 'the demo calendar' : `the calendar file ${place.file}`
  const client = createClient({ ...options, transport: calendar.transport, site })
  return { client, profile, isProtected: target.protected, close: calendar.close }
}
