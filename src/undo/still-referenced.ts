import type { Client } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { recordKey } from '../contract/resource.ts'
import { findBackReferences } from '../plan/back-references.ts'
import { isRemoval, type Plan, type Step } from '../plan/plan.ts'
import { createSpool, filterItems } from '../plan/spool.ts'
import { stepLabel } from '../runs/result.ts'
import { listOfFirst } from '../text/words.ts'

/** How many records are named in a note. */
const namedReferrers = 3

/**
 * When an undo would remove a venue, organizer, category or tag that something else now refers to, that record is kept: its step is
 * taken out of the plan, and a note says which records use it. Records that the same plan removes, or unlinks, do not count.
 */
export async function keepStillReferenced(client: Client, plan: Plan): Promise<Plan> {
  const removals = [...filterItems(plan.steps, step => isRemoval(step) && step.resource !== 'events')]
  if (removals.length === 0) return plan
  const unlinked = fieldsUnlinkedBy(plan.steps)
  const referrers = new Map<string, string[]>()
  for await (const { step, resource, id, field } of findBackReferences(client, removals)) {
    const fields = unlinked.get(recordKey(resource, id))
    if (fields === 'all' || fields?.has(field)) continue
    referrers.set(step.key, [...(referrers.get(step.key) ?? []), `${resourceNamed(resource).singular} ${id}`])
  }
  if (referrers.size === 0) return plan
  const steps = createSpool<Step>()
  for (const step of plan.steps) if (!referrers.has(step.key)) steps.add(step)
  const notes = removals.flatMap(step => {
    const names = referrers.get(step.key)
    return names ? [`kept ${stepLabel(step)}: still used by ${listOfFirst(names, namedReferrers)}`] : []
  })
  return { ...plan, steps, notes: [...(plan.notes ?? []), ...notes] }
}

/** The fields by which records do not link any more after a plan, by `recordKey`; `all` for records that it removes. */
function fieldsUnlinkedBy(steps: Iterable<Step>): Map<string, ReadonlySet<string> | 'all'> {
  const unlinked = new Map<string, ReadonlySet<string> | 'all'>()
  for (const step of steps)
    if (step.id !== undefined && (step.resource === 'events' || step.resource === 'categories'))
      unlinked.set(recordKey(step.resource, step.id), isRemoval(step) ? 'all' : new Set(Object.keys(step.values)))
  return unlinked
}
