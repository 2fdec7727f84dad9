import type { Client } from '../client/client.ts'
import { listByIds } from '../client/wordpress/wp-client.ts'
import { splitValues } from '../client/wordpress/wp-values.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Step, UpdateStep } from '../plan/plan.ts'
import { revisionOf } from '../plan/record-state.ts'

/**
 * Whether `wp/v2` tells all that matters to a step: it was planned on what is shown there, and it changes nothing that is not. A page
 * there has twice as many records.
 */
export function isComparedByRevision(step: Step): step is UpdateStep {
  if (step.action !== 'update' || step.before === undefined || step.revision === undefined) return false
  return Object.keys(splitValues(resourceNamed(step.resource), step.values).others).length === 0
}

/** The steps whose records `wp/v2` shows as it did when they were planned, by key. Nothing is said about the others. */
export async function unchangedSteps(client: Client, steps: readonly UpdateStep[]): Promise<Set<string>> {
  const groups = new Map<string, UpdateStep[]>()
  for (const step of steps) {
    const key = `${step.resource} ${step.language ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), step])
  }
  const unchanged = new Set<string>()
  for (const group of groups.values()) {
    const [{ resource: name, language } = {}] = group
    const wordpress = name && (await client.wordpress(language))
    if (!name || !wordpress) continue
    const resource = resourceNamed(name)
    const ids = group.map(({ id }) => id)
    const rows = await listByIds(wordpress, resource, ids)
    for (const { key, id, revision } of group) {
      const row = rows?.get(id)
      if (row && revisionOf(resource, row) === revision) unchanged.add(key)
    }
  }
  return unchanged
}
