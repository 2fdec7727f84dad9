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
import { execute, printOutcome, type RunOptions } from '../shared/execute-plan.ts'
import { called } from './show-runs.ts'

/** Does what a run has not done. Nobody else does it meanwhile. */
export async function resume(app: App, name: string | undefined, flags: RunOptions): Promise<void> {
  const folder = runsFolder(app.world)
  const run = findRun(folder, name)
  const lock = lockRun(folder, run)
  try {
    await goOn(app, readJournal(journalPath(folder, run)), flags)
  } finally {
    lock.release()
  }
}

async function goOn(app: App, journal: JournaledRun, flags: RunOptions): Promise<void> {
  const client = await app.writer()
  await checkCalendar(app, journal, client)
  await checkNotUndone(runsFolder(app.world), journal.run)
  await tellDamage(app, journal)
  const { prepareResume } = await import('../../runs/resume.ts')
  const now = () => app.world.now().getTime()
  const upSince = () => Date.now() - uptime() * 1000
  const left = await unlessStopped(
    app,
    journal,
    prepareResume(client, journal, { now, upSince, sleep: app.world.sleep }),
  )
  const total = left.plan.steps.length - left.writtenIds.size
  if (total === 0) {
    await app.notice(`nothing left to do: ${journal.run} is complete`)
    const results = new Map(Array.from(journal.results, ([key, { state, id }]) => [key, { state, ...(id && { id }) }]))
    return printOutcome(app, left.plan, { results, interrupted: false }, journal.run)
  }
  await app.notice(`resuming ${journal.run}: ${total} of ${left.plan.steps.length} steps left`)
  const openJournal = async () => continueJournal(journal, now())
  await execute(app, { client, total, journal: openJournal, ...left }, flags)
}

/** What is looked up changes nothing, so that nobody has to wait for its end. */
function unlessStopped<T>({ world }: App, { run, header }: JournaledRun, work: Promise<T>): Promise<T> {
  const signal = world.stopping()
  const stopped = new Promise<never>((_, reject) => {
    const hint = `continue with: calctl runs resume ${run}${header.to}`
    const stop = () => reject(new Failure('interrupted', 'interrupted', { hint }))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, stopped])
}

/** Takes back what a run did: a plan of its own, shown and confirmed. Nobody goes on with the run, or takes it back, meanwhile. */
export async function undo(app: App, name: string | undefined, options: PlanOptions): Promise<void> {
  const folder = runsFolder(app.world)
  const run = findRun(folder, name)
  // Who only looks keeps nobody from it.
  const lock = options.dryRun ? undefined : lockRun(folder, run)
  try {
    const journal = readJournal(journalPath(folder, run))
    if (!lock && journal.isRunning) throw runInProgress(folder, run)
    await takeBack(app, journal, options)
  } finally {
    lock?.release()
  }
}

async function takeBack(app: App, journal: JournaledRun, options: PlanOptions): Promise<void> {
  const client = await app.client({ toPlan: true })
  await checkCalendar(app, journal, client)
  await tellDamage(app, journal)
  await app.notice(`undoing ${called(app, journal)}`)
  const { undoPlan } = await import('../../undo/undo-plan.ts')
  const { sharedNotices } = await import('../../undo/done-steps.ts')
  // No note of the plan: what is another's is not missing from what was taken back.
  for (const line of sharedNotices(journal)) await app.notice(line)
  const { keepStillReferenced } = await import('../../undo/still-referenced.ts')
  const { shard, ...others } = options
  const whole = await undoPlan(client, journal, app.world.now().toISOString())
  const plan = shard ? (await import('../../plan/shard.ts')).selectShard(whole, shard) : whole
  await applyPlan(app, await keepStillReferenced(client, plan), others, { undoes: journal.run })
}

async function tellDamage(app: App, journal: JournaledRun): Promise<void> {
  const told = damageNotice(journal)
  if (told) await app.notice(told)
}

/** IDs mean something at one site only, and records are found in one language. */
async function checkCalendar({ world }: App, { run, plan }: JournaledRun, client: Client): Promise<void> {
  const { calendar, language } = plan
  const isSame = calendar.id === client.calendar.id
  if (isSame && language === client.language) return
  const place = (label: string, language?: string) => (language ? `${label} in ${language}` : label)
  throw new Failure(
    'conflict',
    `${run} was applied to ${place(calendar.label, language)}, not to ${place(client.calendar.label, client.language)}`,
    {
      hint: isSame
        ? speak(language)
        : `add ${await (await import('./connection-flags.ts')).connectionFlags(world, plan)}`,
    },
  )
}

const speak = (language: string | undefined): string =>
  language ? `add --lang ${language}` : 'leave out --lang and unset CALCTL_LANG'
