import { resolve } from 'node:path'
import { Failure } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import {
  blockingRecords,
  type CreateStep,
  conflictsIn,
  type Plan,
  type Step,
  withBlockingRecords,
} from '../../../changes/plan/plan.ts'
import type { Journal } from '../../../changes/run/journal-writer.ts'
import type { StepResult } from '../../../changes/run/result.ts'
import type { Client } from '../../../client/client.ts'
import type { App } from '../../app.ts'
import type { Sink } from '../../world.ts'
import { checkOutputFiles, fixInFiles, noSheets, reportErrorSheet, writeErrorSheet } from './output-forms.ts'
import type { PlanOptions, RunOptions } from './plan-options.ts'
import { finishing, reportNoSteps, reportOutcome } from './report-outcome.ts'
import { startRunJournal } from './start-journal.ts'

/**
 * Shared by commands: what several of them do in the same way. `*-options.ts` declare and read options, `refs.ts` and `input.ts` read what
 * the command line names, `plan-from-*.ts` build a plan from it, and this file shows the plan, has it confirmed and executes it. Input:
 * arguments and options. Output: values, plans, and their outcome on stdout and stderr.
 */

/** What matters about the origin of a plan when it is applied. */
export interface PlanOrigin {
  /** A saved plan is refused if a run has applied it already. */
  readonly isSaved?: boolean
  /** The run that the plan undoes. It removes only records that the run created, so the default of --max-trash does not apply. */
  readonly undoes?: string
  /** Whether the user has confirmed it as one of several plans. */
  readonly isConfirmed?: boolean
}

interface ApplyOptions extends PlanOptions {
  readonly allowInvalid?: true
}

/** Shows a plan, asks for confirmation, and applies it. */
export async function applyPlan(app: App, built: Plan, options: ApplyOptions, origin: PlanOrigin = {}): Promise<void> {
  const whole = await withPasswordNote(app, await withHiddenLinksNote(app, built))
  const { isSaved = false, undoes } = origin
  const isConfirmed = origin.isConfirmed === true || app.globals.yes === true
  const selected = await shardOf(whole, options)
  const isBlocked = blockingRecords(selected).length > 0 && !options.skipInvalid
  const plan = withSkipped(selected, options)
  if (isSaved) await checkNotApplied(app, plan)
  await checkOutputFiles(app, plan, options)
  // The limit counts the removals of all shards.
  const limited = undoes && options.maxTrash === undefined ? undefined : whole
  if (options.dryRun) return showDryRun(app, plan, options, limited)
  const { reportInvalid } = await import('./plan-output.ts')
  const { summaryLines } = await import('../../../changes/plan/describe.ts')
  await reportInvalid(app, plan)
  if (!isConfirmed && !isBlocked && app.canAsk && plan.steps.length > 0) await showFirst(app, plan)
  for (const line of summaryLines(plan)) await app.notice(line)
  if (isBlocked) throw await invalidRecords(app, plan, options)
  if (plan.steps.length === 0) return finishWithoutSteps(app, plan, options)
  const { checkRemovals } = await import('../../../changes/plan/making/removals.ts')
  if (limited) checkRemovals(limited, options.maxTrash)
  const client = await app.writer({ confirmed: 'later' })
  const confirmed = isConfirmed ? plan : await confirmPlan(app, client, plan, undoes)
  await app.confirmProfile()
  const start = () => startRunJournal(app, confirmed, { undoes, wait: options.wait })
  const journal = () => (isSaved && !app.globals.demo ? startOnlyOnce(app, confirmed, start) : start())
  const readAt = isSaved ? undefined : Date.parse(plan.made)
  await execute(app, { client, plan: confirmed, journal, readAt, total: confirmed.steps.length }, options)
}

async function shardOf(plan: Plan, { shard }: PlanOptions): Promise<Plan> {
  return shard ? (await import('../../../changes/plan/shard.ts')).selectShard(plan, shard) : plan
}

/** The plan, in which skipped records count, so that the exit status shows them even if they stop nothing else. */
const withSkipped = (plan: Plan, { dryRun, allowInvalid, skipInvalid }: ApplyOptions): Plan =>
  dryRun || (allowInvalid && !skipInvalid) ? plan : withBlockingRecords(plan)

