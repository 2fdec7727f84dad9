import { createReadStream } from 'node:fs'
import { Failure } from '../failure.ts'
import { linesOf } from '../files/text.ts'
import type { Header } from './journal.ts'
import { readRun } from './past-run.ts'
import type { Plan } from './plan.ts'
import { journalFile, runsIn } from './runs.ts'

/** Refuses a kept plan that a run carried out which no later run took back: its creates would be done twice. */
export async function checkNotCarriedOut(folder: string, plan: Plan): Promise<void> {
  const undone = new Set<string>()
  // The latest come first: an undo that was undone itself takes nothing back.
  for (const run of plan.id === undefined ? [] : runsIn(folder)) {
    const header = await headerIn(journalFile(folder, run))
    if (!header || undone.has(run)) continue
    if (header.undoes !== undefined) undone.add(header.undoes)
    else if (isOfPlan(header, plan)) checkUnsent(folder, run)
  }
}

const isOfPlan = (header: Header, { id, origin, part }: Plan): boolean =>
  header.plan.id === id && header.plan.origin === origin && overlap(header.plan.part, part)

/** Whether two parts of a plan have steps in common beside those that every part makes once. */
const overlap = (one: Plan['part'], other: Plan['part']): boolean =>
  !one || !other || one.of !== other.of || one.part === other.part

function checkUnsent(folder: string, run: string): void {
  const { plan, header, sent, past } = readRun(journalFile(folder, run))
  if (plan.steps.length < header.steps && sent.size === 0 && past.size === 0) return
  const done = [...past.values()].filter(({ state }) => state === 'done').length
  const anew = 'plan anew with: calctl diff'
  throw new Failure('conflict', `this plan was carried out by run ${run}`, {
    hint: done < header.steps ? `do what is left with: calctl runs resume ${run}${header.to}; or ${anew}` : anew,
  })
}

/** The first line of a journal; undefined where it is none. */
async function headerIn(file: string): Promise<Header | undefined> {
  try {
    for await (const line of linesOf(createReadStream(file, 'utf8'))) return JSON.parse(line)
  } catch {
    // What cannot be read is told by the commands that are about it.
  }
  return undefined
}
