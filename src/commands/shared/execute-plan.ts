import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { Failure } from '../../failure.ts'
import type { CreateStep, Plan, Step } from '../../plan/plan.ts'
import type { Journal } from '../../runs/journal-writer.ts'
import type { KeptRows } from '../../runs/kept-rows.ts'
import type { StepResult } from '../../runs/result.ts'
import { durationOption, wholeNumber } from './option-parsers.ts'
import { checkOutputFiles, fixInFiles, noSheets, reportErrorSheet } from './output-files.ts'
import { finishing, reportOutcome } from './report-outcome.ts'

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
    .optionsGroup('Run:')
    .option('--jobs <number>', 'Number of parallel writes (default: 4; local calendar: 32)', wholeNumber('--jobs', 1))
    .option('--rate <rate>', 'Maximum rate of writes, for example 5/s or 100/m')
    .option('--stop-after <number>', 'Stop after this many failures', wholeNumber('--stop-after', 1))
    .option(
      '--max-wait <duration>',
      'Wait at most this long while the site refuses everything: maintenance, a captcha, too many requests, no connection (default: 10m)',
      durationOption('--max-wait', '5m'),
    )
    .option('--keep-going', 'Continue after failures (default)')
    .option('--report <file>', 'Write the result of each step to this file as NDJSON')
    .option(
      '--errors <file>',
      'Write records that were not applied to this file, to fix and apply again; rows of a sheet are unchanged, with the columns row and reason added',
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

/** Executes a plan, shows progress and reports the outcome; throws if something failed or the run was interrupted. */
export async function execute(app: App, task: Task, options: RunOptions): Promise<void> {
  const { world, globals } = app
  const { plan, total } = task
  const { executePlan } = await import('../../runs/execute.ts')
  const { createProgress } = await import('../../terminal/progress.ts')
  const { openReport } = await import('../../runs/result.ts')
  const now = () => world.now().getTime()
  await checkOutputFiles(app, plan, options)
  const report = options.report ? openReport(resolve(world.cwd, options.report)) : undefined
  // With -o json, a program may parse stderr.
  const showsProgress = !globals.quiet && app.output !== 'json'
  const progress = showsProgress ? createProgress(world.stderr, total, now) : undefined
  const speed = await speedLimits(options, { now, sleep: world.sleep })
  const journal = await task.journal()
  app.waitForSite(options.maxWait ?? defaultMaxWait)
  const rememberInSet = await setMemory(task)
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
      if (step.action === 'create') await rememberCopy(task, step, result)
      if (result.id !== undefined) await rememberInSet?.(step, result.id)
      if (result.state !== 'skipped') await progress?.step(result.state !== 'done')
    },
    async onStop(sending) {
      if (sending > 0) await progress?.say(finishing(sending))
    },
    async onCompared(step, result) {
      report?.add(step, result)
      if (result.id !== undefined) await rememberInSet?.(step, result.id)
    },
  }).finally(async () => {
    await journal?.close()
    progress?.end()
  })
  const sheets = await reportErrorSheet(app, plan, options, outcome.results).catch(error => failureIn(error))
  const sheetFailure = sheets instanceof Failure ? sheets : undefined
  const unwritten = [sheetFailure, report?.end()].filter(failure => failure !== undefined)
  const fix = await fixInFiles(app, sheets instanceof Failure ? noSheets : sheets, options)
  await reportOutcome(app, task, journal, outcome, { unwritten, fix })
}

/** A site that makes slugs of its own does not show which record a copy belongs to. */
async function rememberCopy({ client, plan }: Task, step: CreateStep, { id }: StepResult) {
  const { copyOf, language = plan.language, resource } = step
  if (!copyOf || id === undefined || !language) return
  await client.pairings?.remember(resource, { [copyOf.language]: copyOf.id, [language]: id })
}

async function setMemory({ client, plan, writtenIds }: Task) {
  if (plan.steps.length < 2 || !client.pairings) return undefined
  const { createSetMemory } = await import('../../translations/written-sets.ts')
  return createSetMemory(client, plan, writtenIds)
}

async function speedLimits(
  { jobs, rate, stopAfter }: RunOptions,
  clock: { now(): number; sleep(ms: number): Promise<void> },
) {
  const { createRateLimiter, parseRate } = await import('../../runs/execute.ts')
  return {
    jobs,
    stopAfter,
    rateLimiter: rate === undefined ? undefined : createRateLimiter(parseRate(rate), clock),
  }
}

/** In ms: WordPress asks for 10 minutes while it updates plugins. */
const defaultMaxWait = 600_000

/** If the file cannot be written, the results of the run are still shown. */
function failureIn(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}
