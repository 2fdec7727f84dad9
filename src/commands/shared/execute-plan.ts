import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { Failure, type FailureKind } from '../../failure.ts'
import type { Globals } from '../../globals.ts'
import { blockingRecords, type Plan, type Step } from '../../plan/plan.ts'
import type { Journal } from '../../runs/journal-writer.ts'
import type { KeptRows } from '../../runs/kept-rows.ts'
import type { RunOutcome, StepResult } from '../../runs/result.ts'
import { shellWord } from '../../text/shell-word.ts'
import { counted, nounFor } from '../../text/words.ts'
import { durationOption, wholeNumber } from './option-parsers.ts'
import { checkOutputFiles, reportErrorSheet } from './output-files.ts'

/** The options of a run: how fast it writes, when it stops, and where its results go. */
export interface RunOptions {
  readonly jobs?: number
  readonly rate?: string
  readonly stopAfter?: number
  /** In ms. */
  readonly maxWait?: number
  readonly keepGoing?: true
  readonly report?: string
  readonly errors?: string
  readonly kept?: KeptRows | undefined
}

export const runOptions = (command: Command): Command =>
  command
    .option('--jobs <number>', 'Number of parallel writes (default: 4)', wholeNumber('--jobs', 1))
    .option('--rate <rate>', 'Maximum rate of writes, for example 5/s or 100/m')
    .option('--stop-after <number>', 'Stop after this many failures', wholeNumber('--stop-after', 1))
    .option(
      '--max-wait <duration>',
      'Wait so long at most while the site refuses everything: maintenance, a captcha, too many requests (default: 10m)',
      durationOption('--max-wait', '5m'),
    )
    .option('--keep-going', 'Continue after failures (default)')
    .option('--report <file>', 'Write the result of each step to this file as NDJSON')
    .option(
      '--errors <file>',
      'Write records that were not applied to this file, to fix and apply again; rows of a sheet as they came, with the columns row and reason',
    )

/** A plan to execute, from its beginning or from where a run stopped. */
export interface Task {
  readonly client: Client
  readonly plan: Plan
  /** How many steps remain. */
  readonly total: number
  /** Opens the journal; there is none for the demo, which is gone when the command ends. */
  journal(): Promise<Journal | undefined>
  readonly writtenIds?: ReadonlyMap<string, number>
  readonly knownResults?: ReadonlyMap<string, StepResult>
  /** When the records of the plan were read, in ms. */
  readonly readAt?: number | undefined
  wasSent?(step: Step): boolean
  isOthers?(step: Step): boolean
  isBeingTakenBack?(step: Step): boolean
  /** Whether a step of an earlier session is not whole in the journal. */
  isOmitted?(step: Step): boolean
}

/** Starts the journal of a plan once no other run writes to its calendar; the demo has none. */
export async function startRunJournal(app: App, plan: Plan, undoes?: string): Promise<Journal | undefined> {
  const open = await journalOpener(app, plan, undoes)
  return open && takeTurnOf(app, plan, open)
}

/** The same for single records, which are written between the steps of other runs. */
export async function startSingleJournal(app: App, plan: Plan): Promise<Journal | undefined> {
  const open = await journalOpener(app, plan)
  return open?.()
}

async function journalOpener(app: App, plan: Plan, undoes?: string): Promise<(() => Journal) | undefined> {
  if (app.globals.demo) return undefined
  const { startJournal } = await import('../../runs/journal-writer.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  const folder = runsFolder(app.world)
  return () =>
    startJournal(folder, plan, {
      started: app.world.now().toISOString(),
      to: connectionOptions(app.globals),
      command: app.command,
      ...(undoes && { undoes }),
    })
}

/** Opens a journal once no other run of this machine writes to the calendar of a plan. */
export async function takeTurnOf({ world, command }: App, plan: Plan, open: () => Journal): Promise<Journal> {
  const { takeTurn } = await import('../../runs/target-lock.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  const options = { command, now: world.now(), signal: () => world.stopping(), sleep: world.sleep }
  return takeTurn(runsFolder(world), plan, options, open)
}

/** The options that connect to the calendar, for the commands that hints suggest. */
function connectionOptions({ profile, baseUrl, namespace, lang }: Globals): string {
  const options = { profile, 'base-url': baseUrl, namespace, lang }
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : ` --${name} ${shellWord(value)}`))
    .join('')
}

