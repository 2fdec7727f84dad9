import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, writeAtomically } from '../fs.ts'
import type { World } from '../world.ts'
import { cacheFile } from './user-folders.ts'

/**
 * What was found out about sites and is asked again after a day: which of them have no `wp/v2`. The key is the calendar and the
 * user, since a site can close these routes to some. A cache that cannot be read or written is as good as an empty one.
 */
type SiteCache = Readonly<Record<string, { readonly noWordPress: string }>>

const day = 86_400_000

/** Whether a site had no `wp/v2` less than a day ago. */
export function lacksWordPress(world: World, key: string): boolean {
  const age = world.now().getTime() - Date.parse(readCache(world)[key]?.noWordPress ?? '')
  return age >= 0 && age < day
}

/** Remembers that a site has no `wp/v2`. */
export const rememberNoWordPress = (world: World, key: string): Promise<void> =>
  writeCache(world, { ...readCache(world), [key]: { noWordPress: world.now().toISOString() } })

/** Lets a site be asked again whether it has `wp/v2`. */
export async function forgetNoWordPress(world: World, key: string): Promise<void> {
  const { [key]: known, ...others } = readCache(world)
  if (known) await writeCache(world, others)
}

async function writeCache(world: World, cache: SiteCache): Promise<void> {
  try {
    const file = cacheFile(world)
    makeFolder(dirname(file), 0o700)
    await writeAtomically(file, JSON.stringify(cache), 0o600)
  } catch {}
}

function readCache(world: World): SiteCache {
  try {
    return JSON.parse(readFileSync(cacheFile(world), 'utf8'))
  } catch {
    return {}
  }
}
