import { saidOfCounts } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { conflictsIn, isRemoval, type Plan, type Step } from '../plan/plan.ts'
import type { RunOutcome, StepResult } from './result.ts'

/** How many steps ended in each state. */
export function countResults({ results }: Pick<RunOutcome, 'results'>): Record<StepResult['state'], number> {
  const counts = { done: 0, failed: 0, unknown: 0, skipped: 0 }
  for (const { state } of results.values()) counts[state] += 1
  return counts
}

/** `42 done (1 not as requested), 1 failed, 2 unknown, 6 not sent, 3 invalid` */
export function outcomeSummary(
  { invalid, steps = [] }: Pick<Plan, 'invalid'> & Partial<Pick<Plan, 'steps'>>,
  outcome: Pick<RunOutcome, 'results'>,
): string {
  const { done, failed, unknown, skipped } = countResults(outcome)
  const conflicts = conflictsIn({ invalid }).length
  const drifted = [...outcome.results.values()].filter(({ state, failure }) => state === 'done' && failure)
  const all = [...outcome.results.values()]
  const doubles = all.filter(({ takenBack }) => takenBack !== undefined)
  const found = all.filter(({ doneByOthers, takenBack }) => doneByOthers && takenBack === undefined)
  const isGone = (step: Step) => isRemoval(step) && outcome.results.get(step.key)?.doneByOthers === true
  const removed = found.length > 0 ? [...steps].filter(isGone).length : 0
  const remarks = saidOfCounts([
    [drifted.length, count => phrase('{count} not as requested', { count })],
    [found.length - removed, count => phrase('{count} already there', { count })],
    [removed, count => phrase('{count} already gone', { count })],
    [doubles.length, count => phrase('{count} created elsewhere at the same time, and removed here', { count })],
  ])
  const others = saidOfCounts([
    [failed, count => phrase('{count} failed', { count })],
    [unknown, count => phrase('{count} unknown', { count })],
    [skipped, count => phrase('{count} not sent', { count })],
    [invalid.length - conflicts, count => phrase('{count} invalid', { count })],
    [conflicts, count => phrase('{count, plural, one {# conflict} other {# conflicts}}', { count })],
  ])
  const first = phrase('{count} done', { count: done })
  return [remarks.length > 0 ? `${first} (${remarks.join(', ')})` : first, ...others].join(', ')
}
