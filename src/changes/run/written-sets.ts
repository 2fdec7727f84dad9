import type { Client, Pairing } from '../../client/client.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'
import { isSlug, slugKey } from '../../contract/slug.ts'
import type { CreateStep, Plan, Step } from '../plan/plan.ts'

/**
 * Remembers which of the records that a plan creates are translations of one another: those with the same slug in the file. Some sites
 * derive the slugs of venues and organizers from their names, so that nothing shows it afterwards. Each is remembered as soon as it
 * exists, because a run may be killed; `createdIds` are those of steps that were done before.
 */
export function createSetMemory(
  client: Client,
  plan: Pick<Plan, 'steps' | 'lang_code'>,
  createdIds: ReadonlyMap<string, number> = new Map(),
): (step: CreateStep, id: number | undefined) => Promise<void> {
  const { pairings } = client
  const { steps } = plan
  let sets: Map<string, Partial<Record<Language, number>>> | undefined
  const add = (step: Step, id: number): Partial<Record<Language, number>> => {
    const { resource, lang_code: language = client.language ?? client.languages().own } = step
    const slug = slugIn(step)
    if (slug === undefined || language === undefined) return {}
    const key = `${resource} ${slug}`
    const ids = { ...sets?.get(key), [language]: id }
    sets?.set(key, ids)
    return ids
  }
  const addCreated = () => {
    for (const step of createdIds.size > 0 ? steps : []) {
      const id = isPaired(step) ? createdIds.get(step.key) : undefined
      if (id !== undefined) add(step, id)
    }
  }
  return async (step, id) => {
    if (!pairings || id === undefined) return
    const language = step.lang_code ?? plan.lang_code
    // A site that makes its own slugs does not show which record a copy translates.
    if (step.copyOf && language)
      await pairings.remember(step.resource, { [step.copyOf.lang_code]: step.copyOf.id, [language]: id })
    if (steps.length < 2 || !isPaired(step)) return
    if (!sets) {
      sets = new Map()
      addCreated()
    }
    await pairings.remember(step.resource, add(step, id) satisfies Pairing)
  }
}

const isPaired = ({ action, resource }: Step): boolean => action === 'create' && hasOwnSlug(resource)

const hasOwnSlug = (resource: ResourceName): boolean => resource === 'venues' || resource === 'organizers'

/** The slug of a record in its file, with which the key of its step ends. */
function slugIn({ key, resource, lang_code: language, values }: Step): string | undefined {
  const slug = slugKey(values.slug)
  if (slug !== undefined) return slug
  const head = [resource, language].filter(part => part !== undefined).join(' ')
  const rest = key.startsWith(`${head} `) ? key.slice(head.length + 1) : ''
  return isSlug(rest) ? rest : undefined
}
