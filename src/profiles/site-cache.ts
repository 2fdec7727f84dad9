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
export async function rememberNoWordPress(world: World, key: string): Promise<void> {
  try {
    const file = cacheFile(world)
    makeFolder(dirname(file), 0o700)
    const cache: SiteCache = { ...readCache(world), [key]: { noWordPress: world.now().toISOString() } }
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
