import { phrase } from '../../../base/words/phrase.ts'
import type { Action, Plan, Step } from '../../../changes/plan/plan.ts'
import { effectOf } from '../../../changes/plan/steps.ts'
import type { Client } from '../../../client/client.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import type { ResourceName } from '../../../contract/field.ts'
import { type Answer, factFields, type Resource } from '../../../contract/resource.ts'
import type { App } from '../../app.ts'
import { mayHaveTranslations, mostLookedUp, readTranslations, translationNames } from './translations.ts'

/**
 * `2 translations not changed: en 92, es 91 (add --all-languages)`, for records that were changed or will be; undefined if they have none.
 * For many records, it only says that there may be some.
 */
async function leftTranslations(
  app: App,
  client: Client,
  resource: Resource,
  { action, records }: { readonly action: Action; readonly records: readonly Answer[] },
): Promise<string | undefined> {
  if (records.length === 0 || app.globals.quiet || !mayHaveTranslations(client)) return undefined
  if (records.length > mostLookedUp)
    return phrase(
      'translations, if there are any, are {left, select, kept {kept} trashed {not restored} other {not changed}} (add --all-languages)',
      { left: leftAs(action) },
    )
  const found = await app.briefly(() => readTranslations(client, resource, records))
  if (!found || found.length === 0) return undefined
  return phrase(
    '{count, plural, one {# translation} other {# translations}} {left, select, kept {kept} trashed {not restored} other {not changed}}: {list} (add --all-languages)',
    { count: found.length, left: leftAs(action), list: translationNames(found) },
  )
}

/** Whether a step changes what translations share. A text in one language does not concern the others. */
function concernsTranslations({ action, resource, values }: Step): boolean {
  if (action === 'create') return false
  const facts = new Set(factFields(resourceNamed(resource)).map(([name]) => name))
  // Each translation is published when it is ready.
  const concerns = ([name, value]: [string, unknown]) => facts.has(name) && !(name === 'status' && value === 'publish')
  return action !== 'update' || Object.entries(values).some(concerns)
}

/** The same for the records of a plan, before it is applied. */
export async function leftByPlan(app: App, client: Client, { steps }: Plan): Promise<string[]> {
  const groups = new Map<ResourceName, { readonly action: Action; readonly records: Answer[] }>()
  for (const step of steps) {
    const group = groups.get(step.resource) ?? { action: effectOf(step), records: [] }
    groups.set(step.resource, group)
    if (step.before && concernsTranslations(step) && group.records.length <= mostLookedUp)
      group.records.push(step.before)
  }
  const lines: string[] = []
  for (const [name, group] of groups)
    lines.push(...[await leftTranslations(app, client, resourceNamed(name), group)].flatMap(line => line ?? []))
  return lines
}

/** What happens to translations when only the records are written, for a choice in a sentence. */
const leftAs = (action: Action): 'kept' | 'trashed' | 'same' =>
  action === 'trash' || action === 'delete' ? 'kept' : action === 'restore' ? 'trashed' : 'same'