/** Executes a plan, shows progress and reports the outcome; throws if something failed or the run was interrupted. */
export async function execute(app: App, task: Task, options: RunOptions): Promise<void> {
  const { world, globals } = app
  const { plan, total } = task
  const { executePlan } = await import('../../runs/execute.ts')
  const { createProgress } = await import('../../terminal/progress.ts')
  const { openReport } = await import('../../runs/report.ts')
  const now = () => world.now().getTime()
  await checkOutputFiles(app, plan, options)
  const report = options.report ? openReport(resolve(world.cwd, options.report)) : undefined
  // With -o json, a program may parse stderr.
  const showsProgress = !globals.quiet && app.output !== 'json'
  const progress = showsProgress ? createProgress(world.stderr, total, now) : undefined
  const speed = await speedLimits(options, { now, sleep: world.sleep })
  const journal = await task.journal()
  await app.waitForSite(options.maxWait ?? defaultMaxWait)
  const outcome = await executePlan(plan, {
    ...task,
    // What the plan was made from may have changed while this run waited for another.
    ...(journal?.hasWaited && { readAt: undefined }),
    journal,
    ...speed,
    now,
    sleep: world.sleep,
    signal: world.stopping(),
    async onResult(step, result) {
      report?.add(step, result)
      await progress?.step()
    },
    onTakenBack: (step, result) => report?.add(step, result),
  }).finally(async () => {
    await journal?.close()
    progress?.end()
  })
  const sheetFailure = await reportErrorSheet(app, plan, options, outcome.results).then(
    () => undefined,
    error => failureIn(error),
  )
  const unwritten = [sheetFailure, report?.end()].filter(failure => failure !== undefined)
  await reportOutcome(app, task, journal, outcome, unwritten)
}

async function speedLimits(
  { jobs, rate, stopAfter }: RunOptions,
  clock: { now(): number; sleep(ms: number): Promise<void> },
) {
  const { createRateLimiter, parseRate } = await import('../../runs/rate-limit.ts')
  return {
    jobs,
    stopAfter,
    rateLimiter: rate === undefined ? undefined : createRateLimiter(parseRate(rate), clock),
  }
}

/** In ms: WordPress asks for 10 minutes while it updates plugins. */
const defaultMaxWait = 600_000

/** How many failures are listed one by one. */
const listedFailures = 20

async function reportOutcome(
  app: App,
  task: Task,
  journal: Journal | undefined,
  outcome: RunOutcome,
  unwritten: readonly Failure[],
): Promise<void> {
  const { outcomeSummary } = await import('../../runs/result.ts')
  const { plan } = task
  await printOutcome(app, plan, outcome, journal?.run)
  const unchecked =
    outcome.unchecked && `could not look for records that others created as well: ${outcome.unchecked.message}`
  if (unchecked) await app.notice(unchecked)
  const line = outcomeSummary(plan, outcome)
  const resume = journal && `calctl runs resume ${journal.run}${journal.to}`
  const undo = journal && `undo with: calctl undo ${journal.run}${journal.to}`
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
      hint: `free some space, then look up what it lacks, and do the rest, with: ${resume}`,
    })
  if (outcome.interrupted)
    throw new Failure('interrupted', `interrupted: ${line}`, {
      hint: resume ? `resume with: ${resume}` : 'run the command again',
    })
  if (outcome.givenUp)
    throw new Failure(failures.length > 0 ? 'partial' : outcome.givenUp.kind, `${outcome.givenUp.message}: ${line}`, {
      ...outcome.givenUp.details,
      causes: [...failures.slice(0, listedFailures), ...unwritten],
      hint: `${outcome.givenUp.details.hint}; then ${resume ? `resume with: ${resume}` : 'run the command again'}`,
    })
  if (failures.length > 0)
    throw new Failure(kindOf(plan, failures), line, {
      causes: [...failures.slice(0, listedFailures), ...unwritten],
      hint: [lookAgain, await nextStep(task, outcome, resume, undo)].filter(part => part).join('; '),
    })
  if (blockingRecords(plan).length > 0) throw skippedRecords(line, undo, unwritten)
  if (lookAgain) throw new Failure('partial', line, { hint: [lookAgain, undo].join('; ') })
  await app.notice([line, undo].filter(part => part).join('; '))
  const [failure] = unwritten
  if (failure) throw failure
}

const hasSent = ({ results }: RunOutcome): boolean => [...results.values()].some(({ state }) => state !== 'skipped')

/** A file that cannot be written keeps nobody from seeing what the run did. */
function failureIn(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** The failure of a run that skipped invalid records. */
const skippedRecords = (line: string, undo?: string, unwritten: readonly Failure[] = []): Failure =>
  new Failure('partial', line, {
    hint: ['fix the skipped records and run the command again', undo].filter(part => part).join('; '),
    ...(unwritten.length > 0 && { causes: unwritten }),
  })

/**
 * A retry does not help a step that was refused because its record has changed: it would be refused again. A step with a password
 * cannot be resumed, since the journal does not keep it.
 */
async function nextStep(
  task: Task,
  { results }: RunOutcome,
  resume: string | undefined,
  undo: string | undefined,
): Promise<string> {
  const isUnfinished = ({ state }: StepResult) => state !== 'done'
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
export async function reportNoSteps(app: App, plan: Plan): Promise<void> {
  const outcome = { results: new Map(), interrupted: false }
  await printOutcome(app, plan, outcome)
  if (blockingRecords(plan).length === 0) return
  const { outcomeSummary } = await import('../../runs/result.ts')
  throw skippedRecords(outcomeSummary(plan, outcome))
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
