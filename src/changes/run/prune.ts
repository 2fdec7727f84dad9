import { listRuns, type RunFile, removeBeginnings } from './runs-folder.ts'

const dayMs = 86_400_000
/** How long the journals of finished runs are kept, in ms. */
const keepingTime = 90 * dayMs

/** The latest runs are kept at any age: a clock that jumps ahead would make all of them old at once. */
const keptRuns = 50

/** Removes the journals of runs that finished long ago. A failure to do so never stops a write. */
export async function pruneRuns(folder: string, now: number): Promise<void> {
  try {
    const runs = listRuns(folder)
    removeBeginnings(folder, now - dayMs)
    if (runs.length <= keptRuns) return
    const { findOldRuns, removeRuns } = await import('./old-runs.ts')
    const isLatest = ({ run }: RunFile) => runs.slice(0, keptRuns).some(latest => latest.run === run)
    removeRuns(findOldRuns(folder, now - keepingTime).finished.filter(run => !isLatest(run)))
  } catch {
    // The next run tries again.
  }
}
