import { rmSync, statSync } from 'node:fs'
import { isLocked } from '../lock/lock.ts'
import { createCounter } from '../plan/spool.ts'
import { readHeader, readJournal } from './journal-reader.ts'
import { listRuns, type RunFile } from './runs-folder.ts'
import { countDone } from './undo-relations.ts'

/** The runs whose journals were last written before a time, in ms: those that are finished, and those with steps left. */
export interface OldRuns {
  readonly finished: readonly RunFile[]
  /** Also journals that cannot be read, and undos of runs that are kept. */
  readonly unfinished: readonly RunFile[]
}

export function findOldRuns(folder: string, before: number): OldRuns {
  const runs = listRuns(folder)
  const old = runs.filter(({ file }) => isOlder(file, before) && !isLocked(file))
  const finished = new Set(old.filter(isFinished))
  // The earliest first: without its undo, a run that is kept would seem to be in effect.
  for (const run of old.toReversed()) {
    const undoes = readHeader(run.file)?.undoes
    if (runs.some(other => other.run === undoes && !finished.has(other))) finished.delete(run)
  }
  return { finished: [...finished], unfinished: old.filter(run => !finished.has(run)) }
}

/** Another process may remove it at the same moment. */
const isOlder = (file: string, before: number): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? before) < before

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
