import { Failure, type FailureKind } from '../../base/failure.ts'
import { listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { compareTexts } from '../plan/making/removals.ts'
import { blockingRecords, conflictsIn, type Plan } from '../plan/plan.ts'
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

const resumeCommand = ({ run, to }: Journal): string => `calctl runs resume ${run}${to}`
const undoCommand = ({ run, to }: Journal): string => `calctl undo ${run}${to}`

/** The given parts of a hint, joined. */
const joined = (...parts: readonly (string | undefined | false)[]): string => parts.filter(part => part).join('; ')

/** Prints the outcome of a run; unless everything was done, throws the failure with the exit status and hints. */
export async function reportRun(front: Front, task: Task, run: FinishedRun): Promise<void> {
  const { plan, named, client } = task
  const { outcome } = run
  const journal = run.hasWritten ? run.journal : undefined
  const unprinted = await triedToPrint(() =>
    front.print({ plan, outcome, run: journal?.run, named, answers: run.answers }),
  )
  const unwritten = [...run.unwritten, ...(unprinted ? [unprinted] : [])]
  const line = named ? namedSummary(plan, outcome) : outcomeSummary(plan, outcome)
  const sentences = named ? writtenSentences(client, plan, run.answers, front.now()) : []
  const lookAgain = await sayUnchecked(front, outcome, journal)
  const failures = failuresIn(outcome)
  const stopped = stopFailure(run, { line, unwritten }, task)
  if (stopped || failures.length > 0) for (const sentence of sentences) await front.notice(sentence)
  if (stopped) throw stopped
  if (failures.length > 0) {
    const fix = blockingRecords(plan).length > 0 && run.fix
    const next = joined(lookAgain, fix, await nextStep(task, outcome, journal))
    throw failureOf(task, { failures, unwritten, line, next })
  }
  await sayDone(front, task, { run, journal, sentences, isUnsure: lookAgain !== undefined })
  throwLeft(plan, { fix: run.fix, line, lookAgain, unwritten, journal })
  const [failure] = unwritten
  if (failure) throw withHint(failure, named && journal && undoHint(journal))
}

const undoHint = (journal: Journal): string => phrase('undo with: {command}', { command: undoCommand(journal) })

/** Says why it is not known whether others created the same records; returns how to look again. */
async function sayUnchecked(
  front: Front,
  { unchecked }: RunOutcome,
  journal: Journal | undefined,
): Promise<string | undefined> {
  if (!unchecked) return undefined
  await front.notice(
    phrase('could not check whether others created the same records: {problem}', { problem: unchecked.message }),
  )
  return journal && phrase('look again with: {command}', { command: resumeCommand(journal) })
}

/** A run whose steps were all done as they were asked. */
interface DoneRun {
  readonly run: FinishedRun
  readonly journal: Journal | undefined
  readonly sentences: readonly string[]
  /** Whether others may have created the same records. */
  readonly isUnsure: boolean
}

/** Says what was done, and how to undo it. */
async function sayDone(front: Front, task: Task, done: DoneRun): Promise<void> {
  const undo = done.journal && nextLine(task, undoCommand(done.journal))
  const lines = task.named ? linesOfRecords(front, task, done, undo) : lineOfPlan(task, done, undo)
  for (const line of lines) await front.notice(line)
}

const linesOfRecords = (
  { isQuiet }: Front,
  task: Task,
  { sentences, run }: DoneRun,
  undo: string | undefined,
): readonly string[] => [...withNext(sentences, undo), ...(isQuiet ? [] : oldSlugNotices(task, run.answers))]

/** What was written is not an error, even if something was left out. */
function lineOfPlan({ plan }: Task, { run, isUnsure }: DoneRun, undo: string | undefined): readonly string[] {
  const leavesOut = blockingRecords(plan).length > 0 || conflictsIn(plan).length > 0
  if (isUnsure || (leavesOut && undo === undefined)) return []
  const line = outcomeSummary(leavesOut ? { ...plan, invalid: [] } : plan, run.outcome)
  return [undo === undefined ? line : `${line}. ${undo}`]
}

/** Throws the failure of a run that left something out, or of which it is not known whether others did the same. */
function throwLeft(
  plan: Plan,
  {
    fix,
    line,
    lookAgain,
    unwritten,
    journal,
  }: Ending & Pick<FinishedRun, 'fix' | 'journal'> & { readonly lookAgain: string | undefined },
): void {
  if (blockingRecords(plan).length > 0) throw leftFailure('partial', plan, fix, unwritten)
  if (lookAgain) throw new Failure('partial', line, { hint: joined(lookAgain, journal && undoHint(journal)) })
  if (conflictsIn(plan).length > 0) throw leftFailure('conflict', plan, undefined, unwritten)
}

/** The sentences with what to type next: on the same line after a single one, on a line of its own after several. */
function withNext(sentences: readonly string[], next: string | undefined): readonly string[] {
  if (next === undefined) return sentences
  return sentences.length === 1 ? [`${sentences[0]}. ${next}`] : [...sentences, next]
}

/** Prints; returns the failure if --jq fails on the output, so that it does not hide what was written. */
async function triedToPrint(print: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await print()
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return new Failure(
      'partial',
      phrase('the write succeeded, but its result could not be printed: {message}', { message: error.message }),
    )
  }
}

/** What a run says at its end. */
interface Ending {
  /** `42 done, 1 failed`, `updated event 12` */
  readonly line: string
  readonly unwritten: readonly Failure[]
}

