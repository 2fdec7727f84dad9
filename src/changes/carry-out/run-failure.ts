import { Failure, type FailureKind } from '../../base/failure.ts'
import { grouped } from '../../base/groups.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { blockingRecords, conflictsIn } from '../plan/overview.ts'
import type { Plan } from '../plan/plan.ts'
import { fixSkipped, leftFailure } from '../plan/plan-checks.ts'
import { journalStep, resumeCommand, undoCommand } from '../run/journal-entries.ts'
import type { Journal } from '../run/journal-writer.ts'
import type { RunOutcome, StepResult } from '../run/result.ts'
import type { Task } from './front.ts'

/** A finished run: besides its results, what went wrong, and how to correct what was invalid. */
export interface FinishedRun {
  readonly outcome: RunOutcome
  /** The answers, for records that were named. */
  readonly answers: ReadonlyMap<string, StepResult>
  readonly journal: Journal | undefined
  /** False for records that were named, if certainly none has changed: then there is no journal. */
  readonly hasWritten: boolean
}

/** The end of a run: what is said about it. */
export interface Ending extends FinishedRun {
  readonly task: Task
  /** Why the outcome could not be printed. */
  readonly unwritten: readonly Failure[]
  /** The journal, unless it was discarded. */
  readonly kept: Journal | undefined
  /** `42 done, 1 failed`, `updated event 12` */
  readonly line: string
  /** The failures of steps. */
  readonly failures: readonly Failure[]
  /** How to look again whether others created the same records, if that is not known. */
  readonly lookAgain: string | undefined
}

const undoHint = (journal: Journal): string => phrase('undo with: {command}', { command: undoCommand(journal) })

/** The given parts of a hint, joined. */
const joined = (...parts: readonly (string | undefined | false)[]): string => parts.filter(part => part).join('; ')

/** The failure of a run whose steps were all done, if anything else went wrong. */
export function failureBesides({ task, kept, line, lookAgain, unwritten }: Ending): Failure | undefined {
  const { plan, named } = task
  const undo = kept && undoHint(kept)
  if (blockingRecords(plan).length > 0) return leftFailure('partial', plan, fixSkipped(), unwritten)
  if (lookAgain) return new Failure('partial', line, { hint: joined(lookAgain, undo) })
  if (conflictsIn(plan).length > 0) return leftFailure('conflict', plan, undefined, unwritten)
  return unwritten[0] && withHint(unwritten[0], named && undo)
}

/** The failure of a run that ended before its last step, or of which steps failed; undefined if neither did. */
export const failureOfSteps = (ending: Ending): Failure | undefined => stopFailure(ending) ?? stepsFailure(ending)

/** The failure of a run that ended before its last step; undefined if it did not. */
function stopFailure(ending: Ending): Failure | undefined {
  const { task, journal, kept, outcome, line, failures, unwritten } = ending
  const causes = [...listed(failures), ...unwritten]
  const resume = kept
    ? phrase('resume with: {command}', { command: resumeCommand(kept) })
    : phrase('run the command again')
  const fault = journal?.fault()
  if (fault) return faultFailure(ending, fault, causes, resume)
  const results = [...outcome.results.values()]
  // The last write of records that were named is awaited.
  const isWhole = task.named && results.every(({ state }) => state !== 'skipped')
  if (outcome.interrupted && !isWhole)
    return new Failure('interrupted', phrase('interrupted: {line}', { line }), { hint: resume })
  if (!outcome.givenUp) return undefined
  const { kind, message, details } = outcome.givenUp
  // A resume looks for a step without an answer, as for one that was not sent.
  const hasFailed = results.some(({ state, failure }) => failure !== undefined && state !== 'unknown')
  return new Failure(hasFailed ? 'partial' : kind, `${message}: ${line}`, {
    ...details,
    causes,
    hint: phrase('{hint}; then {next}', { hint: details.hint ?? '', next: resume }),
  })
}

/** The failure of a run whose journal could not be written, or not completely. */
function faultFailure({ outcome, kept, line }: Ending, fault: Failure, causes: readonly Failure[], resume: string) {
  const isUnsent = [...outcome.results.values()].every(({ state }) => state === 'skipped')
  if (kept && !isUnsent)
    return new Failure('partial', phrase('{line}; the journal may lack part of it', { line }), {
      causes: [...causes, fault],
      hint: phrase('free some space, then complete the journal and the run with: {command}', {
        command: resumeCommand(kept),
      }),
    })
  const { message, kind } = fault
  return new Failure(
    kind,
    isUnsent
      ? phrase('{message}; nothing was sent', { message })
      : phrase('{message}; nothing was changed', { message }),
    { hint: phrase('free some space, then {resume}', { resume }), ...(causes.length > 0 && { causes }) },
  )
}

