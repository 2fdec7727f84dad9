import { conflict, type Failure, missing, refused } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { findRun } from '../run/find-run.ts'
import { type JournaledRun, readHeader, readJournal } from '../run/journal-reader.ts'
import { listRuns, type RunFile, runInProgress } from '../run/runs-folder.ts'
import { checkReadable, hasStepsLeft, hasWritten, type RelatedRun, readRelatedRuns } from '../run/undo-relations.ts'

/**
 * Undo and redo walk through runs like the undo of an editor: `undo` takes the latest run in effect, `redo` takes back the latest undo. The
 * undo of an undo is in effect like the run that it brought back.
 */
export type Direction = 'undo' | 'redo'

/** Which runs an undo or redo takes if none are named. */
interface LatestRuns {
  readonly calendarId: string
  readonly direction: Direction
  readonly count: number
  /** A run that this process has locked. */
  readonly locked?: string
}

/**
 * The latest runs of a calendar that an undo or redo takes if none are named, the latest first. Several runs that were undone or redone
 * together count as one. Throws `missing` if there are fewer.
 */
export function latestRuns(folder: string, { calendarId, direction, count, locked }: LatestRuns): RunFile[] {
  const found: RunFile[] = []
  /** For each run that was undone or redone, whether its latest state is taken. */
  const taken = new Map<string, boolean>()
  let total = 0
  /** The first runs of groups that are taken but not complete yet. */
  const ahead = new Set<string>()
  /** Whether a run belongs to a group that is taken, or begins the next one. */
  const concerns = (original: string) => taken.get(original) ?? total < count
  const consider = (run: RelatedRun) => {
    const chain = chainOf(folder, run)
    const original = chain.at(-1) ?? run.run
    const journal = concerns(original) ? readJournal(run.file) : undefined
    if (!journal || (!journal.isRunning && !hasWritten(journal))) return
    const isTaken = takesBack(chain) === (direction === 'redo')
    if (!taken.has(original)) {
      checkFinished(journal, chain, direction)
      taken.set(original, isTaken)
      total += Number(isTaken)
    }
    if (!isTaken) return
    if (journal.isRunning && run.run !== locked) throw runInProgress(journal)
    found.push(run)
    ahead.add(original)
  }
  for (const run of readRelatedRuns(folder)) {
    if (total === count && ahead.size === 0) break
    if (run.header.plan.calendar.id === calendarId && !run.wasUndone) consider(run)
    ahead.delete(run.run)
  }
  checkReadable(folder, direction, total === count ? found.at(-1) : undefined)
  if (total === count) return found
  throw nothingLeft(direction, total)
}

const nothingLeft = (direction: Direction, found: number): Failure =>
  found === 0
    ? missing(
        phrase('nothing to {direction, select, undo {undo} other {redo}} in this calendar', { direction }),
        phrase('see the runs of this calendar with: calctl history; of all calendars with: calctl runs list'),
      )
    : missing(
        phrase(
          'there {count, plural, one {is only # run} other {are only # runs}} to {direction, select, undo {undo} other {redo}} in this calendar',
          { count: found, direction },
        ),
        phrase('see them with: calctl history'),
      )

/** The run itself, the run that it undid, the run that that one undid, and so on. */
function chainOf(folder: string, { run, header }: Pick<RelatedRun, 'run' | 'header'>): string[] {
  const chain = [run]
  const files = header.undoes === undefined ? [] : listRuns(folder)
  // A damaged journal may say that a run undid itself, or a later one.
  for (let undoes = header.undoes; undoes !== undefined && !chain.includes(undoes); ) {
    chain.push(undoes)
    const earlier = files.find(({ run }) => run === undoes)
    undoes = earlier && readHeader(earlier.file)?.undoes
  }
  return chain
}

/** Whether a run takes back what an earlier one did, so that its own undo repeats that one. */
export const isUndo = (folder: string, run: Pick<RelatedRun, 'run' | 'header'>): boolean =>
  takesBack(chainOf(folder, run))

/** Whether the first run of a chain takes something back: an undo does, the undo of an undo does not. */
const takesBack = (chain: readonly string[]): boolean => chain.length % 2 === 0

/** Throws if an undo or redo is not finished: if it was skipped, an older run would be taken instead of the rest of that one. */
function checkFinished(journal: JournaledRun, chain: readonly string[], direction: Direction): void {
  if (directionOf(chain) === direction && hasStepsLeft(journal)) throw notFinished(journal, chain, direction)
}

/** Whether a run undid or redid the run at the end of its chain; undefined for that run itself. */
function directionOf(chain: readonly string[]): Direction | undefined {
  if (chain.length === 1) return undefined
  return takesBack(chain) ? 'undo' : 'redo'
}

/** The failure for a run that is not finished. `otherwise` says what can be done with another run instead, if none was named. */
function notFinished(journal: JournaledRun, chain: readonly string[], otherwise?: Direction): Failure {
  const { run, header, isRunning } = journal
  if (isRunning) return runInProgress(journal)
  const message = phrase('the {direction, select, undo {undo} other {redo}} of run {run} is not finished', {
    direction: directionOf(chain) ?? '',
    run: chain.at(-1) ?? run,
  })
  const command = `calctl runs resume ${run}${header.to}`
  return conflict(
    message,
    otherwise === undefined
      ? phrase('finish it with: {command}', { command })
      : phrase('finish it with: {command}; or name the run to {direction, select, undo {undo} other {redo}}: {other}', {
          command,
          direction: otherwise,
          other: `calctl ${otherwise} RUN`,
        }),
  )
}

/** Whether a run stopped before its end: no step failed, and some are left. */
const isInterrupted = (journal: JournaledRun): boolean =>
  hasStepsLeft(journal) && [...journal.results.values()].every(({ state }) => state !== 'failed')

/**
 * The runs to undo so that a named run is taken back or brought back, the latest first. If a run was undone and redone, its redo is in
 * effect, and records may have other IDs since. Undefined for a redo of a run that is in effect.
 */
export function runsToUndo(folder: string, name: string, direction: Direction): RunFile[] | undefined {
  const named = findRun(folder, name)
  const runs: RunFile[] = []
  let unfinished: Failure | undefined
  for (const { run, chain, journal } of runsThatUndid(folder, named)) {
    const isPart = run.run !== named.run && directionOf(chain) === direction
    if (isPart && isInterrupted(journal)) throw notFinished(journal, chain)
    if (isPart && hasStepsLeft(journal)) unfinished ??= notFinished(journal, chain)
    if (takesBack(chain) === (direction === 'redo')) runs.push(run)
  }
  if (runs.length > 0) return runs
  // An undo of the run itself would do the rest; for a redo there is nothing else to take back.
  if (direction === 'redo' && unfinished) throw unfinished
  return direction === 'undo' ? [named] : undefined
}

/** The runs in effect that are this run, or undid it or one of its undos; the latest first. */
function* runsThatUndid(folder: string, named: RunFile) {
  for (const run of readRelatedRuns(folder)) {
    const chain = run.wasUndone ? [] : chainOf(folder, run)
    if (!chain.includes(named.run)) continue
    const journal = readJournal(run.file)
    if (hasWritten(journal)) yield { run, chain, journal }
  }
}

/** The failure for the redo of a run that is in effect. */
export function notUndone(folder: string, name: string): Failure {
  const { run } = findRun(folder, name)
  return refused(
    phrase('run {run} has not been undone', { run }),
    phrase('undo it with: {command}', { command: `calctl undo ${run}` }),
  )
}
