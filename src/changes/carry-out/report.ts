import { Failure, type FailureKind, usage } from '../../base/failure.ts'
import { grouped } from '../../base/groups.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { blockingRecords, conflictsIn, type Plan } from '../plan/plan.ts'
import { conflictHint } from '../plan/plan-checks.ts'
import { journalStep } from '../run/journal-format.ts'
import type { Journal } from '../run/journal-writer.ts'
import { outcomeSummary, type RunOutcome, type StepResult } from '../run/result.ts'
import type { Front, PlanOptions, Task } from './front.ts'
import { namedSummary, nextLine, oldSlugNotices, writtenSentences } from './said-of-records.ts'

/** A finished run: besides its results, what went wrong, and how to correct what was invalid. */
interface FinishedRun {
  readonly outcome: RunOutcome
  /** The answers, for records that were named. */
  readonly answers: ReadonlyMap<string, StepResult>
  readonly journal: Journal | undefined
  /** False for records that were named, if certainly none has changed: then there is no journal. */
  readonly hasWritten: boolean
  /** Why other files could not be written. */
  readonly unwritten: readonly Failure[]
  readonly fix: string
}

/** The end of a run: what is said about it. */
interface Ending extends FinishedRun {
  readonly task: Task
  /** The journal, unless it was discarded. */
  readonly kept: Journal | undefined
  /** `42 done, 1 failed`, `updated event 12` */
  readonly line: string
  /** The failures of steps. */
  readonly failures: readonly Failure[]
  /** How to look again whether others created the same records, if that is not known. */
  readonly lookAgain: string | undefined
}

const resumeCommand = ({ run, to }: Journal): string => `calctl runs resume ${run}${to}`
const undoCommand = ({ run, to }: Journal): string => `calctl undo ${run}${to}`

const undoHint = (journal: Journal): string => phrase('undo with: {command}', { command: undoCommand(journal) })

/** The given parts of a hint, joined. */
const joined = (...parts: readonly (string | undefined | false)[]): string => parts.filter(part => part).join('; ')

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
    unwritten: unprinted ? [...run.unwritten, unprinted] : run.unwritten,
    line: named ? namedSummary(plan, outcome) : outcomeSummary(plan, outcome),
    failures: [
      ...[...outcome.results.values()].flatMap(({ failure }) => failure ?? []),
      ...(outcome.stillPublic ?? []),
    ],
    lookAgain: await sayUnchecked(front, outcome, kept),
  }
  const sentences = named ? writtenSentences(client, plan, answers, front.now()) : []
  const failure = stopFailure(ending) ?? stepsFailure(ending)
  for (const line of failure ? sentences : doneLines(front, ending, sentences)) await front.notice(line)
  const thrown = failure ?? failureBesides(ending)
  if (thrown) throw thrown
}

/** The failure of a command whose --jq fails on the output, so that it does not hide what was written. */
function unprintedFailure(error: unknown): Failure {
  if (!(error instanceof Failure)) throw error
  return new Failure(
    'partial',
    phrase('the write succeeded, but its result could not be printed: {message}', { message: error.message }),
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

/** The failure of a run whose steps were all done, if anything else went wrong. */
function failureBesides({ task, kept, fix, line, lookAgain, unwritten }: Ending): Failure | undefined {
  const { plan, named } = task
  const undo = kept && undoHint(kept)
  if (blockingRecords(plan).length > 0) return leftFailure('partial', plan, fix, unwritten)
  if (lookAgain) return new Failure('partial', line, { hint: joined(lookAgain, undo) })
  if (conflictsIn(plan).length > 0) return leftFailure('conflict', plan, undefined, unwritten)
  return unwritten[0] && withHint(unwritten[0], named && undo)
}

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
  const { task, failures, line, unwritten, lookAgain, fix } = ending
  const { plan, named } = task
  const [only] = failures
  if (!only) return undefined
  const hint = joined(lookAgain, blockingRecords(plan).length > 0 && fix, nextStep(ending))
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
  const text = steps.length > 0 ? `${listOfFirst(steps, namedSteps, 'other')}: ${first.message}` : first.message + times
  return text === first.message ? first : new Failure(first.kind, text, first.details)
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
  return new Failure(kind, joined(...left), { hint: fix, ...(causes.length > 0 && { causes }) })
}

/** The failure of a plan of which nothing is sent, because some records are invalid. */
export function invalidFailure(plan: Plan, { dryRun, errors }: PlanOptions, fix: string): Failure {
  const count = plan.invalid.length - conflictsIn(plan).length
  const areInvalid = phrase('{count, plural, one {# record is} other {# records are}} invalid', { count })
  return usage(
    dryRun ? areInvalid : phrase('{problem}; nothing was sent', { problem: areInvalid }),
    errors === undefined
      ? phrase(
          'fix {count, plural, one {it} other {them}}, or add --skip-invalid --errors FILE to apply the others and get {count, plural, one {it} other {these}} in a file',
          { count },
        )
      : phrase('add --skip-invalid to apply the others; {fix}', { fix }),
  )
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
