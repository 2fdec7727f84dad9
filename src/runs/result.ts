import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Failure } from '../failure.ts'
import type { Plan, Step } from '../plan/plan.ts'

/**
 * What became of a step: `unknown` was sent, and nobody could say whether it was done; `skipped` was not sent. One that is
 * done can have a failure too: the service did more, or less, than it was asked.
 */
export interface Result {
  readonly state: 'done' | 'failed' | 'unknown' | 'skipped'
  /** Of the record that was written. */
  readonly id?: number
  /** Whether somebody else made the record: an undo leaves it alone. */
  readonly isOthers?: true
  /** The fields that were asked for, and those that change with them, as the record shows them. */
  readonly left?: Values
  readonly failure?: Failure
}

/** What became of the steps of a plan. */
export interface Outcome {
  readonly results: ReadonlyMap<string, Result>
  /** Whether it was stopped before all was done. */
  readonly interrupted: boolean
}

/** How people call what a step writes: `event 12`, `venue "Sala Gran" (row 5)`. */
export function nameOf(step: Step): string {
  const { singular, title } = resourceNamed(step.resource)
  const what = step.id ?? JSON.stringify(step.values[title] ?? step.key)
  return `${singular} ${what}${step.at ? ` (${step.at})` : ''}`
}

/** What a write that failed says of itself: whether it may have been done all the same, or was only stopped. */
export function failedResult(failure: Failure): Result {
  if (failure.details.done === 'unknown' || failure.details.done === 'late') return { state: 'unknown', failure }
  return failure.kind === 'interrupted' ? { state: 'skipped' } : { state: 'failed', failure }
}

/** How many steps ended in each state; a step that is done and not as it should be counts as done. */
export function tally({ results }: Pick<Outcome, 'results'>): Record<Result['state'], number> {
  const found = { done: 0, failed: 0, unknown: 0, skipped: 0 }
  for (const { state } of results.values()) found[state] += 1
  return found
}

/** How a run ended, in words: `42 done, 1 of them not as asked, 1 failed, 6 left out`. */
export function outcomeLine({ invalid }: Pick<Plan, 'invalid'>, outcome: Pick<Outcome, 'results'>): string {
  const { done, failed, unknown, skipped } = tally(outcome)
  const others = [...outcome.results.values()].filter(({ state, failure }) => state === 'done' && failure)
  const parts = [
    [others.length, 'of them not as asked'],
    [failed, 'failed'],
    [unknown, 'unknown'],
    [skipped, 'not sent'],
    [invalid.length, 'left out'],
  ] as const
  return [`${done} done`, ...parts.flatMap(([count, how]) => (count > 0 ? `${count} ${how}` : []))].join(', ')
}
