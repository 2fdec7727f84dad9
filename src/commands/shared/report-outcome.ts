import type { App } from '../../app.ts'
import { Failure, type FailureKind } from '../../failure.ts'
import { blockingRecords, conflictsIn, type Plan, planSummary, type Step } from '../../plan/plan.ts'
import type { Journal } from '../../runs/journal-writer.ts'
import type { RunOutcome, StepResult } from '../../runs/result.ts'
import { counted, nounFor } from '../../text/words.ts'

/** What is said when somebody stops a command whose writes are being answered. */
export const finishing = (sending: number): string =>
  `finishing ${counted(sending, 'request')}; press Ctrl-C again to quit at once`

/** What was to be executed. */
interface ReportedTask {
  readonly plan: Plan
  isOmitted?(step: Step): boolean
}

/** How many failures are listed one by one. */
const listedFailures = 20

/** Prints the outcome of a run; throws what its exit status and hints come from, unless all was done. */
export async function reportOutcome(
  app: App,
  task: ReportedTask,
  journal: Journal | undefined,
  outcome: RunOutcome,
  { unwritten: lostFiles, fix }: { readonly unwritten: readonly Failure[]; readonly fix: string },
): Promise<void> {
  const { outcomeSummary } = await import('../../runs/result.ts')
  const { plan } = task
  const unprinted = await triedToPrint(() => printOutcome(app, plan, outcome, journal?.run))
  const unwritten = [...lostFiles, ...(unprinted ? [unprinted] : [])]
  const unchecked =
    outcome.unchecked && `could not look for records that others created as well: ${outcome.unchecked.message}`
  if (unchecked) await app.notice(unchecked)
  const line = outcomeSummary(plan, outcome)
  const resume = journal && `calctl runs resume ${journal.run}${journal.to}`
  const undoCommand = journal && `calctl undo ${journal.run}${journal.to}`
  const undo = undoCommand && `undo with: ${undoCommand}`
  const lookAgain = unchecked && resume && `look again with: ${resume}`
  const failures = [...outcome.results.values()].flatMap(({ failure }) => failure ?? [])
  const fault = journal?.fault()
  if (fault && !hasSent(outcome))
    throw new Failure(fault.kind, `${fault.message}; nothing was sent`, {
      hint: `free some space, then resume with: ${resume}`,
    })
  if (fault)
    throw new Failure('partial', `${line}; the journal may lack some of that`, {
      causes: [...failures.slice(0, listedFailures), ...unwritten, fault],
      hint: `free some space, then complete the journal and the run with: ${resume}`,
    })
  if (outcome.interrupted)
    throw new Failure('interrupted', `interrupted: ${line}`, {
      hint: resume ? `resume with: ${resume}` : 'run the command again',
    })
  if (outcome.givenUp)
    throw new Failure(hasFailed(outcome) ? 'partial' : outcome.givenUp.kind, `${outcome.givenUp.message}: ${line}`, {
      ...outcome.givenUp.details,
      causes: [...failures.slice(0, listedFailures), ...unwritten],
      hint: `${outcome.givenUp.details.hint}; then ${resume ? `resume with: ${resume}` : 'run the command again'}`,
    })
  const skipped = blockingRecords(plan).length > 0 && fix
  if (failures.length > 0)
    throw new Failure(kindOf(plan, failures), line, {
      causes: [...failures.slice(0, listedFailures), ...unwritten],
      hint: [lookAgain, skipped, await nextStep(task, outcome, resume, undo)].filter(part => part).join('; '),
    })
  if (blockingRecords(plan).length > 0) throw skippedRecords(line, [fix, undo], unwritten)
  if (lookAgain) throw new Failure('partial', line, { hint: [lookAgain, undo].join('; ') })
  if (conflictsIn(plan).length > 0) throw await conflictsLeft(line, undo, unwritten)
  await app.notice(undoCommand ? `${line}. Undo: ${undoCommand}` : line)
  const [failure] = unwritten
  if (failure) throw failure
}

