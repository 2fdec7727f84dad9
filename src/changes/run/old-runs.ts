import { lstatSync, unlinkSync } from 'node:fs'
import { ignoreErrors } from '../../base/attempt.ts'
import { badSettings, type Failure } from '../../base/failure.ts'
import { reason } from '../../base/io-reasons.ts'
import { isLocked } from '../../base/lock/lock.ts'
import { phrase } from '../../base/words/phrase.ts'
import { createCounter } from '../plan/spool.ts'
import { readHeader, readJournal } from './journal-reader.ts'
import { listRuns, type RunFile, startOfRun } from './runs-folder.ts'
import { hasStepsLeft } from './undo-relations.ts'

/**
 * The runs whose journals were last written before a time, in ms: finished ones, and those with steps left, including journals that cannot
 * be read, and undos of runs that are kept.
 */
export function findOldRuns(folder: string, before: number) {
  const runs = listRuns(folder)
  const old = runs.filter(run => isOlder(run, before) && !isLocked(run.file))
  const finished = new Set(old.filter(isFinished))
  // The earliest first: without its undo, a run that is kept would seem to be in effect.
  for (const run of old.toReversed()) {
    const undoes = readHeader(run.file)?.undoes
    if (runs.some(other => other.run === undoes && !finished.has(other))) finished.delete(run)
  }
  return { finished: [...finished], unfinished: old.filter(run => !finished.has(run)) }
}

/** Whether a journal is older. Another process may remove it at the same moment, and a link may lead nowhere. */
function isOlder(run: RunFile, before: number): boolean {
  const written = lstatSync(run.file, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && written < before && written + setBack(run) < before
}

/** How far the clock had been set back when a run started, in ms: the name of the run is later than that clock. */
function setBack(run: RunFile): number {
  const started = Date.parse(readHeader(run.file)?.started ?? '')
  return Math.max(startOfRun(run) - started, 0) || 0
}

const isFinished = ({ file }: RunFile): boolean =>
  ignoreErrors(() => !hasStepsLeft(readJournal(file, createCounter))) ?? false

/** Removes journals; throws `settings` for the first one that cannot be removed, after the others are gone. */
export function removeRuns(runs: readonly RunFile[]): void {
  const failures = runs.flatMap(({ file }) => problemOfRemoving(file) ?? [])
  if (failures[0]) throw failures[0]
}

function problemOfRemoving(file: string): Failure | undefined {
  try {
    unlinkSync(file)
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return badSettings(
      phrase('cannot remove the journal {file}: {reason}', { file, reason: reason(error as Error) }),
      phrase('check the path, and remove it yourself'),
    )
  }
}
