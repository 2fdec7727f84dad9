import { badSettings } from '../../base/failure.ts'
import { isLocked } from '../../base/lock/lock.ts'
import { phrase } from '../../base/words/phrase.ts'
import { createCounter } from '../plan/spool.ts'
import { isOnlyIfNew } from '../plan/steps.ts'
import type { JournalHeader } from './journal-format.ts'
import { isWhole, type JournaledRun, readHeader, readJournal, stoppedInPlan } from './journal-reader.ts'
import { listRuns, type RunFile } from './runs-folder.ts'

/** A run with its header, and the runs that undid it. */
export interface RelatedRun extends RunFile {
  readonly header: JournalHeader
  /** The runs that undid it or a part of it, and are in effect; the latest first. */
  readonly undoneBy: readonly RunFile[]
  /** Whether a later run undid it or a part of it, even if that was undone since. */
  readonly wasUndone: boolean
}

/** The runs in a folder, the latest first, so that every undo comes before the run that it undid. */
export function* readRelatedRuns(folder: string): Generator<RelatedRun> {
  const undos = new Map<string, RunFile[]>()
  const undone = new Set<string>()
  for (const run of listRuns(folder)) {
    const header = readHeader(run.file)
    if (!header) continue
    const undoneBy = undos.get(run.run) ?? []
    undos.delete(run.run)
    const { undoes } = header
    const wasUndone = undone.has(run.run)
    if (undoes !== undefined && (wasUndone || hasWritten(readJournal(run.file)))) {
      undone.add(undoes)
      if (undoneBy.length === 0) undos.set(undoes, [...(undos.get(undoes) ?? []), run])
    }
    yield { ...run, header, undoneBy, wasUndone }
  }
}

/**
 * Whether a run wrote something, as far as is known: an undo that could not reach its site undid nothing. A run that had nothing to do is
 * complete.
 */
export const hasWritten = (run: JournaledRun): boolean =>
  run.header.steps === 0 ||
  !isWhole(run) ||
  run.attempts.size > 0 ||
  [...run.results.values()].some(({ state, isPartDone }) => state !== 'failed' || isPartDone)

/** How many steps of a run are done, without those whose record was still to be taken back. */
export const countDone = ({ results }: Pick<JournaledRun, 'results'>): number =>
  [...results.values()].filter(({ state, isBeingTakenBack }) => state === 'done' && !isBeingTakenBack).length

/** Whether a run has steps left that can be resumed. A step that needs a password cannot: no journal keeps passwords. */
export function hasStepsLeft(run: Pick<JournaledRun, 'header' | 'results' | 'omittedFields'>): boolean {
  const isLost = (key: string) => run.results.get(key)?.state === 'failed'
  return countDone(run) + [...run.omittedFields.keys()].filter(isLost).length < run.header.steps
}

/** Whether a run stopped after its creates, before they were compared with those of others. */
export function isUncompared({ hasEnded, file }: JournaledRun): boolean {
  if (hasEnded) return false
  // It may have been read without its steps.
  const { plan } = readJournal(file)
  return [...plan.steps].some(isOnlyIfNew)
}

/**
 * The latest run in effect that has steps left, or has not compared its creates with those of others. What an earlier undo of a run left is
 * for the later undo. A run that stopped before anything was sent is skipped if there is a later one.
 */
export function latestUnfinished(folder: string): RunFile | undefined {
  const undone = new Set<string>()
  let latest: string | undefined
  for (const run of readRelatedRuns(folder)) {
    latest ??= run.run
    const { undoes } = run.header
    const isLeftBehind = undoes !== undefined && undone.has(undoes)
    // It wrote something, or nobody could have undone it.
    if (run.wasUndone && undoes !== undefined) undone.add(undoes)
    if (run.undoneBy.length > 0 || isLeftBehind) continue
    const journal = readJournal(run.file, createCounter)
    if (undoes !== undefined && (journal.isRunning || hasWritten(journal))) undone.add(undoes)
    if (!journal.isRunning && hasNothingToResume(journal, run.run === latest)) continue
    checkReadable(folder, 'resume', run)
    return run
  }
  return undefined
}

const hasNothingToResume = (journal: JournaledRun, isLatest: boolean): boolean =>
  (!isLatest && stoppedInPlan(journal)) || (!hasStepsLeft(journal) && !isUncompared(journal))

/** Throws if the journal of a later run than the chosen one cannot be read, because that run may be meant. */
export function checkReadable(folder: string, command: string, chosen?: RunFile): void {
  for (const { run, file, order } of listRuns(folder)) {
    if (chosen && order <= chosen.order) return
    if (readHeader(file) || isLocked(file)) continue
    throw badSettings(
      phrase('the journal of the latest run, {run}, cannot be read: {file}', { run, file }),
      phrase(
        'name the run to {direction, select, undo {undo} redo {redo} other {resume}}: {command}; see calctl runs list',
        { direction: command, command: `calctl ${command} RUN` },
      ),
    )
  }
}
