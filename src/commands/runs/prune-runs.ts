import type { App } from '../../app.ts'
import { wrongValue } from '../../failure.ts'
import { runsFolder } from '../../profiles/user-folders.ts'
import { findOldRuns, removeRuns } from '../../runs/prune.ts'
import type { RunFile } from '../../runs/runs-folder.ts'
import { counted, listOf } from '../../text/words.ts'
import { readDuration } from '../../time/durations.ts'
import { confirm } from '../shared/confirmation.ts'

interface PruneOptions {
  readonly olderThan: string
  readonly unfinished?: true
}

/** Removes the journals of runs that ended longer ago than, for example, `90d`; those with steps left only on request. */
export async function pruneJournals(app: App, options: PruneOptions): Promise<void> {
  const { olderThan } = options
  const before = app.world.now().getTime() - ageOf(olderThan)
  const { finished, unfinished } = findOldRuns(runsFolder(app.world), before)
  const toRemove = options.unfinished ? [...finished, ...unfinished] : finished
  if (unfinished.length > 0 && !options.unfinished)
    await app.notice(
      `kept ${describe(unfinished)}: not finished; to remove ${themOrIt(unfinished)} too, add --unfinished`,
    )
  if (toRemove.length === 0) return app.notice(`no journals of finished runs older than ${olderThan}`)
  if (!app.globals.yes)
    await confirm(app, {
      question: `Remove ${counted(toRemove.length, 'journal')}: ${describe(toRemove)}? Their runs can no longer be undone.`,
      declined: 'nothing was removed',
    })
  removeRuns(toRemove)
  await app.notice(`removed ${describe(toRemove)}`)
}

/** In ms. A number alone is in days, like the default. */
function ageOf(text: string): number {
  const age = readDuration(/^\d+$/.test(text.trim()) ? `${text.trim()}d` : text)
  if (age === undefined) throw wrongValue('--older-than', 'a duration', text, '90d')
  return age
}

/** How many runs are named. */
const named = 10

const describe = (runs: readonly RunFile[]): string =>
  listOf([
    ...runs.slice(0, named).map(({ run }) => run),
    ...(runs.length > named ? [`${runs.length - named} more`] : []),
  ])

const themOrIt = ({ length }: readonly RunFile[]) => (length === 1 ? 'it' : 'them')