/** The failure of a run that ended before its last step; undefined if it did not. */
function stopFailure(run: FinishedRun, { line, unwritten }: Ending, { named }: Task): Failure | undefined {
  const { journal, outcome, hasWritten } = run
  const causes = [...listed(failuresIn(outcome)), ...unwritten]
  const resume =
    journal && hasWritten
      ? phrase('resume with: {command}', { command: resumeCommand(journal) })
      : phrase('run the command again')
  const fault = journal?.fault()
  if (journal && fault) return faultIn(run, { journal, fault, line, resume, causes })
  // The last write of records that were named is awaited.
  const isWhole = named && [...outcome.results.values()].every(({ state }) => state !== 'skipped')
  if (outcome.interrupted && !isWhole)
    return new Failure('interrupted', phrase('interrupted: {line}', { line }), { hint: resume })
  if (!outcome.givenUp) return undefined
  const { kind, message, details } = outcome.givenUp
  return new Failure(hasFailed(outcome) ? 'partial' : kind, `${message}: ${line}`, {
    ...details,
    causes,
    hint: phrase('{hint}; then {next}', { hint: details.hint ?? '', next: resume }),
  })
}

interface JournalFault {
  readonly journal: Journal
  readonly fault: Failure
  readonly line: string
  readonly resume: string
  readonly causes: readonly Failure[]
}

/** The failure of a run whose journal could not be written, or not completely. */
function faultIn(
  { outcome, hasWritten }: FinishedRun,
  { journal, fault, line, resume, causes }: JournalFault,
): Failure {
  const isUnsent = ![...outcome.results.values()].some(({ state }) => state !== 'skipped')
  if (hasWritten && !isUnsent) return faultFailure(journal, fault, line, causes)
  const { message, kind } = fault
  return new Failure(
    kind,
    isUnsent
      ? phrase('{message}; nothing was sent', { message })
      : phrase('{message}; nothing was changed', { message }),
    { hint: phrase('free some space, then {resume}', { resume }), ...(causes.length > 0 && { causes }) },
  )
}

/** The failure of a run that wrote something, but whose journal could not be written completely. */
const faultFailure = (journal: Journal, fault: Failure, line: string, causes: readonly Failure[]): Failure =>
  new Failure('partial', phrase('{line}; the journal may lack part of it', { line }), {
    causes: [...causes, fault],
    hint: phrase('free some space, then complete the journal and the run with: {command}', {
      command: resumeCommand(journal),
    }),
  })

/** The failure of a run of which steps failed. That of a single record is thrown as it is. */
function failureOf(
  { plan, named }: Task,
  { failures, unwritten, line, next }: Ending & { readonly failures: readonly Failure[]; readonly next: string },
): Failure {
  const [only] = failures
  if (named?.items.length === 1 && only) return withHint(only, next)
  return new Failure(kindOf(plan, failures), line, { causes: [...listed(failures), ...unwritten], hint: next })
}

const withHint = (failure: Failure, next: string | undefined): Failure =>
  next
    ? new Failure(failure.kind, failure.message, { ...failure.details, hint: joined(failure.details.hint, next) })
    : failure

/** How many failures are listed. */
const listedFailures = 20

/** The failures to list; equal sentences about several steps become one. */
function listed(failures: readonly Failure[]): Failure[] {
  const alike = new Map<string, Failure[]>()
  for (const failure of failures) {
    const key = `${failure.message}\n${failure.details.hint}`
    alike.set(key, [...(alike.get(key) ?? []), failure])
  }
  return Array.from(alike.values(), ofAll).slice(0, listedFailures)
}

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

const failuresIn = ({ results }: RunOutcome): Failure[] => [...results.values()].flatMap(({ failure }) => failure ?? [])

/** Whether steps failed. A resume looks for a step without an answer, as for one that was not sent. */
const hasFailed = ({ results }: RunOutcome): boolean =>
  [...results.values()].some(({ state, failure }) => failure !== undefined && state !== 'unknown')

/** The failure of a plan that left out some records: as invalid, or because somebody else has changed them. */
export function leftFailure(
  kind: FailureKind,
  plan: Plan,
  fix: string = compareTexts(),
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
  return new Failure('usage', dryRun ? areInvalid : phrase('{problem}; nothing was sent', { problem: areInvalid }), {
    hint:
      errors === undefined
        ? phrase(
            'fix {count, plural, one {it} other {them}}, or add --skip-invalid --errors FILE to apply the others and get {count, plural, one {it} other {these}} in a file',
            { count },
          )
        : phrase('add --skip-invalid to apply the others; {fix}', { fix }),
  })
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
async function nextStep(task: Task, { results }: RunOutcome, journal: Journal | undefined): Promise<string> {
  if (task.named && !journal) return ''
  const all = [...results.values()]
  if (task.named && journal && all.some(({ state }) => state === 'unknown'))
    return phrase('find out, and finish it, with: {command}', { command: resumeCommand(journal) })
  if (!all.some(isUnfinished) || task.named?.items.length === 1)
    return journal
      ? phrase('undo with: {command}', { command: undoCommand(journal) })
      : phrase('check the records named above')
  const { needPassword, retriable } = countRetriable(task, results)
  const again = phrase(
    'run the command again for {count, plural, one {# step that needs a password} other {# steps that need passwords}}: journals do not store passwords',
    { count: needPassword },
  )
  if (retriable === 0 && needPassword > 0) return again
  if (retriable > 0 && !journal) return phrase('run the command again')
  if (retriable > 0 && journal)
    return joined(
      phrase('retry the failed steps with: {command}', { command: resumeCommand(journal) }),
      needPassword > 0 && again,
    )
  return phrase('run the command again, or see what differs now with: {command}', { command: 'calctl diff FILE' })
}
