import { conflict, declined, Failure, type FailureKind, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { resources } from '../../contract/contract.ts'
import { recordsNoun } from '../../contract/resource-words.ts'
import { blockingRecords, conflictsIn, countRemovals } from './overview.ts'
import type { Plan } from './plan.ts'

/** Throws `usage` if a plan has invalid records. */
export function checkInvalid(plan: Pick<Plan, 'invalid'>): void {
  const { length: count } = blockingRecords(plan)
  if (count > 0)
    throw usage(
      phrase('{count, plural, one {# record is invalid} other {# records are invalid}}', { count }),
      phrase('fix {count, plural, one {it} other {them}} and try again', { count }),
    )
}

/** Throws `conflict` if a plan leaves out records that somebody else has changed. */
export function checkConflicts(plan: Pick<Plan, 'invalid' | 'memory'>): void {
  const { length: count } = conflictsIn(plan)
  if (count > 0)
    throw conflict(
      phrase(
        '{count, plural, one {# record changed on the site, and is} other {# records changed on the site, and are}} left alone',
        { count },
      ),
      conflictHint(plan),
    )
}

/** The next step for records that were left alone. */
const conflictHint = ({ memory }: Pick<Plan, 'memory'>): string =>
  memory === undefined
    ? phrase('compare the texts named above, and export again those that still need a translation')
    : phrase('these wait for a person; the next run is silent about them')

/** How many records a plan may remove without --max-trash: in all, and as a share of a list that is not tiny. */
const defaultLimit = { records: 20, percent: 30, ofMoreThan: 10 }

/** What a plan removes above the limit: a sentence, and the `--max-trash` that would allow it. */
interface RemovalExcess {
  readonly message: string
  readonly needed: number
}

export const excessFailure = ({ message, needed: count }: RemovalExcess): Failure =>
  declined(message, phrase('see which with: --dry-run; to remove them add: --max-trash {count}', { count }))

/** Whether a plan removes more than `--max-trash` allows or, without that option, more than the user is likely to intend. */
export function removalExcess(plan: Pick<Plan, 'steps' | 'among'>, maxTrash?: number): RemovalExcess | undefined {
  const counts = resources.map(({ name }) => ({ name, count: countRemovals(plan, name) }))
  const needed = counts.reduce((sum, { count }) => sum + count, 0)
  const limit = maxTrash ?? defaultLimit.records
  if (needed > limit)
    return {
      message: phrase(
        'this would remove {count, plural, one {# record} other {# records}}, more than the limit of {limit}',
        { count: needed, limit },
      ),
      needed,
    }
  if (maxTrash !== undefined) return undefined
  for (const { name, count } of counts) {
    const total = plan.among?.[name] ?? 0
    if (total > defaultLimit.ofMoreThan && count * 100 > total * defaultLimit.percent) {
      const places = { count, total, records: recordsNoun(name), percent: defaultLimit.percent }
      return {
        message: phrase('this would remove {count} of {total} {records}, more than the limit of {percent} %', places),
        needed,
      }
    }
  }
  return undefined
}

/** The failure of a plan that left out some records: as invalid, or because somebody else has changed them. */
export function leftFailure(
  kind: FailureKind,
  plan: Plan,
  fix: string = conflictHint(plan),
  causes: readonly Failure[] = [],
): Failure {
  const conflicts = conflictsIn(plan).length
  const invalid = plan.invalid.length - conflicts
  const left = [
    invalid > 0 &&
      phrase('{count, plural, one {# record was} other {# records were}} left out as invalid', { count: invalid }),
    conflicts > 0 &&
      phrase('{count, plural, one {# record was} other {# records were}} kept as changed by someone else', {
        count: conflicts,
      }),
  ]
  return new Failure(kind, left.filter(part => part).join('; '), { hint: fix, ...(causes.length > 0 && { causes }) })
}

/** The next step after records were left out: what is done already is not done again. */
export const fixSkipped = (): string => phrase('fix the skipped records and run the command again')

/** The failure of a plan of which nothing is sent, because some records are invalid. */
export function invalidFailure(plan: Plan, options: { dryRun?: true }): Failure {
  const count = plan.invalid.length - conflictsIn(plan).length
  const areInvalid = phrase('{count, plural, one {# record is} other {# records are}} invalid', { count })
  return usage(
    options.dryRun ? areInvalid : phrase('{problem}; nothing was sent', { problem: areInvalid }),
    phrase('fix {count, plural, one {it} other {them}}, or add --skip-invalid to apply the others', { count }),
  )
}
