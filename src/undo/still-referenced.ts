import type { Client } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { findBackReferences } from '../plan/back-references.ts'
import { isRemoval, type Plan, type Step } from '../plan/plan.ts'
import { recordKey } from '../plan/site-reader.ts'
import { createSpool, filterItems } from '../plan/spool.ts'
import { stepLabel } from '../runs/result.ts'

/** How many users are named. */
const named = 3

/**
 * A plan that takes a run back, without the steps that take away what others use by now: records that the plan neither takes
 * away nor gives other links. Notes say which.
 */
export async function sparingUsed(client: Client, plan: Plan): Promise<Plan> {
  const removals = [...filterItems(plan.steps, step => isRemoval(step) && step.resource !== 'events')]
  if (removals.length === 0) return plan
  const released = releasedBy(plan.steps)
  const users = new Map<string, string[]>()
  for await (const { step, resource, id, field } of findBackReferences(client, removals)) {
    const gone = released.get(recordKey(resource, id))
    if (gone === 'all' || gone?.has(field)) continue
    users.set(step.key, [...(users.get(step.key) ?? []), `${resourceNamed(resource).singular} ${id}`])
  }
  if (users.size === 0) return plan
  const steps = createSpool<Step>()
  for (const step of plan.steps) if (!users.has(step.key)) steps.add(step)
  const notes = removals.flatMap(step => {
    const names = users.get(step.key)
    return names ? [`${stepLabel(step)} is used by ${listed(names)}, it is left alone`] : []
  })
  return { ...plan, steps, notes: [...(plan.notes ?? []), ...notes] }
}

/** What records do not link by any more once a plan is carried out: fields by `recordKey`, or all where they are gone. */
function releasedBy(steps: Iterable<Step>): Map<string, ReadonlySet<string> | 'all'> {
  const released = new Map<string, ReadonlySet<string> | 'all'>()
  for (const step of steps)
    if (step.id !== undefined && (step.resource === 'events' || step.resource === 'categories'))
      released.set(recordKey(step.resource, step.id), isRemoval(step) ? 'all' : new Set(Object.keys(step.values)))
  return released
}

function listed(users: readonly string[]): string {
  const rest = users.length - named
  return rest > 0 ? `${users.slice(0, named).join(', ')} and ${rest} more` : users.join(', ')
}
