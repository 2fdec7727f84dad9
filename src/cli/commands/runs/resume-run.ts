/**
 * The commands on runs: this file resumes one, `undo-runs.ts` undoes and redoes them, `show-runs.ts` lists and shows them,
 * `prune-runs.ts` removes old journals, `run-calendar.ts` checks that a run belongs to the calendar, and `connection-flags.ts`
 * finds the options that connect to it. Input: names of runs, by default the latest. The work is done in `src/runs` and `src/undo`.
 */

import { Failure } from '../../../base/failure.ts'
import { currentOwner } from '../../../base/lock/owner.ts'
import { checkNotUndone } from '../../../changes/run/already-applied.ts'
import { type JournaledRun, readJournal } from '../../../changes/run/journal-reader.ts'
import { continueJournal, upTime } from '../../../changes/run/journal-writer.ts'
import type { ResumeClock } from '../../../changes/run/resume.ts'
import { findRun, listRuns, lockRun } from '../../../changes/run/runs-folder.ts'
import { countDone, isUncompared, latestUnfinished } from '../../../changes/run/undo-relations.ts'
import type { Client } from '../../../client/client.ts'
import type { App } from '../../app.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { execute } from '../shared/apply-plan.ts'
import type { RunOptions } from '../shared/plan-options.ts'
import { printOutcome } from '../shared/report-outcome.ts'
import { takeTurnOf } from '../shared/start-journal.ts'
import { checkCalendar, noticeDamage } from './run-calendar.ts'

/** Executes the remaining steps of a run, which is locked meanwhile. */
export async function resumeRun(app: App, name: string | undefined, options: RunOptions): Promise<void> {
  const folder = runsFolder(app.world)
  const run = (name === undefined ? latestUnfinished(folder) : undefined) ?? findRun(folder, name)
  const lock = lockRun(run)
  try {
    await executeRest(app, readJournal(run.file), options)
  } finally {
    lock.release()
  }
}

async function executeRest(app: App, journal: JournaledRun, options: RunOptions): Promise<void> {
  await app.useLanguage(journal.plan.language)
  const client = await app.writer()
  await checkCalendar(app, journal, client)
  checkNotUndone(runsFolder(app.world), journal.run)
  await noticeDamage(app, journal)
  const { prepareResume } = await import('../../../changes/run/resume.ts')
  const now = () => app.world.now().getTime()
  const resume = `resume with: calctl runs resume ${journal.run}${journal.header.to}`
  const remaining = await untilInterrupted(app, resume, prepareResume(client, journal, resumeClock(app)))
  const total = remaining.plan.steps.length - countDone(journal)
  if (total === 0 && !isUncompared(journal)) {
    await app.notice(`nothing left to do: run ${journal.run} is complete`)
    const results = new Map(Array.from(journal.results, ([key, { state, id }]) => [key, { state, ...(id && { id }) }]))
    await printOutcome(app, remaining.plan, { results, interrupted: false }, journal.run)
    return checkDecided(app, journal, client)
  }
  const rest = total === 0 ? 'looking for records that others created as well' : undefined
  await app.notice(`resuming run ${journal.run}: ${rest ?? `${total} of ${remaining.plan.steps.length} steps left`}`)
  const openJournal = () => takeTurnOf(app, journal.plan, () => continueJournal(journal, now()))
  await execute(app, { client, total, journal: openJournal, ...remaining }, options)
  await checkDecided(app, journal, client)
}

/** Like `undo` itself, the rest of an undo ends with a conflict for as long as it is unknown what the run had created. */
async function checkDecided(app: App, { header, plan }: JournaledRun, client: Client): Promise<void> {
  const undone = listRuns(runsFolder(app.world)).find(({ run }) => run === header.undoes)
  if (!undone) return
  const { undecidedStepsFailure, undecidedSteps, withUnansweredSteps } = await import(
    '../../../changes/run/unanswered-steps.ts'
  )
  const { undoKey } = await import('../../../changes/undo/undo-step.ts')
  const run = await withUnansweredSteps(client, readJournal(undone.file), resumeClock(app))
  // What the undo has taken back is no longer there to be looked up.
  const taken = new Set(Array.from(plan.steps, ({ key }) => key))
  const undecided = undecidedSteps(run).filter(step => !taken.has(undoKey(step)))
  if (undecided.length > 0) throw undecidedStepsFailure(client, run, plan, undecided)
}

export const resumeClock = ({ world }: App): ResumeClock => ({
  now: () => world.now().getTime(),
  upSince: () => Date.now() - upTime(),
  up: upTime,
  boot: currentOwner().boot,
  sleep: world.sleep,
})

/** An interrupt need not wait for the end of work that only reads. */
export function untilInterrupted<T>({ world }: App, hint: string, work: Promise<T>): Promise<T> {
  const signal = world.stopping()
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Failure('interrupted', 'interrupted', { hint }))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
