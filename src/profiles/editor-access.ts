import type { Calendar } from '../client/calendar.ts'
import type { EditorAccess } from '../client/client.ts'
import { documentedNamespace } from '../contract/contract.ts'
import { Failure } from '../failure.ts'
import type { Globals } from '../globals.ts'
import type { World } from '../world.ts'
import type { Target } from './resolve.ts'

/**
 * How a client reads and writes as an editor, through `wp/v2`; undefined for a calendar without it. Only sites of WordPress have it, and
 * their events API has a namespace of its own.
 */
export function editorAccess(
  world: World,
  { via }: Globals,
  { place, namespace, credentials }: Target,
  calendar: Calendar,
): EditorAccess | undefined {
  if (place.kind !== 'http' || namespace === documentedNamespace) {
    if (via === 'wp') throw noWordPress(calendar)
    return undefined
  }
  const siteCache = () => import('./site-notes.ts')
  const key = async () => `${calendar.id} ${userIn(await credentials())}`
  const forgets = via === 'wp'
  return {
    hasCredentials: async () => Object.keys(await credentials()).length > 0,
    lacksWordPress: async () =>
      via === 'events' || (!forgets && (await siteCache()).lacksWordPress(world, await key())),
    forgetNoWordPress: async () => (await siteCache()).forgetNoWordPress(world, await key()),
    rememberNoWordPress: async () => (await siteCache()).rememberNoWordPress(world, await key()),
    requiresWordPress: via === 'wp',
  }
}

const noWordPress = ({ label }: Calendar) =>
  new Failure('usage', `${label} has no wp/v2`, { hint: 'leave out --via, or use --via events' })

/** The name in basic credentials; nothing for others. */
const userIn = ({ authorization = '' }: Readonly<Record<string, string>>): string =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .replace(/:.*/s, '')
