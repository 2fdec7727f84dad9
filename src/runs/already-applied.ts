import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { linesOf } from '../files/text-streams.ts'
import { makeFolder } from '../fs.ts'
import { type Lock, lockFile } from '../lock/lock.ts'
import type { Plan } from '../plan/plan.ts'
import { type JournalHeader, parseHeader } from './journal-format.ts'
import { type JournaledRun, readJournal } from './journal-reader.ts'
import { folderNotWritable, journalPath, listRuns, runInProgress } from './runs-folder.ts'

/** Starts a run of a saved plan, unless the plan is applied already; several processes take turns. */
export async function startOnce<T>(folder: string, plan: Plan, start: () => Promise<T>): Promise<T> {
  const lock = await lockStart(folder)
  try {
    await checkNotApplied(folder, plan)
    return await start()
  } finally {
    lock.release()
  }
}

/** Refuses a saved plan that a run applied, unless a later run undid all of that: its creates would be done twice. */
export async function checkNotApplied(folder: string, plan: Plan): Promise<void> {
  if (plan.id === undefined) return
  for await (const { run, header, undoneBy } of readHeaders(folder))
    if (isOfPlan(header, plan) && !undoneBy.some(undo => isComplete(readJournal(journalPath(folder, undo)))))
      checkUnsent(folder, run)
}

/** Refuses to resume a run that another run undid: its remaining steps may need records that are gone. */
export async function checkNotUndone(folder: string, run: string): Promise<void> {
  for await (const { run: other, undoneBy } of readHeaders(folder)) {
    const undo = other === run && undoneBy.find(undo => hasBegun(readJournal(journalPath(folder, undo))))
    if (undo)
      throw new Failure('conflict', `run ${run} was undone by run ${undo}`, {
        hint: `run the command again, or undo the undo with: calctl runs undo ${undo}`,
      })
  }
}

/** How long another process may take to start its run, in ms. */
const patience = 20_000

async function lockStart(folder: string): Promise<Lock> {
  const inUse = () =>
    new Failure('conflict', `another process is starting a run (waited ${patience / 1000} s)`, {
      hint: 'try again later',
    })
  try {
    makeFolder(folder, 0o700)
    return await lockFile(join(folder, 'start'), { wait: patience, inUse })
  } catch (error) {
    throw error instanceof Failure ? error : folderNotWritable(folder, error)
  }
}

const isOfPlan = (header: JournalHeader, { id, calendar, part }: Plan): boolean =>
  header.plan.id === id && header.plan.calendar.id === calendar.id && overlap(header.plan.part, part)

/** Whether two shards of a plan have steps in common, other than the creates that they share. */
const overlap = (one: Plan['part'], other: Plan['part']): boolean =>
  !one || !other || one.of !== other.of || one.part === other.part

function checkUnsent(folder: string, run: string): void {
  const journal = readJournal(journalPath(folder, run))
  const { plan, header, isRunning } = journal
  if (isRunning) throw runInProgress(folder, run)
  if (plan.steps.length < header.steps && !hasBegun(journal)) return
  const planAgain = 'make a new plan with: calctl diff --save'
  const isFinished = countDone(journal) >= header.steps
  throw new Failure('conflict', `run ${run} applied this plan already`, {
    hint: isFinished ? planAgain : `finish it with: calctl runs resume ${run}${header.to}; or ${planAgain}`,
  })
}

const hasBegun = ({ attempts, results }: JournaledRun): boolean => attempts.size > 0 || results.size > 0

/** Whether an undo undid all of a run: its notes list what it cannot undo. */
const isComplete = (undo: JournaledRun): boolean =>
  countDone(undo) === undo.header.steps && (undo.header.plan.notes ?? []).length === 0

const countDone = ({ results }: JournaledRun): number =>
  [...results.values()].filter(({ state }) => state === 'done').length

/** The runs in a folder, the latest first, each with the runs that undid it and were not undone themselves. */
async function* readHeaders(
  folder: string,
): AsyncGenerator<{ run: string; header: JournalHeader; undoneBy: string[] }> {
  const undos = new Map<string, string[]>()
  for (const run of listRuns(folder)) {
    const header = await readHeader(journalPath(folder, run))
    if (!header) continue
    const undoneBy = undos.get(run) ?? []
    const { undoes } = header
    if (undoes !== undefined && undoneBy.length === 0) undos.set(undoes, [...(undos.get(undoes) ?? []), run])
    yield { run, header, undoneBy }
  }
}

/** Undefined for a file that is not a journal, or cannot be read: the commands that show the run say so. */
async function readHeader(file: string): Promise<JournalHeader | undefined> {
  try {
    for await (const line of linesOf(createReadStream(file, 'utf8'))) return parseHeader(JSON.parse(line))
  } catch {}
  return undefined
}
