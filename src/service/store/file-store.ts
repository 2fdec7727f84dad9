import type { Lock } from '../../lock/lock.ts'
import { Refusal } from '../refusal.ts'
import { textOf } from './calendar-text.ts'
import { type Disk, isSystemError, replaceFile } from './disk.ts'
import { changedMeanwhile, type FileReport, followFile } from './file-follower.ts'
import { continueCalendarJournal, entryOf } from './journal.ts'
import { journalOf, type Loaded } from './load.ts'
import { storeOf } from './memory-store.ts'
import { createSaver } from './saver.ts'
import type { Store } from './store.ts'
import type { Commit } from './tables.ts'

/** A calendar in memory in front of a file. */
export interface FileStore extends Store {
  /** Tells processes that wait for the file where it is served. */
  announce(url: string): void
  /** The paths of copies of damaged journals, made on opening. */
  readonly keptAside: readonly string[]
  /** Writes the calendar file itself, and creates it if it does not exist. */
  rewrite(): Promise<void>
}

/** Where a file store writes to, and when it writes its file again. */
export interface FileStoreOptions {
  readonly disk: Disk
  /** In bytes: the file is written again when its journal is longer than this, and than the file. */
  readonly longJournal: number
  readonly now: () => Date
  /** Told what other programs do to the file; without one, it is read again only for requests. */
  readonly report?: FileReport | undefined
}

/** How long after the last write the file is rewritten, in ms. */
const idleTime = 2000
/** How often to look for changes of the file if there are no requests, in ms. */
const lookTime = 1000

/** The store of what was loaded from a file. Commits go to the journal; the file is written again now and then. */
export function fileStore(path: string, loaded: Loaded, lock: Lock, options: FileStoreOptions): FileStore {
  const { tables, file, journal: found, keptAside } = loaded
  const { disk, longJournal, now, report } = options
  const base = file.isUnedited ? file.fingerprint : undefined
  const journal = continueCalendarJournal(journalOf(path), found, base, disk)
  const follower = followFile({ ...loaded, path, journal, now, report })
  let longest = Math.max(longJournal, file.fingerprint?.size ?? 0)

  async function rewrite(): Promise<void> {
    await replaceFile(path, textOf({ site: follower.site, start: tables.snapshot() }), {
      async before(written) {
        await journal.mark(written)
        if (!follower.isCurrent()) throw changedMeanwhile()
      },
      after(written) {
        follower.wrote(written)
        journal.reset(written)
        longest = Math.max(longJournal, written.size)
      },
    })
  }

  /** If it fails, nothing is lost: the journal has everything. */
  async function rewriteIfPossible(): Promise<boolean> {
    try {
      await rewrite()
      return true
    } catch (error) {
      if (!isSystemError(error)) throw error
      longest = journal.size * 2
      return false
    }
  }

  async function persist(commits: readonly Commit[]): Promise<void> {
    const changes = commits.filter(isChange)
    if (changes.length === 0) return
    if (!follower.isCurrent()) throw changedMeanwhile()
    if (!follower.isUnedited) return rewrite()
    if (journal.size > longest && (await rewriteIfPossible())) return
    await journal.append(changes.map(entryOf))
    idle.refresh()
  }

  const saver = createSaver(persist, tables.undo)
  const tidy = () =>
    saver.between(async () => {
      if (!follower.isCurrent()) await follower.catchUp()
      if (!journal.isEmpty && !follower.obstacle()) await rewriteIfPossible().catch(ignoreRefusal)
    })
  const idle = setTimeout(() => void tidy(), idleTime).unref()
  const look = report && setInterval(() => void refresh(), lookTime).unref()
  async function close(): Promise<void> {
    clearTimeout(idle)
    clearInterval(look)
    await tidy()
    await follower.leave()
    if (journal.isEmpty) journal.discard()
    journal.close()
    lock.release()
  }

  let closing: Promise<void> | undefined
  let catchingUp: Promise<void> | undefined

  function refresh(): Promise<void> | undefined {
    if (catchingUp || closing || follower.isCurrent()) return catchingUp
    catchingUp = saver
      .between(() => follower.catchUp())
      .finally(() => {
        catchingUp = undefined
        idle.refresh()
      })
    return catchingUp
  }

  const store = storeOf(() => follower.site, tables, {
    refresh,
    onReread: follower.onReread,
    async write(work) {
      if (closing) throw new Error(`${path} is closed`)
      const obstacle = catchingUp ? changedMeanwhile() : follower.obstacle()
      if (obstacle) throw obstacle
      const { result, commit } = tables.commit(work)
      await saver.save(commit)
      follower.remember(commit)
      return result
    },
    close() {
      closing ??= close()
      return closing
    },
  })
  return Object.assign(store, { announce: lock.announce, keptAside, rewrite: () => saver.between(rewrite) })
}

/** The file changed at this moment; it is looked at again later. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}

const isChange = ({ changes, before, after }: Commit) => changes.length > 0 || before !== after