async function finishWithoutSteps(app: App, plan: Plan, options: PlanOptions): Promise<void> {
  const sheets = await reportErrorSheet(app, plan, options)
  if (options.report)
    (await import('../../../changes/run/result.ts')).openReport(resolve(app.world.cwd, options.report)).end()
  await reportNoSteps(app, plan, await fixInFiles(app, sheets, options))
}

/** Adds a note about what an undo could not give back to hidden events. */
async function withHiddenLinksNote(app: App, plan: Plan): Promise<Plan> {
  const { hiddenLinksNote } = await import('../../../changes/plan/making/notes.ts')
  const note = await hiddenLinksNote(await app.client({ toPlan: true }), plan.steps)
  return note === undefined ? plan : { ...plan, notes: [...(plan.notes ?? []), note] }
}

/** Adds a note about events that lose their passwords, and marks their steps for the journal. */
export async function withPasswordNote(app: App, plan: Plan): Promise<Plan> {
  const { withDroppedPasswords } = await import('../../../changes/undo/hidden-texts.ts')
  const { steps, note } = await withDroppedPasswords(await app.client({ toPlan: true }), plan.steps)
  // A saved plan may have the note already.
  return { ...plan, steps, ...(note !== undefined && { notes: [...new Set([...(plan.notes ?? []), note])] }) }
}

async function showDryRun(app: App, plan: Plan, options: PlanOptions, limited: Plan | undefined): Promise<void> {
  const { showPlan } = await import('./plan-output.ts')
  const { checkConflicts, removalExcess } = await import('../../../changes/plan/making/removals.ts')
  await showPlan(app, plan)
  const excess = limited && removalExcess(limited, options.maxTrash)
  if (excess)
    await app.notice(
      phrase('{problem}: it needs --max-trash {count}', { problem: excess.message, count: excess.needed }),
    )
  if (plan.invalid.length === 0) return
  if (blockingRecords(plan).length > 0 && !options.skipInvalid) throw await invalidRecords(app, plan, options)
  await reportErrorSheet(app, plan, options)
  checkConflicts(plan)
}

