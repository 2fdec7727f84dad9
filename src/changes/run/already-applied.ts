import { join } from 'node:path'
import { conflict, Failure } from '../../base/failure.ts'
import { makeFolder } from '../../base/fs.ts'
import { type Lock, lockFile } from '../../base/lock/lock.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Plan } from '../plan/plan.ts'
import type { JournalHeader } from './journal-format.ts'
import { type JournaledRun, readJournal } from './journal-reader.ts'
import { folderNotWritable, runInProgress } from './runs-folder.ts'
import { countDone, hasStepsLeft, type RelatedRun, readRelatedRuns } from './undo-relations.ts'

/** Starts a run of a saved plan, unless the plan has already been applied; several processes take turns. */
export async function startOnce<T>(folder: string, plan: Plan, start: () => Promise<T>): Promise<T> {
  const lock = await lockStart(folder)
  try {
    checkNotApplied(folder, plan)
    return await start()
  } finally {
    lock.release()
  }
}

/** Refuses a saved plan that a run has applied, because its creates would be done twice, unless a later run has undone all of it. */
export function checkNotApplied(folder: string, plan: Plan): void {
  for (const { file } of runsOfPlan(folder, plan)) checkUnsent(file)
}

/** The runs that have applied a saved plan, without those that a later run has undone as a whole. */
export const runsOfPlan = (folder: string, plan: Plan): RelatedRun[] =>
  plan.id === undefined
    ? []
    : Array.from(readRelatedRuns(folder)).filter(
        ({ header, undoneBy }) => isOfPlan(header, plan) && !undoneBy.some(undo => isComplete(readJournal(undo.file))),
      )

/** Refuses to resume a run that another run has undone: its remaining steps may need records that are gone. */
export function checkNotUndone(folder: string, run: string): void {
  for (const { run: other, undoneBy } of readRelatedRuns(folder)) {
    const undo = other === run ? undoneBy[0]?.run : undefined
    if (undo)
      throw conflict(
        phrase('run {run} was undone by run {undo}', { run, undo }),
        phrase('run the command again, or redo it with: {command}', { command: `calctl redo ${run}` }),
      )
  }
}

/** How long another process may take to start its run, in ms. */
const patience = 20_000

async function lockStart(folder: string): Promise<Lock> {
  const inUse = () =>
    conflict(
      phrase('another process is starting a run (waited {count} s)', { count: patience / 1000 }),
      phrase('try again later'),
    )
  try {
    makeFolder(folder, 0o700)
    return await lockFile(join(folder, 'start'), { wait: patience, inUse })
  } catch (error) {
    throw error instanceof Failure ? error : folderNotWritable(folder, error)
  }
}

const isOfPlan = (header: JournalHeader, { id, calendar }: Plan): boolean =>
  header.plan.id === id && header.plan.calendar.id === calendar.id

function checkUnsent(file: string): void {
  const journal = readJournal(file)
  const { run, plan, header, isRunning } = journal
  if (isRunning) throw runInProgress(journal)
  if (plan.steps.length < header.steps && !hasBegun(journal)) return
  throw conflict(
    phrase('run {run} already applied this plan', { run }),
    hasStepsLeft(journal)
      ? phrase('finish it with: {command}; or make a new plan with: calctl diff FILE --save plan.json', {
          command: `calctl runs resume ${run}${header.to}`,
        })
      : phrase('make a new plan with: calctl diff FILE --save plan.json'),
  )
}

const hasBegun = ({ attempts, results }: JournaledRun): boolean => attempts.size > 0 || results.size > 0

/** Whether an undo has undone all of a run: its notes list what it could not undo. */
const isComplete = (undo: JournaledRun): boolean =>
  countDone(undo) === undo.header.steps && (undo.header.plan.notes ?? []).length === 0
