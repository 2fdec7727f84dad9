import type { Client, Pairing } from '../client/client.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Language } from '../contract/languages.ts'
import { isSlug } from '../contract/slug.ts'
import type { Plan, Step } from '../plan/plan.ts'

/**
 * Remembers which of the records that a plan created are translations of one another: those with one slug in the file. Sites without
 * `wp/v2` make the slugs of venues and organizers of their names, so that nothing in them says it afterwards.
 */
export async function rememberCreated(
  client: Client,
  { steps }: Pick<Plan, 'steps'>,
  idOf: (key: string) => number | undefined,
): Promise<void> {
  const { pairings } = client
  if (!pairings) return
  const sets = new Map<string, { resource: ResourceName; ids: Partial<Record<Language, number>> }>()
  for (const step of steps) {
    const { action, resource, key, language = client.language ?? client.languages().own } = step
    const id = action === 'create' && hasOwnSlug(resource) ? idOf(key) : undefined
    const slug = slugIn(step)
    if (id === undefined || slug === undefined || language === undefined) continue
    const set = sets.get(`${resource} ${slug}`) ?? { resource, ids: {} }
    set.ids[language] = id
    sets.set(`${resource} ${slug}`, set)
  }
  for (const { resource, ids } of sets.values()) await pairings.remember(resource, ids satisfies Pairing)
}

const hasOwnSlug = (resource: ResourceName): boolean => resource === 'venues' || resource === 'organizers'

/** The slug that a record has in its file, which is the end of the key of its step. */
function slugIn({ key, resource, language, values }: Step): string | undefined {
  if (typeof values.slug === 'string' && values.slug !== '') return values.slug
  const head = [resource, language].filter(part => part !== undefined).join(' ')
  const rest = key.startsWith(`${head} `) ? key.slice(head.length + 1) : ''
  return isSlug(rest) ? rest : undefined
}