/** What --jq makes of answers can fail. That must not hide what was written, so the failure is returned. */
export async function triedToPrint(print: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await print()
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return new Failure('partial', `what was written could not be printed: ${error.message}`)
  }
}

const hasSent = ({ results }: RunOutcome): boolean => [...results.values()].some(({ state }) => state !== 'skipped')

/** A step that got no answer is looked for by a resume, as one that was not sent. */
const hasFailed = ({ results }: RunOutcome): boolean =>
  [...results.values()].some(({ state, failure }) => failure !== undefined && state !== 'unknown')

/** The failure of a plan that left alone records that somebody else changed; the other steps were applied. */
const conflictsLeft = async (line: string, undo?: string, unwritten: readonly Failure[] = []): Promise<Failure> =>
  new Failure('conflict', line, {
    hint: [(await import('../../plan/limits.ts')).compareTexts, undo].filter(part => part).join('; '),
    ...(unwritten.length > 0 && { causes: unwritten }),
  })

/** The failure of a run that skipped invalid records. */
const skippedRecords = (line: string, steps: readonly unknown[], unwritten: readonly Failure[] = []): Failure =>
  new Failure('partial', line, {
    hint: steps.filter(part => part).join('; '),
    ...(unwritten.length > 0 && { causes: unwritten }),
  })

/**
 * A retry does not help a step that was refused because its record has changed: it would be refused again. A step with a password
 * cannot be resumed, since the journal does not keep it.
 */
async function nextStep(
  task: ReportedTask,
  { results }: RunOutcome,
  resume: string | undefined,
  undo: string | undefined,
): Promise<string> {
  const isUnfinished = ({ state, failure }: StepResult) => state !== 'done' && failure?.details.isFinal !== true
  const isWorthRetrying = ({ state, failure }: StepResult) =>
    state === 'unknown' || (state === 'failed' ? failure?.kind !== 'conflict' : failure === undefined)
  if (![...results.values()].some(isUnfinished)) return undo ?? 'check the records named above'
  const { journalStep } = await import('../../runs/journal-format.ts')
  let [needPassword, retriable] = [0, 0]
  for (const step of task.plan.steps) {
    const result = results.get(step.key)
    if (!result || !isUnfinished(result) || !isWorthRetrying(result)) continue
    const isOmitted = task.isOmitted?.(step) || journalStep(step).withheld !== undefined
    if (isOmitted && result.state === 'failed') needPassword += 1
    else retriable += 1
  }
  const need = nounFor(needPassword, 'needs a password', 'need passwords')
  const again = `run the command again for ${counted(needPassword, 'step')} that ${need}, which no journal keeps`
  if (retriable === 0 && needPassword > 0) return again
  if (retriable > 0 && !resume) return 'run the command again'
  if (retriable > 0) return [`retry the failed steps with: ${resume}`, ...(needPassword > 0 ? [again] : [])].join('; ')
  return 'run the command again, or see what differs now with: calctl diff'
}

const kindOf = ({ invalid }: Plan, failures: readonly Failure[]): FailureKind =>
  invalid.length === 0 && failures.every(({ kind }) => kind === 'conflict') ? 'conflict' : 'partial'

/** Reports the outcome of a plan without steps, which starts no run. */
export async function reportNoSteps(app: App, plan: Plan, fix: string): Promise<void> {
  const outcome = { results: new Map(), interrupted: false }
  await printOutcome(app, plan, outcome)
  if (plan.invalid.length === 0) return
  const { outcomeSummary } = await import('../../runs/result.ts')
  if (blockingRecords(plan).length > 0) throw skippedRecords(outcomeSummary(plan, outcome), [fix])
  if (conflictsIn(plan).length > 0) throw await conflictsLeft(planSummary(plan))
}

/** Prints the outcome for -o: counts, the IDs that were written in the order of the plan, or a row for each change. */
export async function printOutcome(app: App, plan: Plan, outcome: RunOutcome, run?: string): Promise<void> {
  const { output, globals, world } = app
  if (output === undefined) return
  const { countResults } = await import('../../runs/result.ts')
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
