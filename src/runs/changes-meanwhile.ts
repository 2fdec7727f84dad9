import type { Client } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { type Differences, differences } from '../contract/record.ts'
import { recordKey } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { isOnRecord, isRemoval, type Plan, type Step } from '../plan/plan.ts'
import { SiteReader } from '../plan/site-reader.ts'
import { listOf } from '../text/words.ts'
import { stepLabel } from './result.ts'

const removedByPlan = new WeakMap<Plan, ReadonlySet<string>>()

/** The terms and places that a plan removes, by `recordKey`: what linked to them changes with them. */
export function removedRecords(plan: Plan): ReadonlySet<string> {
  const known = removedByPlan.get(plan)
  if (known) return known
  const removed = new Set<string>()
  for (const step of plan.steps)
    if (isOnRecord(step) && step.resource !== 'events' && isRemoval(step))
      removed.add(recordKey(step.resource, step.id))
  removedByPlan.set(plan, removed)
  return removed
}

/**
 * Reads the record of a removal again before that is sent again; throws `conflict` if somebody has changed, moved or restored it
 * meanwhile. A record that was restored as it was tells that by the time when it was saved last.
 */
export async function checkRemovalAgain(client: Client, plan: Plan, step: Step): Promise<void> {
  if (!isOnRecord(step)) return
  const { id, before, resource, language } = step
  const location = { resource, id, ...(language && { language }) }
  const current = (await new SiteReader(client).readCurrent([location])).get(recordKey(resource, id))
  if (!current) throw movedFailure(client, step)
  const changed = differences(resourceNamed(resource), before, current, removedRecords(plan))
  if (Object.keys(changed).length > 0) throw changedFailure(step, changed, Object.keys(changed))
  const [earlier, latest] = [before, current].map(({ modified_utc: utc }) => utc)
  if (earlier === undefined || latest === undefined || earlier === latest) return
  throw new Failure('conflict', `${stepLabel(step)} was restored or saved again meanwhile`, { hint: planAgain })
}

/** The failure of a step whose record is not where it was. */
export const movedFailure = ({ calendar }: Client, step: Step): Failure =>
  new Failure('conflict', `${stepLabel(step)} was trashed, restored or deleted meanwhile at ${calendar.label}`, {
    hint: planAgain,
  })

export const changedFailure = (step: Step, drift: Differences, conflicts: readonly string[]): Failure =>
  new Failure('conflict', `${stepLabel(step)} changed meanwhile: ${listOf(conflicts)}`, { hint: planAgain, drift })

const planAgain = 'it was left as it is; run the command again, or make a new plan with: calctl diff --save'
