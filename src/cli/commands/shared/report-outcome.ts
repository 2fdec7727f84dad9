/**
 * Reports the outcome of writes, of whole plans and of single records: on stdout the outcome or the records, on stderr what was done and
 * what to type next. Failures are thrown with the exit status.
 */

import { Failure, type FailureKind, someFailed } from '../../../base/failure.ts'
import { capitalized, listOfFirst } from '../../../base/text/sentence-parts.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { blockingRecords, conflictsIn, type Plan, type Step } from '../../../changes/plan/plan.ts'
import type { Journal } from '../../../changes/run/journal-writer.ts'
import type { RunOutcome, StepResult } from '../../../changes/run/result.ts'
import type { Client } from '../../../client/client.ts'
import type { Preview } from '../../../client/dry-run.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import { recordName } from '../../../files/print/readable.ts'
import type { App } from '../../app.ts'
import { writeLines } from '../../terminal/sentences.ts'
import { showRequests } from './options.ts'

export const finishing = (sending: number): string =>
  phrase('finishing {count, plural, one {# request} other {# requests}}; press Ctrl-C again to quit at once', {
    count: sending,
  })

/** What was to be executed. */
interface ReportedTask {
  readonly plan: Plan
  isOmitted?(step: Step): boolean
}

/** The outcome of a run: besides its steps, what went wrong, and how to correct what was invalid. */
interface FinishedRun {
  readonly outcome: RunOutcome
  readonly journal: Journal | undefined
  /** Why other files could not be written. */
  readonly unwritten: readonly Failure[]
  readonly fix: string
}

type Results = RunOutcome['results']

/** How many failures are listed. */
const listedFailures = 20

const resumeCommand = ({ run, to }: Journal): string => `calctl runs resume ${run}${to}`
const undoCommand = ({ run, to }: Journal): string => `calctl undo ${run}${to}`

/** The given parts of a hint, joined. */
const joined = (...parts: readonly (string | undefined | false)[]): string => parts.filter(part => part).join('; ')

/** Prints the outcome of a run; unless everything was done, throws the failure with the exit status and hints. */
export async function reportOutcome(
  app: App,
  task: ReportedTask,
  { outcome, journal, unwritten: lostFiles, fix }: FinishedRun,
): Promise<void> {
  const { outcomeSummary } = await import('../../../changes/run/result.ts')
  const { plan } = task
  const unprinted = await triedToPrint(() => printOutcome(app, plan, outcome, journal?.run))
  const unwritten = [...lostFiles, ...(unprinted ? [unprinted] : [])]
  const unchecked =
    outcome.unchecked &&
    phrase('could not check whether others created the same records: {problem}', { problem: outcome.unchecked.message })
  if (unchecked) await app.notice(unchecked)
  const line = outcomeSummary(plan, outcome)
  const undo = journal && phrase('undo with: {command}', { command: undoCommand(journal) })
  const lookAgain = unchecked && journal && phrase('look again with: {command}', { command: resumeCommand(journal) })
  const stopped = stopFailure(journal, outcome, line, unwritten)
  if (stopped) throw stopped
  const failures = failuresIn(outcome)
  const isIncomplete = blockingRecords(plan).length > 0
  if (failures.length > 0)
    throw new Failure(kindOf(plan, failures), line, {
      causes: [...listed(failures), ...unwritten],
      hint: joined(lookAgain, isIncomplete && fix, await nextStep(task, outcome, journal)),
    })
  const undoText = journal && phrase('Undo: {command}', { command: undoCommand(journal) })
  // What was written is not an error; what was left out is.
  const sayWritten = async () =>
    undoText && app.notice(`${outcomeSummary({ ...plan, invalid: [] }, outcome)}. ${undoText}`)
  if (isIncomplete) {
    await sayWritten()
    throw leftFailure('partial', leftOut(plan), fix, unwritten)
  }
  if (lookAgain) throw new Failure('partial', line, { hint: joined(lookAgain, undo) })
  if (conflictsIn(plan).length > 0) {
    await sayWritten()
    throw leftFailure('conflict', leftOut(plan), await compareHint(), unwritten)
  }
  await app.notice(undoText ? `${line}. ${undoText}` : line)
  const [failure] = unwritten
  if (failure) throw failure
}

