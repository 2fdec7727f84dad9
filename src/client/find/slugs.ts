import type { Answer, Resource } from '../../contract/resource.ts'
import { numberedSlug, slugOf } from '../../contract/slug.ts'
import { Failure } from '../../failure.ts'
import { isObject } from '../../text/json.ts'
import type { Reads, Values } from '../client.ts'

/** What has a slug: a record, nothing, or a record that one may not see. */
type Holder = Answer | 'nobody' | 'hidden'

/** The records whose slugs a service may have made of these values, and whether there is another that one may not see. */
export interface SlugHolders {
  readonly records: readonly Answer[]
  readonly isUnsure: boolean
}

/** At most this many slugs of a series are looked up: `concert`, `concert-2`, `concert-4` and so on; enough for 4,000 of a name. */
const maxLookups = 24

/**
 * The records that have the slug which a service gives to a new record with these values, found without lists: services number
 * the slugs of one name one after another, so the last number is looked for by halves.
 */
export async function findBySlug(client: Reads, resource: Resource, values: Values): Promise<SlugHolders> {
  const slug = slugOf(String(values.slug || values[resource.title] || ''))
  if (slug === '' || !resource.keys.includes('slug')) return { records: [], isUnsure: false }
  const holders = new Map<string, Holder>()
  for (;;) {
    let unknown: string | undefined
    // Slugs that were not looked up yet count as free, until the search for a free one asks for none of them.
    const isTaken = (name: string): boolean => {
      const holder = holders.get(name)
      if (holder === undefined) unknown ??= name
      return holder !== undefined && holder !== 'nobody'
    }
    numberedSlug(slug, isTaken)
    if (unknown === undefined || holders.size >= maxLookups) break
    holders.set(unknown, await holderOf(client, resource, unknown, values))
  }
  const found = [...holders.values()]
  return { records: found.filter(isObject) as Answer[], isUnsure: found.includes('hidden') }
}

/** The record that has a slug; undefined if there is none, or if this user may not see it. */
export async function findHolder(
  client: Reads,
  resource: Resource,
  slug: string,
  values: Values,
): Promise<Answer | undefined> {
  const holder = await holderOf(client, resource, slug, values)
  return isObject(holder) ? (holder as Answer) : undefined
}

/** Whether no record outside of the trash has a slug, not even one that this user may not see. */
export const isSlugFree = async (client: Reads, resource: Resource, slug: string, values: Values): Promise<boolean> =>
  (await holderOf(client, resource, slug, values)) === 'nobody'

async function holderOf(client: Reads, resource: Resource, slug: string, values: Values): Promise<Holder> {
  const { password, lang_code } = values
  try {
    return await client.get(
      resource,
      { slug },
      { ...(password !== undefined && { password }), ...(lang_code !== undefined && { lang_code }) },
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.kind === 'missing') return 'nobody'
    if (error.kind === 'refused' || error.details.status === 403) return 'hidden'
    throw error
  }
}