/** The failure of a run of which steps failed. That of a single record is thrown as it is. */
function stepsFailure(ending: Ending): Failure | undefined {
  const { task, failures, line, unwritten, lookAgain } = ending
  const { plan, named } = task
  const [only] = failures
  if (!only) return undefined
  const hint = joined(lookAgain, blockingRecords(plan).length > 0 && fixSkipped(), nextStep(ending))
  if (named?.items.length === 1) return withHint(only, hint)
  return new Failure(kindOf(plan, failures), line, { causes: [...listed(failures), ...unwritten], hint })
}

const withHint = (failure: Failure, next: string | undefined): Failure =>
  next
    ? new Failure(failure.kind, failure.message, { ...failure.details, hint: joined(failure.details.hint, next) })
    : failure

/** How many failures are listed. */
const listedFailures = 20

/** The failures to list; equal sentences about several steps become one. */
const listed = (failures: readonly Failure[]): Failure[] =>
  Array.from(grouped(failures, ({ message, details }) => `${message}\n${details.hint}`).values(), ofAll).slice(
    0,
    listedFailures,
  )

/** How many steps a failure names. */
const namedSteps = 3

function ofAll(alike: readonly Failure[]): Failure {
  const [first] = alike
  if (!first) throw new Error('no failure')
  const steps = alike.flatMap(({ details }) => details.step ?? [])
  const times = alike.length > 1 ? ` (${phrase('{count} times', { count: alike.length })})` : ''
  const text = steps.length > 0 ? `${listOfFirst(steps, namedSteps)}: ${first.message}` : first.message + times
  return text === first.message ? first : new Failure(first.kind, text, first.details)
}

const kindOf = ({ invalid }: Plan, failures: readonly Failure[]): FailureKind =>
  invalid.length === 0 && failures.every(({ kind }) => kind === 'conflict') ? 'conflict' : 'partial'

const isUnfinished = ({ state, failure }: StepResult): boolean => state !== 'done' && failure?.details.isFinal !== true

/** Whether a retry can help a step: one that was refused because its record has changed would be refused again. */
const isWorthRetrying = ({ state, failure }: StepResult): boolean =>
  state === 'unknown' || (state === 'failed' ? failure?.kind !== 'conflict' : failure === undefined)

/** How many steps a resume may complete, and how many it cannot, because the journal does not keep their passwords. */
function countRetriable({ plan, isOmitted }: Task, results: RunOutcome['results']) {
  let [needPassword, retriable] = [0, 0]
  for (const step of plan.steps) {
    const result = results.get(step.key)
    if (!result || !isUnfinished(result) || !isWorthRetrying(result)) continue
    const isOmittedStep = isOmitted?.(step) || journalStep(step).withheld !== undefined
    if (isOmittedStep && result.state === 'failed') needPassword += 1
    else retriable += 1
  }
  return { needPassword, retriable }
}

/** What to type after a run of which steps failed; empty for records that were named, if none has changed. */
function nextStep({ task, kept, outcome: { results } }: Ending): string {
  const { named } = task
  if (named && !kept) return ''
  const all = [...results.values()]
  if (named && kept && all.some(({ state }) => state === 'unknown'))
    return phrase('find out, and finish it, with: {command}', { command: resumeCommand(kept) })
  if (!all.some(isUnfinished) || named?.items.length === 1)
    return kept ? undoHint(kept) : phrase('check the records named above')
  const { needPassword, retriable } = countRetriable(task, results)
  if (retriable > 0 && !kept) return phrase('run the command again')
  const next = joined(
    kept && retriable > 0 && phrase('retry the failed steps with: {command}', { command: resumeCommand(kept) }),
    needPassword > 0 &&
      phrase(
        'run the command again for {count, plural, one {# step that needs a password} other {# steps that need passwords}}: journals do not store passwords',
        { count: needPassword },
      ),
  )
  return (
    next || phrase('run the command again, or see what differs now with: {command}', { command: 'calctl diff FILE' })
  )
}
