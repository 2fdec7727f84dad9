import { readSettingsFile, writeAtomically } from '../fs.ts'
import { isObject } from '../text/json.ts'
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
  changeCache(world, cache => ({ ...cache, [key]: { noWordPress: world.now().toISOString() } }))

/** Lets a site be asked again whether it has `wp/v2`. */
export const forgetNoWordPress = (world: World, key: string): Promise<void> =>
  changeCache(world, cache => {
    const { [key]: known, ...others } = cache
    return known && others
  })

/** Changes the cache, unless the change gives nothing. */
async function changeCache(world: World, change: (cache: SiteCache) => SiteCache | undefined): Promise<void> {
  if (change(readCache(world)) === undefined) return
  try {
    const { changeFile } = await import('./change-file.ts')
    const file = cacheFile(world)
    await changeFile(file, async () => {
      const cache = change(readCache(world))
      if (cache) await writeAtomically(file, JSON.stringify(cache), 0o600)
    })
  } catch {}
}

function readCache(world: World): SiteCache {
  try {
    const cache: unknown = JSON.parse(readSettingsFile(cacheFile(world)))
    return isObject(cache) ? (cache as SiteCache) : {}
  } catch {
    return {}
  }
}
