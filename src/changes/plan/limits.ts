import { Failure } from '../../base/failure.ts'
import { counted, nounFor } from '../../base/text/words.ts'
import { resources } from '../../contract/contract.ts'
import { blockingRecords, conflictsIn, countRemovals, countSteps, type Plan } from './plan.ts'

/** Throws `usage` if a plan has invalid records. */
export function checkInvalid(plan: Pick<Plan, 'invalid'>): void {
  const { length } = blockingRecords(plan)
  if (length > 0)
    throw new Failure('usage', `${counted(length, 'record')} ${nounFor(length, 'is', 'are')} invalid`, {
      hint: `fix ${nounFor(length, 'it', 'them')} and try again`,
    })
}

/** Throws `conflict` if a plan leaves records alone because somebody else changed them. */
export function checkConflicts(plan: Pick<Plan, 'invalid'>): void {
  const { length } = conflictsIn(plan)
  if (length > 0)
    throw new Failure(
      'conflict',
      `${counted(length, 'record')} changed on the site, and ${nounFor(length, 'is', 'are')} left alone`,
      {
        hint: compareTexts,
      },
    )
}

/** The next step with records that were left alone. */
export const compareTexts = 'compare the texts named above, and export again what is still to be translated'

/** A plan may remove so many records without --max-trash: in all, and as a share of a list that is not tiny. */
const defaultLimit = { records: 20, percent: 30, ofMoreThan: 10 }

/** Throws `declined` if a plan removes more than `--max-trash` or, without that option, more than is likely to be intended. */
export function checkRemovals(plan: Pick<Plan, 'steps' | 'among'>, maxTrash?: number): void {
  const excess = removalExcess(plan, maxTrash)
  if (!excess) return
  const hint = `see which with: --dry-run; to remove them add: --max-trash ${excess.needed}`
  throw new Failure('declined', excess.message, { hint })
}

/** Says that a plan removes more than the limit, and which `--max-trash` would allow it; undefined within the limit. */
export function removalExcess(
  plan: Pick<Plan, 'steps' | 'among'>,
  maxTrash?: number,
): { readonly message: string; readonly needed: number } | undefined {
  const counts = resources.map(({ name }) => ({ name, count: countRemovals(plan, name) }))
  const needed = counts.reduce((sum, { count }) => sum + count, 0)
  const limit = maxTrash ?? defaultLimit.records
  if (needed > limit)
    return { message: `this would remove ${counted(needed, 'record')}, more than the limit of ${limit}`, needed }
  if (maxTrash !== undefined) return undefined
  for (const { name, count } of counts) {
    const total = plan.among?.[name] ?? 0
    if (total > defaultLimit.ofMoreThan && count * 100 > total * defaultLimit.percent) {
      const message = `this would remove ${count} of ${total} ${name}, more than the limit of ${defaultLimit.percent} %`
      return { message, needed }
    }
  }
  return undefined
}

/** A sentence for each change that an undo of the plan could not fully reverse. */
export const irreversibleNotes = (plan: Pick<Plan, 'steps'>): string[] =>
  resources
    .filter(({ name }) => countSteps(plan, name, 'delete') > 0)
    .map(({ name }) => `${name} are deleted permanently: undo creates them again with new IDs`)
