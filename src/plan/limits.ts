import { resources } from '../contract/contract.ts'
import type { Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { countRemovals, countSteps, type Plan } from './plan.ts'

/** Throws `usage` where a plan that was shown has records that cannot be done. */
export function checkInvalid({ invalid }: Pick<Plan, 'invalid'>): void {
  if (invalid.length > 0)
    throw new Failure('usage', `${invalid.length} of the records cannot be done`, { hint: 'mend them' })
}

/** So many may be taken away without asking for it by number: records, and percent of a set of more than so many. */
const allowed = { records: 20, percent: 30, ofMoreThan: 10 }

/** Throws `declined` where a plan takes away more than `--max-trash` says or, without it, more than is likely to be meant. */
export function checkRemovals(plan: Pick<Plan, 'steps' | 'among'>, maxTrash?: number): void {
  const excess = removalExcess(plan, maxTrash)
  if (!excess) return
  const hint = `look at them with: --dry-run; if they are meant add: --max-trash ${excess.needed}`
  throw new Failure('declined', excess.sentence, { hint })
}

/** What a plan takes away, where that is more than it may, and the `--max-trash` that it needs. */
export function removalExcess(
  plan: Pick<Plan, 'steps' | 'among'>,
  maxTrash?: number,
): { readonly sentence: string; readonly needed: number } | undefined {
  const counts = resources.map(resource => ({ resource, count: countRemovals(plan, resource.name) }))
  const needed = counts.reduce((sum, { count }) => sum + count, 0)
  const most = maxTrash ?? allowed.records
  if (needed > most) return { sentence: `this takes away ${needed} records, more than ${most}`, needed }
  if (maxTrash !== undefined) return undefined
  for (const { resource, count } of counts) {
    const total = plan.among?.[resource.name] ?? 0
    if (total > allowed.ofMoreThan && count * 100 > total * allowed.percent)
      return { sentence: tooLarge(resource, count, total), needed }
  }
  return undefined
}

const tooLarge = ({ name }: Resource, count: number, total: number) =>
  `this takes away ${count} of ${total} ${name}, more than ${allowed.percent} %`

/** What an undo of a plan could not bring back as it was; one sentence each. */
export const irreversibleNotes = (plan: Pick<Plan, 'steps'>): string[] =>
  resources
    .filter(({ name }) => countSteps(plan, name, 'delete') > 0)
    .map(({ name }) => `${name} are deleted for good: an undo makes them anew, with new IDs`)