/** `2 records were left out as invalid`, `1 record was kept as changed by someone else` */
function leftOut(plan: Plan): string {
  const conflicts = conflictsIn(plan).length
  const invalid = plan.invalid.length - conflicts
  return [
    invalid > 0 &&
      phrase('{count, plural, one {# record was} other {# records were}} left out as invalid', { count: invalid }),
    conflicts > 0 &&
      phrase('{count, plural, one {# record was} other {# records were}} kept as changed by someone else', {
        count: conflicts,
      }),
  ]
    .filter(part => part !== false)
    .join('; ')
}

/** The failure of a run that ended before its last step; undefined if it did not. */
function stopFailure(
  journal: Journal | undefined,
  outcome: RunOutcome,
  line: string,
  unwritten: readonly Failure[],
): Failure | undefined {
  const fault = journal?.fault()
  const causes = [...listed(failuresIn(outcome)), ...unwritten]
  const resume = journal
    ? phrase('resume with: {command}', { command: resumeCommand(journal) })
    : phrase('run the command again')
  if (fault && ![...outcome.results.values()].some(({ state }) => state !== 'skipped'))
    return new Failure(fault.kind, phrase('{message}; nothing was sent', { message: fault.message }), {
      hint: phrase('free some space, then {resume}', { resume }),
    })
  if (journal && fault) return faultFailure(journal, fault, line, causes)
  if (outcome.interrupted) return new Failure('interrupted', phrase('interrupted: {line}', { line }), { hint: resume })
  if (!outcome.givenUp) return undefined
  const { kind, message, details } = outcome.givenUp
  return new Failure(hasFailed(outcome) ? 'partial' : kind, `${message}: ${line}`, {
    ...details,
    causes,
    hint: phrase('{hint}; then {next}', { hint: details.hint ?? '', next: resume }),
  })
}

/** The failure of a run that wrote something, but whose journal could not be written completely. */
const faultFailure = (journal: Journal, fault: Failure, line: string, causes: readonly Failure[]): Failure =>
  new Failure('partial', phrase('{line}; the journal may lack part of it', { line }), {
    causes: [...causes, fault],
    hint: phrase('free some space, then complete the journal and the run with: {command}', {
      command: resumeCommand(journal),
    }),
  })

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

/** The failure of a run that left out some records, although all of its steps were applied. */
const leftFailure = (kind: FailureKind, line: string, hint: string, causes: readonly Failure[] = []): Failure =>
  new Failure(kind, line, { hint, ...(causes.length > 0 && { causes }) })

/** How to see what somebody else has changed in records that were left alone. */
const compareHint = async (): Promise<string> =>
  (await import('../../../changes/plan/making/removals.ts')).compareTexts()

const kindOf = ({ invalid }: Plan, failures: readonly Failure[]): FailureKind =>
  invalid.length === 0 && failures.every(({ kind }) => kind === 'conflict') ? 'conflict' : 'partial'

const isUnfinished = ({ state, failure }: StepResult): boolean => state !== 'done' && failure?.details.isFinal !== true

/** Whether a retry can help a step: one that was refused because its record has changed would be refused again. */
const isWorthRetrying = ({ state, failure }: StepResult): boolean =>
  state === 'unknown' || (state === 'failed' ? failure?.kind !== 'conflict' : failure === undefined)

/** How many steps a resume may complete, and how many it cannot, because the journal does not keep their passwords. */
async function countRetriable(task: ReportedTask, results: Results) {
  const { journalStep } = await import('../../../changes/run/journal-format.ts')
  let [needPassword, retriable] = [0, 0]
  for (const step of task.plan.steps) {
    const result = results.get(step.key)
    if (!result || !isUnfinished(result) || !isWorthRetrying(result)) continue
    const isOmitted = task.isOmitted?.(step) || journalStep(step).withheld !== undefined
    if (isOmitted && result.state === 'failed') needPassword += 1
    else retriable += 1
  }
  return { needPassword, retriable }
}

async function nextStep(task: ReportedTask, { results }: RunOutcome, journal: Journal | undefined): Promise<string> {
  if (![...results.values()].some(isUnfinished))
    return journal
      ? phrase('undo with: {command}', { command: undoCommand(journal) })
      : phrase('check the records named above')
  const { needPassword, retriable } = await countRetriable(task, results)
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
  return phrase('run the command again, or see what differs now with: {command}', { command: 'calctl diff' })
}

