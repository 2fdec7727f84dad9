import { Failure } from '../failure.ts'
import { type JournaledRun, readHeader, readJournal } from '../runs/journal-reader.ts'
import { findRun, listRuns, type RunFile, runInProgress } from '../runs/runs-folder.ts'
import { checkReadable, countDone, hasWritten, type RelatedRun, readRelatedRuns } from '../runs/undo-relations.ts'
import { counted, nounFor } from '../text/words.ts'

/**
 * Undo and redo walk through runs like the undo of an editor: `undo` takes the latest run that is in effect, `redo` takes back the
 * latest undo. The undo of an undo is in effect like the run that it brought back.
 */
export type Direction = 'undo' | 'redo'

/** The latest runs of a calendar that an undo or redo without names takes, the latest first. Throws `missing` if there are fewer. */
export function latestRuns(folder: string, calendarId: string, direction: Direction, count: number): RunFile[] {
  const found: RunFile[] = []
  /** The runs whose present state has been seen: a later undo or redo of a run stands for it. */
  const seen = new Set<string>()
  for (const run of readRelatedRuns(folder)) {
    if (found.length === count) break
    if (run.header.plan.calendar.id !== calendarId || run.undoneBy.length > 0) continue
    const chain = chainOf(folder, run)
    const original = chain.at(-1) ?? run.run
    if (seen.has(original)) continue
    const journal = readJournal(run.file)
    if (!journal.isRunning && !hasWritten(journal)) continue
    seen.add(original)
    const isUndo = takesBack(chain)
    if (isUndo && direction === 'undo') checkFinished(journal)
    if (isUndo !== (direction === 'redo')) continue
    if (journal.isRunning) throw runInProgress(journal)
    found.push(run)
  }
  checkReadable(folder, direction, found.length === count ? found.at(-1) : undefined)
  if (found.length === count) return found
  throw nothingLeft(direction, found.length)
}

const nothingLeft = (direction: Direction, found: number): Failure =>
  found === 0
    ? new Failure('missing', `nothing to ${direction} in this calendar`, {
        hint: 'see the runs of this calendar with: calctl history; of all calendars with: calctl runs list',
      })
    : new Failure(
        'missing',
        `there ${nounFor(found, 'is', 'are')} only ${counted(found, 'run')} to ${direction} in this calendar`,
        {
          hint: 'see them with: calctl history',
        },
      )

/** The run itself, the run that it undid, the run that that one undid, and so on. */
function chainOf(folder: string, { run, header }: Pick<RelatedRun, 'run' | 'header'>): string[] {
  const chain = [run]
  const files = header.undoes === undefined ? [] : listRuns(folder)
  for (let undoes = header.undoes; undoes !== undefined; ) {
    chain.push(undoes)
    const earlier = files.find(({ run }) => run === undoes)
    undoes = earlier && readHeader(earlier.file)?.undoes
  }
  return chain
}

/** Whether the first run of a chain took something back: an undo does, and the undo of an undo does not. */
const takesBack = (chain: readonly string[]): boolean => chain.length % 2 === 0

/** Skipping an undo that was interrupted would take back an older run instead of the rest of that one. */
function checkFinished(journal: JournaledRun): void {
  const { run, header } = journal
  if (countDone(journal) === header.steps) return
  throw new Failure('conflict', `the undo of run ${header.undoes} is not finished`, {
    hint: `finish it with: calctl runs resume ${run}${header.to}; or say which run to undo: calctl undo RUN`,
  })
}

/**
 * The run whose undo takes a named run back, or brings it back. A run that was undone and redone is in effect as the redo: its
 * records may have other IDs since.
 */
export function runToUndo(folder: string, name: string, direction: Direction): RunFile {
  const named = findRun(folder, name)
  for (const run of readRelatedRuns(folder)) {
    if (run.undoneBy.length > 0) continue
    const chain = chainOf(folder, run)
    if (chain.includes(named.run) && takesBack(chain) === (direction === 'redo')) return run
  }
  if (direction === 'undo') return named
  throw new Failure('refused', `run ${named.run} has not been undone`, {
    hint: `undo it with: calctl undo ${named.run}`,
  })
}
