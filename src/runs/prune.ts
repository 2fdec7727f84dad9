import { rmSync, statSync } from 'node:fs'
import { isLocked } from '../lock/lock.ts'
import { createCounter } from '../plan/spool.ts'
import { readJournal } from './journal-reader.ts'
import { listRuns, type RunFile } from './runs-folder.ts'
import { countDone } from './undo-relations.ts'

/** The runs whose journals were last written before a time, in ms: those that are finished, and those with steps left. */
export interface OldRuns {
  readonly finished: readonly RunFile[]
  /** Also journals that cannot be read. */
  readonly unfinished: readonly RunFile[]
}

export function findOldRuns(folder: string, before: number): OldRuns {
  const old = listRuns(folder).filter(({ file }) => statSync(file).mtimeMs < before && !isLocked(file))
  const finished = old.filter(isFinished)
  return { finished, unfinished: old.filter(run => !finished.includes(run)) }
}

function isFinished({ file }: RunFile): boolean {
  try {
    const journal = readJournal(file, createCounter)
    return countDone(journal) >= journal.header.steps
  } catch {
    return false
  }
}

export function removeRuns(runs: readonly RunFile[]): void {
  for (const { file } of runs) rmSync(file, { force: true })
}

/** How long the journals of finished runs are kept, in ms. */
const keepingTime = 90 * 86_400_000

/** Removes the journals of runs that finished long ago. Whatever keeps it from that is no reason to stop a write. */
export function pruneRuns(folder: string, now: number): void {
  try {
    removeRuns(findOldRuns(folder, now - keepingTime).finished)
  } catch {}
}
