import { asFailure, Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { blockingRecords, conflictsIn } from '../plan/overview.ts'
import { resumeCommand, undoCommand } from '../run/journal-entries.ts'
import type { Journal } from '../run/journal-writer.ts'
import { outcomeSummary, type RunOutcome } from '../run/result.ts'
import type { Front, Task } from './front.ts'
import type { Ending, FinishedRun } from './run-failure.ts'
import { namedSummary, nextLine, oldSlugNotices, writtenSentences } from './said-of-records.ts'

/** Prints the outcome of a run; unless everything was done, throws the failure with the exit status and hints. */
export async function reportRun(front: Front, task: Task, run: FinishedRun): Promise<void> {
  const { plan, named, client } = task
  const { outcome, answers } = run
  const kept = run.hasWritten ? run.journal : undefined
  const unprinted = await front.print({ plan, outcome, run: kept?.run, named, answers }).catch(unprintedFailure)
  const ending: Ending = {
    ...run,
    task,
    kept,
    unwritten: unprinted ? [unprinted] : [],
    line: named ? namedSummary(plan, outcome) : outcomeSummary(plan, outcome),
    failures: [
      ...[...outcome.results.values()].flatMap(({ failure }) => failure ?? []),
      ...(outcome.stillPublic ?? []),
    ],
    lookAgain: await sayUnchecked(front, outcome, kept),
  }
  const sentences = named ? writtenSentences(client, plan, answers, front.now()) : []
  const failures = isWhole(ending) ? undefined : await import('./run-failure.ts')
  const failure = failures?.failureOfSteps(ending)
  for (const line of failure ? sentences : doneLines(front, ending, sentences)) await front.notice(line)
  const thrown = failure ?? failures?.failureBesides(ending)
  if (thrown) throw thrown
}

/** Whether a run did all that was asked of it, and nothing else went wrong. */
const isWhole = ({ task, journal, outcome, failures, unwritten, lookAgain }: Ending): boolean =>
  [...failures, ...unwritten, ...task.plan.invalid].length === 0 &&
  ![outcome.interrupted, outcome.givenUp, lookAgain, journal?.fault()].some(Boolean)

/** The failure of a command whose --jq fails on the output, so that it does not hide what was written. */
function unprintedFailure(error: unknown): Failure {
  const { message } = asFailure(error)
  return new Failure(
    'partial',
    phrase('the write succeeded, but its result could not be printed: {message}', { message }),
  )
}

/** Says why it is not known whether others created the same records; returns how to look again. */
async function sayUnchecked(front: Front, { unchecked }: RunOutcome, journal: Journal | undefined) {
  if (!unchecked) return undefined
  await front.notice(
    phrase('could not check whether others created the same records: {problem}', { problem: unchecked.message }),
  )
  return journal && phrase('look again with: {command}', { command: resumeCommand(journal) })
}

/** What was done, if all steps were, and how to undo it. */
function doneLines(
  { isQuiet }: Front,
  { task, kept, outcome, answers, lookAgain }: Ending,
  sentences: readonly string[],
): readonly string[] {
  const { plan, named } = task
  const undo = kept && nextLine(task, undoCommand(kept))
  if (named) return [...withNext(sentences, undo), ...(isQuiet ? [] : oldSlugNotices(task, answers))]
  const leavesOut = blockingRecords(plan).length > 0 || conflictsIn(plan).length > 0
  if (lookAgain || (leavesOut && undo === undefined)) return []
  // What was written is not an error, even if something was left out.
  return withNext([outcomeSummary(leavesOut ? { ...plan, invalid: [] } : plan, outcome)], undo)
}

/** The sentences with what to type next: on the same line after a single one, on a line of its own after several. */
function withNext(sentences: readonly string[], next: string | undefined): readonly string[] {
  if (next === undefined) return sentences
  return sentences.length === 1 ? [`${sentences[0]}. ${next}`] : [...sentences, next]
}
