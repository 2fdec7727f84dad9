import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { Failure, type FailureKind } from '../../failure.ts'
import type { Globals } from '../../globals.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Journal } from '../../runs/journal-writer.ts'
import type { RunOutcome, StepResult } from '../../runs/result.ts'
import { checkErrors, tellErrors } from './error-sheet.ts'
import { wholeNumber } from './options.ts'

/** How fast a plan is carried out, when that is to stop, and where is written what came of it. */
export interface RunFlags {
  readonly jobs?: number
  readonly rate?: string
  readonly stopAfter?: number
  readonly keepGoing?: true
  readonly report?: string
  readonly errors?: string
}

/** Adds how fast a plan is carried out, when that is to stop, and where is written what came of it. */
export const runFlags = (command: Command): Command =>
  command
    .option('--jobs <number>', 'how many writes at once (4)', wholeNumber('--jobs', 1))
    .option('--rate <rate>', 'how many writes in a time: 5/s, 100/m')
    .option('--stop-after <number>', 'send nothing more after so many failures', wholeNumber('--stop-after', 1))
    .option('--keep-going', 'send the rest whatever fails, as by default')
    .option('--report <file>', 'write what became of each step, as NDJSON')
    .option(
      '--errors <file>',
      'write what was not done, as CSV that can be applied again; of several kinds, as file-events.csv and so on',
    )

/** A plan that is about to be carried out, or gone on with. */
export interface Task {
  readonly client: Client
  readonly plan: Plan
  /** How many steps there are to do. */
  readonly total: number
  /** Opens the journal; there is none for the demo, which is gone when the command ends. */
  journal(): Promise<Journal | undefined>
  readonly writtenIds?: ReadonlyMap<string, number>
  readonly knownResults?: ReadonlyMap<string, StepResult>
}

/** Starts the journal of a plan. */
export async function started(app: App, plan: Plan, undoes?: string): Promise<Journal | undefined> {
  if (app.globals.demo) return undefined
  const { startJournal } = await import('../../runs/journal-writer.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  return startJournal(runsFolder(app.world), plan, {
    started: app.world.now().toISOString(),
    to: whereTo(app.globals),
    command: app.command,
    ...(undoes && { undoes }),
  })
}

/** The options that lead to where a plan is carried out, for commands that are suggested later. */
function whereTo({ profile, baseUrl, namespace, lang }: Globals): string {
  const options = { profile, 'base-url': baseUrl, namespace, lang }
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : ` --${name} ${value}`))
    .join('')
}

/** Carries out a task, shows how far it is, says what came of it; throws where something failed, or it was stopped. */
export async function execute(app: App, task: Task, flags: RunFlags): Promise<void> {
  const { world, globals } = app
  const { client, plan, total, writtenIds: written, knownResults: settled } = task
  const { executePlan } = await import('../../runs/execute.ts')
  const { createProgress } = await import('../../terminal/progress.ts')
  const { openReport } = await import('../../runs/report.ts')
  const now = () => world.now().getTime()
  checkErrors(app, flags)
  const report = flags.report ? openReport(resolve(world.cwd, flags.report)) : undefined
  // Programs read what stands there.
  const isHeard = !globals.quiet && app.output !== 'json'
  const progress = isHeard ? createProgress(world.stderr, total, now) : undefined
  const within = await limits(flags, { now, sleep: world.sleep })
  const journal = await task.journal()
  try {
    const outcome = await executePlan(plan, {
      client,
      journal,
      writtenIds: written,
      knownResults: settled,
      ...within,
      now,
      sleep: world.sleep,
      signal: world.stopping(),
      async onResult(step, result) {
        report?.add(step, result)
        await progress?.step()
      },
    }).finally(() => progress?.end())
    await tellErrors(app, plan, flags, outcome.results)
    await tell(app, plan, journal, outcome, report?.end())
  } finally {
    await journal?.close()
  }
}

async function limits({ jobs, rate, stopAfter }: RunFlags, clock: { now(): number; sleep(ms: number): Promise<void> }) {
  const { createRateLimiter, parseRate } = await import('../../runs/rate-limit.ts')
  return {
    jobs,
    stopAfter,
    ...(rate !== undefined && { pace: createRateLimiter(parseRate(rate), clock) }),
  }
}

/** How many failures are told one by one. */
const told = 20

async function tell(
  app: App,
  plan: Plan,
  journal: Journal | undefined,
  outcome: RunOutcome,
  unreported: Failure | undefined,
): Promise<void> {
  const { outcomeSummary } = await import('../../runs/result.ts')
  await printOutcome(app, plan, outcome, journal?.run)
  const sum = outcomeSummary(plan, outcome)
  const resume = journal && `calctl runs resume ${journal.run}${journal.to}`
  const goOn = resume ? `go on with: ${resume}` : 'start again'
  if (outcome.interrupted) throw new Failure('interrupted', `stopped: ${sum}`, { hint: goOn })
  const failures = [...outcome.results.values()].flatMap(({ failure }) => failure ?? [])
  const takeBack = journal && `take it back with: calctl runs undo ${journal.run}${journal.to}`
  if (failures.length > 0)
    throw new Failure(kindOf(plan, failures), sum, {
      causes: [...failures.slice(0, told), ...(unreported ? [unreported] : [])],
      hint: nextStep(outcome, `try again what failed: ${resume ?? 'start again'}`, takeBack),
    })
  if (plan.invalid.length > 0) throw leftOut(sum, takeBack, unreported)
  await app.notice([sum, takeBack].filter(part => part).join('; '))
  if (unreported) throw unreported
}

/** Of records that cannot be done, where the others are. */
const leftOut = (sum: string, takeBack?: string, unreported?: Failure): Failure =>
  new Failure('partial', sum, {
    hint: ['mend what was left out and do it again', takeBack].filter(part => part).join('; '),
    ...(unreported && { causes: [unreported] }),
  })

/** What was refused because the records have moved is refused again, however often it is sent. */
function nextStep({ results }: RunOutcome, again: string, takeBack: string | undefined): string {
  const left = [...results.values()].filter(({ state }) => state !== 'done')
  const canPass = ({ state, failure }: StepResult) =>
    state === 'unknown' || (state === 'failed' ? failure?.kind !== 'conflict' : failure === undefined)
  if (left.some(canPass)) return again
  if (left.length > 0) return 'plan anew: run the command on what is there now, or see with calctl diff what differs'
  return takeBack ?? 'look at the records that are named'
}

const kindOf = ({ invalid }: Plan, failures: readonly Failure[]): FailureKind =>
  invalid.length === 0 && failures.every(({ kind }) => kind === 'conflict') ? 'conflict' : 'partial'

/** Says what came of a plan without steps, which is no run. */
export async function tellNothing(app: App, plan: Plan): Promise<void> {
  const outcome = { results: new Map(), interrupted: false }
  await printOutcome(app, plan, outcome)
  if (plan.invalid.length === 0) return
  const { outcomeSummary } = await import('../../runs/result.ts')
  throw leftOut(outcomeSummary(plan, outcome))
}

/** For programs: how many steps ended in which way, the IDs that were written in the order of the plan, or a row for each change. */
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