/** Prints; returns the failure if --jq fails on the output, so that it does not hide what was written. */
export async function triedToPrint(print: () => Promise<void>): Promise<Failure | undefined> {
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

/** Reports the outcome of a plan without steps, which starts no run. */
export async function reportNoSteps(app: App, plan: Plan, fix: string): Promise<void> {
  const outcome = { results: new Map(), interrupted: false }
  await printOutcome(app, plan, outcome)
  if (plan.invalid.length === 0) return
  if (blockingRecords(plan).length > 0) throw leftFailure('partial', leftOut(plan), fix)
  if (conflictsIn(plan).length > 0) throw leftFailure('conflict', leftOut(plan), await compareHint())
}

/** Prints the outcome for -o: counts, the written IDs in the order of the plan, or a row for each change. */
export async function printOutcome(app: App, plan: Plan, outcome: RunOutcome, run?: string): Promise<void> {
  const { output, globals, world } = app
  if (output === undefined) return
  const { countResults } = await import('../../../changes/run/result.ts')
  if (output === 'count') return world.stdout.write(`${countResults(outcome).done}\n`)
  if (output === 'ids') {
    for (const { key } of plan.steps) {
      const id = outcome.results.get(key)?.id
      if (id !== undefined) await world.stdout.write(`${id}\n`)
    }
    return
  }
  if (globals.fields || output === 'table' || output === 'csv' || output === 'tsv') {
    const { printRun } = await import('./plan-output.ts')
    return printRun(app, plan, ({ key, id }) => {
      const { state = 'left', id: written = id, failure } = outcome.results.get(key) ?? {}
      return { state, id: written, error: failure?.message }
    })
  }
  const { same, invalid } = plan
  await app.printValue({ run: run ?? null, ...countResults(outcome), same, invalid: invalid.length })
}

/** The executed steps of single records, with their answers. */
export interface ExecutedSteps {
  readonly steps: readonly Step[]
  readonly results: Results
  readonly journal: Journal | undefined
}

/** What failed in writes of single records, and what cannot be taken back. */
interface FailedWrites {
  readonly failures: readonly Failure[]
  /** Why the answers could not be printed. */
  readonly unprinted: Failure | undefined
  /** The number of records to write. */
  readonly total: number
  /** Why none of the writes can be undone; undefined if some can be. */
  readonly notUndoable: string | undefined
}

/** Says what was done with single records, and how to undo it; throws what went wrong, with what to type next. */
export async function reportWrites(
  app: App,
  client: Client,
  run: ExecutedSteps,
  { failures, unprinted, total, notUndoable }: FailedWrites,
): Promise<void> {
  const next = await nextCommand(run, notUndoable)
  const fault = run.journal?.fault()
  const sentences = await sentencesOf(app, client, run)
  const isDone = !fault && failures.length === 0 && !unprinted
  for (const line of isDone ? withNext(sentences, next) : sentences) await app.notice(line)
  if (run.journal && fault) throw failureOf([await writesFault(run, run.journal, fault, failures)], 1, next)
  throwFailures(failures, total, next)
  if (unprinted) throw failureOf([unprinted], 1, next)
}

/** Throws a single failure as it is, several as one, both with what to type next. */
export function throwFailures(failures: readonly Failure[], total: number, next?: NextCommand): void {
  if (failures.length > 0) throw failureOf(failures, total, next)
}

function failureOf(failures: readonly Failure[], total: number, next: NextCommand | undefined): Failure {
  const [only] = failures
  const failure = total > 1 || !only ? someFailed(failures, total) : only
  if (next === undefined) return failure
  return new Failure(failure.kind, failure.message, {
    ...failure.details,
    hint: joined(failure.details.hint, next.hint),
  })
}

/** Whether a step has changed something, or may have. */
export const mayHaveWritten = ({ state, after }: StepResult): boolean =>
  state === 'done' || state === 'unknown' || after !== undefined

/** The failure of writes whose journal could not be written completely; the journal is removed if they changed nothing. */
async function writesFault(
  { steps, results }: ExecutedSteps,
  journal: Journal,
  fault: Failure,
  causes: readonly Failure[],
): Promise<Failure> {
  const all = [...results.values()]
  if (!all.some(mayHaveWritten))
    return new Failure('settings', phrase('{message}; nothing was changed', { message: fault.message }), {
      hint: phrase('free some space, then run the command again'),
      ...(causes.length > 0 && { causes }),
    })
  const { describeWrites } = await import('../../../changes/plan/describe.ts')
  const left = all.filter(({ state }) => state === 'skipped').length
  const done = describeWrites(steps, results) || phrase('the outcome is unknown')
  return faultFailure(
    journal,
    fault,
    left > 0 ? phrase('{done}, {count} not sent', { done, count: left }) : done,
    causes,
  )
}

/** What to type next. */
interface NextCommand {
  readonly hint: string
  /** The command that takes the writes back, if that is the next step. */
  readonly undo?: string
}

/** What to type after the writes, if there is something to take back or to find out. */
async function nextCommand(
  { steps, results, journal }: ExecutedSteps,
  notUndoable: string | undefined,
): Promise<NextCommand | undefined> {
  if (!journal) return undefined
  if ([...results.values()].some(({ state }) => state === 'unknown'))
    return { hint: phrase('find out, and finish it, with: {command}', { command: resumeCommand(journal) }) }
  const { changesRecord } = await import('../../../changes/plan/describe.ts')
  const hasChanged = steps.some(step => {
    const result = results.get(step.key)
    // A failure says that something else may have changed.
    return result && mayHaveWritten(result) && (result.failure !== undefined || changesRecord(step))
  })
  if (!hasChanged) return undefined
  const undo = undoCommand(journal)
  return notUndoable === undefined
    ? { hint: phrase('undo with: {command}', { command: undo }), undo }
    : { hint: notUndoable }
}

/** Up to this many records have a sentence each. */
const mostSentences = 10

async function sentencesOf(app: App, client: Client, { steps, results }: ExecutedSteps): Promise<readonly string[]> {
  const done = steps.flatMap(step => {
    const { state, record, failure } = results.get(step.key) ?? {}
    return state === 'done' && record && !failure ? { step, record } : []
  })
  const { describeWrites, doneSentences } = await import('../../../changes/plan/describe.ts')
  if (done.length > mostSentences) return [capitalized(describeWrites(steps, results))]
  return doneSentences(client, done, app.world.now())
}

/** The sentences with what to type next: on the same line after a single one, on a line of its own after several. */
function withNext(sentences: readonly string[], next: NextCommand | undefined): readonly string[] {
  const [sentence] = sentences
  if (!next) return sentences
  const text = next.undo === undefined ? capitalized(next.hint) : phrase('Undo: {command}', { command: next.undo })
  return sentences.length === 1 ? [`${sentence}. ${text}`] : [...sentences, text]
}

/**
 * Prints the records that were written, or that existed already. On a terminal a sentence says what was done, so they are printed only if
 * the output format asks for them.
 */
export async function showRecords(
  app: App,
  resource: Resource,
  answers: readonly Answer[],
  { areSeveral, existed = false }: { readonly areSeveral: boolean; readonly existed?: boolean },
): Promise<void> {
  const { output, globals, world } = app
  const isPrinted = output !== undefined || globals.fields !== undefined || globals.quiet || !world.stdout.isTTY
  const [answer] = answers
  if (!isPrinted && existed) for (const record of answers) await app.notice(existsAlready(resource, record))
  if (!isPrinted) return
  if (areSeveral) await app.print(resource, answers, { wereWritten: true })
  else if (answer) await app.print(resource, answer, { wereWritten: true })
}

const existsAlready = (resource: Resource, record: Answer): string =>
  phrase('{record} already exists; nothing was created', { record: capitalized(recordName(resource, { record })) })

/** Says what would be done. The requests are shown on stderr with --debug, and printed instead if the output format asks for data. */
export async function showDryRun(
  app: App,
  client: Client,
  steps: readonly Step[],
  previews: readonly Preview[],
): Promise<void> {
  if (app.output || app.globals.fields) return showRequests(app, previews)
  const { plannedSentences } = await import('../../../changes/plan/describe.ts')
  for (const line of await plannedSentences(client, steps, app.world.now()))
    await writeLines(app.world, app.globals, app.world.stdout, `${line}\n`)
  if (!app.globals.debug) return
  const { hideSecrets } = await import('../../../base/text/escaping.ts')
  for (const request of previews.flatMap(preview => preview.asData()))
    await app.world.stderr.write(
      `${phrase('not sent: {request}', { request: JSON.stringify(hideSecrets(request), null, 2) })}\n`,
      'json',
    )
}
