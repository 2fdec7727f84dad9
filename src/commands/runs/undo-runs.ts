import type { App } from '../../app.ts'
import type { Client } from '../../client/client.ts'
import { excluding } from '../../failure.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { type JournaledRun, readJournal } from '../../runs/journal-reader.ts'
import { lockRun, type RunFile, runInProgress } from '../../runs/runs-folder.ts'
import { type Direction, latestRuns, runToUndo } from '../../undo/latest-runs.ts'
import { applyPlan, type PlanOptions } from '../shared/apply-plan.ts'
import { confirm } from '../shared/confirmation.ts'
import { checkCalendar, noticeDamage } from './run-calendar.ts'
import { describeRun } from './show-runs.ts'

export interface UndoOptions extends PlanOptions {
  /** How many of the latest runs. */
  readonly last?: number
}

/** Undoes or redoes runs, by default the latest one of the calendar. Several are taken back one after another, the latest first. */
export async function undoRuns(
  app: App,
  direction: Direction,
  names: readonly string[],
  { last, ...options }: UndoOptions,
): Promise<void> {
  if (last !== undefined && names.length > 0) throw excluding('--last', 'names of runs')
  const folder = runsFolder(app.world)
  const client = await app.client({ toPlan: true })
  const runs =
    names.length > 0
      ? namedRuns(folder, direction, names)
      : latestRuns(folder, client.calendar.id, direction, last ?? 1)
  const [run] = runs
  if (runs.length === 1 && run) return undoRun(app, client, direction, run, options)
  for (const { file } of runs) await checkCalendar(app, readJournal(file), client)
  if (!options.dryRun && !app.globals.yes) await confirmAll(app, direction, runs, client)
  // Each plan is made once the later runs are undone: until then their changes would be kept as somebody else's.
  for (const run of runs) await undoRun(app, client, direction, run, options, { isConfirmed: true })
}

/** The latest first: an earlier run is in effect only once the later ones are undone. */
function namedRuns(folder: string, direction: Direction, names: readonly string[]): RunFile[] {
  const runs = names.map(name => runToUndo(folder, name, direction))
  const unique = new Map(runs.map(run => [run.run, run]))
  return [...unique.values()].toSorted((one, other) => (one.order < other.order ? 1 : -1))
}

async function confirmAll(
  app: App,
  direction: Direction,
  runs: readonly RunFile[],
  { calendar }: Client,
): Promise<void> {
  for (const { file } of runs) await app.notice(describeRun(app, readJournal(file)))
  await confirm(app, {
    question: `${direction === 'undo' ? 'Undo' : 'Redo'} these ${runs.length} runs at ${calendar.label}, the latest first?`,
    declined: 'nothing was changed',
    hint: 'add --yes, or review the plans with --dry-run',
  })
}

/** Undoes a run with a plan of its own, which is shown and confirmed. The run is locked meanwhile. */
async function undoRun(
  app: App,
  client: Client,
  direction: Direction,
  run: RunFile,
  options: PlanOptions,
  { isConfirmed = false } = {},
): Promise<void> {
  // A dry run locks nothing.
  const lock = options.dryRun ? undefined : lockRun(run)
  try {
    const journal = readJournal(run.file)
    if (!lock && journal.isRunning) throw runInProgress(run)
    await checkCalendar(app, journal, client)
    await noticeDamage(app, journal)
    const redone = direction === 'redo' ? journal.header.undoes : undefined
    await app.notice(`${redone ? `redoing run ${redone}: ` : ''}undoing run ${describeRun(app, journal)}`)
    await applyUndo(app, client, journal, options, isConfirmed)
  } finally {
    lock?.release()
  }
}

async function applyUndo(
  app: App,
  client: Client,
  journal: JournaledRun,
  options: PlanOptions,
  isConfirmed: boolean,
): Promise<void> {
  const { undoPlan } = await import('../../undo/undo-plan.ts')
  const { sharedNotices } = await import('../../undo/done-steps.ts')
  // These are not notes of the plan: an undo that keeps records of another shard is complete.
  for (const line of sharedNotices(journal)) await app.notice(line)
  const { keepStillReferenced } = await import('../../undo/still-referenced.ts')
  const { shard, ...others } = options
  const whole = await undoPlan(client, journal, app.world.now().toISOString())
  const plan = shard ? (await import('../../plan/shard.ts')).selectShard(whole, shard) : whole
  await applyPlan(app, await keepStillReferenced(client, plan), others, { undoes: journal.run, isConfirmed })
}