async function checkNotApplied({ world }: App, plan: Plan): Promise<void> {
  const { checkNotApplied } = await import('../../../changes/run/already-applied.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  checkNotApplied(runsFolder(world), plan)
}

/** Another process may have started the same plan in the meantime. */
async function startOnlyOnce<T>({ world }: App, plan: Plan, start: () => Promise<T>): Promise<T> {
  const { startOnce } = await import('../../../changes/run/already-applied.ts')
  const { runsFolder } = await import('../../profiles/user-folders.ts')
  return startOnce(runsFolder(world), plan, start)
}

async function invalidRecords(app: App, plan: Plan, options: PlanOptions): Promise<Failure> {
  const sheets = await writeErrorSheet(app, plan, options)
  const count = plan.invalid.length - conflictsIn(plan).length
  const areInvalid = phrase('{count, plural, one {# record is} other {# records are}} invalid', { count })
  return new Failure(
    'usage',
    options.dryRun ? areInvalid : phrase('{problem}; nothing was sent', { problem: areInvalid }),
    {
      hint:
        sheets.files.length > 0
          ? phrase('add --skip-invalid to apply the others; {fix}', { fix: await fixInFiles(app, sheets, options) })
          : phrase(
              'fix {count, plural, one {it} other {them}}, or add --skip-invalid --errors FILE to apply the others and get {count, plural, one {it} other {these}} in a file',
              { count },
            ),
    },
  )
}

async function showFirst(app: App, plan: Plan): Promise<void> {
  const { showFirstSteps } = await import('./plan-output.ts')
  await showFirstSteps(app, await app.client({ toPlan: true }), plan)
}

async function confirmPlan(app: App, client: Client, plan: Plan, undoes: string | undefined): Promise<Plan> {
  const { askAboutPlan } = await import('./plan-output.ts')
  return askAboutPlan(app, client, plan, undoes)
}

/** A plan to execute, from its beginning or from where a run stopped. */
export interface Task {
  readonly client: Client
  readonly plan: Plan
  /** How many steps remain. */
  readonly total: number
  /** Opens the journal; the demo has none, because it is gone when the command ends. */
  journal(): Promise<Journal | undefined>
  readonly writtenIds?: ReadonlyMap<string, number>
  readonly knownResults?: ReadonlyMap<string, StepResult>
  /** When the records of the plan were read, in ms. */
  readonly readAt?: number | undefined
  wasSent?(step: Step): boolean
  doneByOthers?(step: Step): boolean
  isBeingTakenBack?(step: Step): boolean
  /** Whether the journal lacks a part of a step of an earlier session. */
  isOmitted?(step: Step): boolean
}

/** Executes a plan, shows progress and reports the outcome; throws if something failed or the run was interrupted. */
export async function execute(app: App, task: Task, options: RunOptions): Promise<void> {
  const { world, globals } = app
  const { plan, total } = task
  const { executePlan } = await import('../../../changes/run/execute.ts')
  const { openReport } = await import('../../../changes/run/result.ts')
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
    // The records may have changed while this run waited for another one.
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
  await reportOutcome(app, task, { outcome, journal, unwritten, fix })
}

/** Remembers which record a copy translates: a site that makes its own slugs does not show it. */
async function rememberCopy({ client, plan }: Task, step: CreateStep, { id }: StepResult) {
  const { copyOf, language = plan.language, resource } = step
  if (!copyOf || id === undefined || !language) return
  await client.pairings?.remember(resource, { [copyOf.language]: copyOf.id, [language]: id })
}

async function setMemory({ client, plan, writtenIds }: Task) {
  if (plan.steps.length < 2 || !client.pairings) return undefined
  const { createSetMemory } = await import('../../../care/translations/written-sets.ts')
  return createSetMemory(client, plan, writtenIds)
}

async function speedLimits(
  { jobs, rate, stopAfter }: RunOptions,
  clock: { now(): number; sleep(ms: number): Promise<void> },
) {
  const { createRateLimiter, parseRate } = await import('../../../changes/run/execute.ts')
  return {
    jobs,
    stopAfter,
    rateLimiter: rate === undefined ? undefined : createRateLimiter(parseRate(rate), clock),
  }
}

/** In ms: while it updates plugins, a site asks for 10 minutes. */
const defaultMaxWait = 600_000

/** The failure to write a file; the results of the run are shown anyway. */
function failureIn(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** Shows the progress of a run. */
export interface Progress {
  /** Counts a step that was sent, and whether it failed. */
  step(failed?: boolean): Promise<void>
  /** Prints a sentence above the line. */
  say(sentence: string): Promise<void>
  end(): Promise<void>
}

/** The shortest time between two updates of the line on a terminal, in ms. */
const updateInterval = 100

/** The same for lines in a file or pipe. A shorter run prints none. */
const lineInterval = 10_000

const eraseLine = '\r\u001b[K'

/** Creates the progress display: on a terminal one line that is updated, elsewhere a line every ten seconds. */
export function createProgress(sink: Sink, total: number, now: () => number): Progress {
  const started = now()
  let sent = 0
  let failed = 0
  let updated = sink.isTTY ? 0 : started
  const line = () => {
    const seconds = (now() - started) / 1000
    const rate = seconds > 0 ? sent / seconds : 0
    const done = sent - failed
    return [
      phrase('{done} of {total} done ({percent} %)', { done, total, percent: Math.floor((done / total) * 100) }),
      failed > 0 && phrase('{count} failed', { count: failed }),
      rate > 0 && `${rounded(rate)}/s`,
      rate > 0 && phrase('{time} left', { time: durationText((total - sent) / rate) }),
    ]
      .filter(part => part)
      .join(', ')
  }
  return {
    async step(hasFailed = false) {
      sent += 1
      if (hasFailed) failed += 1
      const isDue = now() - updated >= (sink.isTTY ? updateInterval : lineInterval)
      if (!isDue && !(sink.isTTY && sent === total)) return
      updated = now()
      await sink.write(sink.isTTY ? `${eraseLine}${line()}` : `${line()}\n`, 'painted')
    },
    async say(sentence) {
      const current = sink.isTTY && sent > 0 ? line() : ''
      await sink.write(`${sink.isTTY ? eraseLine : ''}${sentence}\n${current}`, 'painted')
    },
    async end() {
      if (sink.isTTY && sent > 0) await sink.write(eraseLine, 'painted')
    },
  }
}

const rounded = (rate: number): string => (rate < 10 ? rate.toFixed(1) : String(Math.round(rate)))

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
}
