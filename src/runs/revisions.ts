import { areStored, storedByIds } from '../client/adapters/stored-records.ts'
import type { Client } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Step, UpdateStep } from '../plan/plan.ts'
import { revisionOf } from '../plan/record-state.ts'

/**
 * Whether the stored record tells all that matters to a step: it was planned on that, and it changes nothing that is not in it. A page of
 * stored records has twice as many.
 */
export function isComparedByRevision(step: Step): step is UpdateStep {
  if (step.action !== 'update' || step.before === undefined || step.revision === undefined) return false
  return areStored(resourceNamed(step.resource), step.values)
}

/** The steps whose stored records are as they were planned on, by key. Nothing is said about the others. */
export async function unchangedSteps(client: Client, steps: readonly UpdateStep[]): Promise<Set<string>> {
  const groups = new Map<string, UpdateStep[]>()
  for (const step of steps) {
    const key = `${step.resource} ${step.language ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), step])
  }
  const unchanged = new Set<string>()
  for (const group of groups.values()) {
    const [{ resource: name, language } = {}] = group
    if (!name) continue
    const resource = resourceNamed(name)
    const ids = group.map(({ id }) => id)
    const rows = await storedByIds(client, { resource, language }, ids)
    for (const { key, id, revision } of group) {
      const row = rows?.get(id)
      if (row && revisionOf(resource, row) === revision) unchanged.add(key)
    }
  }
  return unchanged
}
