/**
 * The commands `runs`: this file resumes and undoes runs, `show-runs.ts` lists, prints and removes their journals, and
 * `connection-flags.ts` finds the options that connect to a run's calendar. Input: the name of a run, by default of the last one.
 * Output: a result for each remaining step, or the undo, which is a run of its own. The work is done in `src/runs` and `src/undo`.
 */
import { uptime } from 'node:os'
import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { Failure } from '../../failure.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { checkNotUndone } from '../../runs/already-applied.ts'
import { damageNotice, type JournaledRun, readJournal } from '../../runs/journal-reader.ts'
import { continueJournal } from '../../runs/journal-writer.ts'
import { findRun, journalPath, lockRun, runInProgress } from '../../runs/runs-folder.ts'
import { applyPlan, type PlanOptions } from '../shared/apply-plan.ts'
import { execute, printOutcome, type RunOptions, takeTurnOf } from '../shared/execute-plan.ts'
import { describeRun } from './show-runs.ts'

/** Executes the remaining steps of a run, which is locked meanwhile. */
export async function resumeRun(app: App, name: string | undefined, options: RunOptions): Promise<void> {
  const folder = runsFolder(app.world)
  const run = findRun(folder, name)
  const lock = lockRun(folder, run)
  try {
    await executeRest(app, readJournal(journalPath(folder, run)), options)
  } finally {
    lock.release()
  }
}

async function executeRest(app: App, journal: JournaledRun, options: RunOptions): Promise<void> {
  const client = await app.writer()
  await checkCalendar(app, journal, client)
  await checkNotUndone(runsFolder(app.world), journal.run)
  await noticeDamage(app, journal)
  const { prepareResume } = await import('../../runs/resume.ts')
  const now = () => app.world.now().getTime()
  const upSince = () => Date.now() - uptime() * 1000
  const remaining = await untilInterrupted(
    app,
    journal,
    prepareResume(client, journal, { now, upSince, sleep: app.world.sleep }),
  )
  const total = remaining.plan.steps.length - remaining.writtenIds.size
  if (total === 0) {
    await app.notice(`nothing left to do: run ${journal.run} is complete`)
    const results = new Map(Array.from(journal.results, ([key, { state, id }]) => [key, { state, ...(id && { id }) }]))
    return printOutcome(app, remaining.plan, { results, interrupted: false }, journal.run)
  }
  await app.notice(`resuming run ${journal.run}: ${total} of ${remaining.plan.steps.length} steps left`)
  const openJournal = () => takeTurnOf(app, journal.plan, () => continueJournal(journal, now()))
  await execute(app, { client, total, journal: openJournal, ...remaining }, options)
}

/** Preparing to resume only reads, so an interrupt need not wait for it to end. */
function untilInterrupted<T>({ world }: App, { run, header }: JournaledRun, work: Promise<T>): Promise<T> {
  const signal = world.stopping()
  const stopped = new Promise<never>((_, reject) => {
    const hint = `resume with: calctl runs resume ${run}${header.to}`
    const stop = () => reject(new Failure('interrupted', 'interrupted', { hint }))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, stopped])
}

/** Undoes a run with a plan of its own, which is shown and confirmed. The run is locked meanwhile. */
export async function undoRun(app: App, name: string | undefined, options: PlanOptions): Promise<void> {
  const folder = runsFolder(app.world)
  const run = findRun(folder, name)
  // A dry run locks nothing.
  const lock = options.dryRun ? undefined : lockRun(folder, run)
  try {
    const journal = readJournal(journalPath(folder, run))
    if (!lock && journal.isRunning) throw runInProgress(folder, run)
    await applyUndo(app, journal, options)
  } finally {
    lock?.release()
  }
}

async function applyUndo(app: App, journal: JournaledRun, options: PlanOptions): Promise<void> {
  const client = await app.client({ toPlan: true })
  await checkCalendar(app, journal, client)
  await noticeDamage(app, journal)
  await app.notice(`undoing run ${describeRun(app, journal)}`)
  const { undoPlan } = await import('../../undo/undo-plan.ts')
  const { sharedNotices } = await import('../../undo/done-steps.ts')
  // These are not notes of the plan: an undo that keeps records of another shard is complete.
  for (const line of sharedNotices(journal)) await app.notice(line)
  const { keepStillReferenced } = await import('../../undo/still-referenced.ts')
  const { shard, ...others } = options
  const whole = await undoPlan(client, journal, app.world.now().toISOString())
  const plan = shard ? (await import('../../plan/shard.ts')).selectShard(whole, shard) : whole
  await applyPlan(app, await keepStillReferenced(client, plan), others, { undoes: journal.run })
}

async function noticeDamage(app: App, journal: JournaledRun): Promise<void> {
  const warning = damageNotice(journal)
  if (warning) await app.notice(warning)
}

/** IDs are valid in one calendar only, and records are found in one language only. */
async function checkCalendar({ world }: App, { run, plan }: JournaledRun, client: Client): Promise<void> {
  const { calendar, language } = plan
  const isSame = calendar.id === client.calendar.id
  if (isSame && language === client.language) return
  const describe = (label: string, language?: string) => (language ? `${label} in ${language}` : label)
  throw new Failure(
    'conflict',
    `run ${run} was applied to ${describe(calendar.label, language)}, not to ${describe(client.calendar.label, client.language)}`,
    {
      hint: isSame
        ? languageHint(language)
        : `add ${await (await import('./connection-flags.ts')).connectionFlags(world, plan)}`,
    },
  )
}

const languageHint = (language: string | undefined): string =>
  language ? `add --lang ${language}` : 'leave out --lang and unset CALCTL_LANG'
