import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { linesOf } from '../files/text-streams.ts'
import { makeFolder } from '../fs.ts'
import { type Claim, claimFile } from '../lock/lock.ts'
import type { Plan } from '../plan/plan.ts'
import { goingOn, journalFile, runsIn, unwritable } from './folder.ts'
import { asHeader, type PastRun, readRun } from './journal-reader.ts'
import type { Header } from './journal-writer.ts'

/** Starts a run of a kept plan, unless there was one; of several processes that are about to, one after another. */
export async function startOnce<T>(folder: string, plan: Plan, start: () => Promise<T>): Promise<T> {
  const claim = await claimStart(folder)
  try {
    await checkNotCarriedOut(folder, plan)
    return await start()
  } finally {
    claim.release()
  }
}

/** Refuses a kept plan that a run carried out which no later run took back whole: its creates would be done twice. */
export async function checkNotCarriedOut(folder: string, plan: Plan): Promise<void> {
  if (plan.id === undefined) return
  for await (const { run, header, undoneBy } of headersIn(folder))
    if (isOfPlan(header, plan) && !undoneBy.some(undo => isWhole(readRun(journalFile(folder, undo)))))
      checkUnsent(folder, run)
}

/** Refuses to go on with a run that another one took back: what is left may need what is gone. */
export async function checkNotUndone(folder: string, run: string): Promise<void> {
  for await (const { run: other, undoneBy } of headersIn(folder)) {
    const undo = other === run && undoneBy.find(undo => isBegun(readRun(journalFile(folder, undo))))
    if (undo)
      throw new Failure('conflict', `${run} was taken back by run ${undo}`, {
        hint: `run the command anew, or bring back what that took with: calctl runs undo ${undo}`,
      })
  }
}

/** How long another process may take to begin, in ms. */
const patience = 20_000

async function claimStart(folder: string): Promise<Claim> {
  const inUse = () =>
    new Failure(
      'conflict',
      `another process is about to carry out a plan, and has not begun for ${patience / 1000} s`,
      {
        hint: 'try again when it has begun',
      },
    )
  try {
    makeFolder(folder, 0o700)
    return await claimFile(join(folder, 'start'), { wait: patience, inUse })
  } catch (error) {
    throw error instanceof Failure ? error : unwritable(folder, error)
  }
}

const isOfPlan = (header: Header, { id, calendar, part }: Plan): boolean =>
  header.plan.id === id && header.plan.calendar.id === calendar.id && overlap(header.plan.part, part)

/** Whether two parts of a plan have steps in common beside those that every part makes once. */
const overlap = (one: Plan['part'], other: Plan['part']): boolean =>
  !one || !other || one.of !== other.of || one.part === other.part

function checkUnsent(folder: string, run: string): void {
  const past = readRun(journalFile(folder, run))
  const { plan, header, isGoingOn } = past
  if (isGoingOn) throw goingOn(run)
  if (plan.steps.length < header.steps && !isBegun(past)) return
  const anew = 'plan anew with: calctl diff'
  throw new Failure('conflict', `this plan was carried out by run ${run}`, {
    hint:
      doneIn(past) < header.steps ? `do what is left with: calctl runs resume ${run}${header.to}; or ${anew}` : anew,
  })
}

const isBegun = ({ sent, past }: PastRun): boolean => sent.size > 0 || past.size > 0

/** Whether an undo left nothing as it was: its notes are what it cannot take back. */
const isWhole = (undo: PastRun): boolean =>
  doneIn(undo) === undo.header.steps && (undo.header.plan.notes ?? []).length === 0

const doneIn = ({ past }: PastRun): number => [...past.values()].filter(({ state }) => state === 'done').length

/** The runs in a folder, the latest first, each with those that took it back and were not taken back themselves. */
async function* headersIn(folder: string): AsyncGenerator<{ run: string; header: Header; undoneBy: string[] }> {
  const undos = new Map<string, string[]>()
  for (const run of runsIn(folder)) {
    const header = await headerIn(journalFile(folder, run))
    if (!header) continue
    const undoneBy = undos.get(run) ?? []
    const { undoes } = header
    if (undoes !== undefined && undoneBy.length === 0) undos.set(undoes, [...(undos.get(undoes) ?? []), run])
    yield { run, header, undoneBy }
  }
}

/** The first line of a journal; undefined where it is none. */
async function headerIn(file: string): Promise<Header | undefined> {
  try {
    for await (const line of linesOf(createReadStream(file, 'utf8'))) {
      return asHeader(JSON.parse(line))
    }
  } catch {
    // What cannot be read is told by the commands that are about it.
  }
  return undefined
}
