import type { Failure } from '../../base/failure.ts'
import { saidOfCounts } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Values } from '../../client/client.ts'
import type { Answer } from '../../contract/resource.ts'
import { conflictsIn } from '../plan/overview.ts'
import type { Plan, Step } from '../plan/plan.ts'
import type { PublishedPlace } from '../plan/published-places.ts'
import { isRemoval } from '../plan/steps.ts'

/**
 * The result of a step. `unknown`: it was sent, and nobody can tell whether it was carried out; `skipped`: it was not sent. A step that is
 * done has a failure, too, if the service changed more or less than it was asked to.
 */
export interface StepResult {
  readonly state: 'done' | 'failed' | 'unknown' | 'skipped'
  /** The ID of the record that was written. */
  readonly id?: number
  /** The answer; not kept in runs of many steps. */
  readonly record?: Answer
  /** Whether somebody else created or removed the record; an undo leaves it alone. */
  readonly doneByOthers?: true
  /** The ID of the record that the run created as well, and took back. */
  readonly takenBack?: number
  /**
   * The fields that the step wrote, and those that change along with them, as the answer shows them; for a failed step, those that it wrote
   * before it failed.
   */
  readonly after?: Values
  readonly failure?: Failure
}

/** What another session of a run must know about those before it. */
export interface EarlierSessions {
  /** The IDs of the records that steps wrote, by key; these steps are not sent again. */
  readonly writtenIds: ReadonlyMap<string, number>
  /** Results that are known without sending the steps, by key. */
  readonly knownResults: ReadonlyMap<string, StepResult>
  /** Whether a step was sent without an answer: it is sent again even if it seems done. */
  wasSent(step: Step): boolean
  /** Whether somebody else had created the record of a step. */
  doneByOthers(step: Step): boolean
  /** Whether the record of a step was about to be taken back. */
  isBeingTakenBack(step: Step): boolean
  /** What the site published along with events and did not get its status back, by `recordKey`. */
  readonly published: ReadonlyMap<string, PublishedPlace>
  /** Whether a step cannot be resumed, because the journal does not have all of its fields. */
  isOmitted(step: Step): boolean
}

/** The results of the steps of a plan, by key. */
export interface RunOutcome {
  readonly results: ReadonlyMap<string, StepResult>
  /** Whether it was stopped before the end. */
  readonly interrupted: boolean
  /** Set if the rest was not sent because the run waited for the site in vain. */
  readonly givenUp?: Failure
  /** Why it is not known whether somebody else created the same records at the same time. */
  readonly unchecked?: Failure
  /** Places that the site published along with events, and why they did not get their status back. */
  readonly stillPublic?: readonly Failure[]
}

/** The result of a step whose write failed: it may have been carried out anyway, or only been stopped. */
export function resultOfFailure(failure: Failure): StepResult {
  if (failure.details.done === 'unknown' || failure.details.done === 'late') return { state: 'unknown', failure }
  return failure.kind === 'interrupted' ? { state: 'skipped' } : { state: 'failed', failure }
}

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
