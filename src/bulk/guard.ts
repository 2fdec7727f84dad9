import { resources } from '../contract/contract.ts'
import type { Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { isRemoval } from './order.ts'
import type { Plan } from './plan.ts'

/** So many may be taken away without asking for it by number: records, and percent of a set of more than so many. */
const allowed = { records: 20, percent: 30, ofMoreThan: 10 }

/** Throws `declined` where a plan takes away more than `--max-trash` says or, without it, more than is likely to be meant. */
export function checkRemovals({ steps, among }: Pick<Plan, 'steps' | 'among'>, maxTrash?: number): void {
  const removals = steps.filter(isRemoval)
  const hint = `look at them with: --dry-run; if they are meant add: --max-trash ${removals.length}`
  const most = maxTrash ?? allowed.records
  if (removals.length > most)
    throw new Failure('declined', `this takes away ${removals.length} records, more than ${most}`, { hint })
  if (maxTrash !== undefined) return
  for (const resource of resources) {
    const count = removals.filter(step => step.resource === resource.name).length
    const total = among?.[resource.name] ?? 0
    if (total > allowed.ofMoreThan && count * 100 > total * allowed.percent)
      throw new Failure('declined', tooLarge(resource, count, total), { hint })
  }
}

const tooLarge = ({ name }: Resource, count: number, total: number) =>
  `this takes away ${count} of ${total} ${name}, more than ${allowed.percent} %`

/** What an undo of a plan could not bring back as it was; one sentence each. */
export function losses({ steps }: Pick<Plan, 'steps'>): string[] {
  const names = new Set(steps.filter(({ action }) => action === 'delete').map(({ resource }) => resource))
  return [...names].map(name => `${name} are deleted for good: an undo makes them anew, with new IDs`)
}
