import type { Lock } from '../../lock/lock.ts'
import { textOf } from './calendar-text.ts'
import { type Disk, isSystemError, replaceFile } from './disk.ts'
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
}

/** In bytes: a file of this size is rewritten quickly. */
const smallFile = 1 << 20
/** How long after the last write the file is rewritten, in ms. */
const idleTime = 2000

/** The store of what was loaded from a file. Commits go to the journal; the file is written again now and then. */
export function fileStore(
  file: string,
  { site, tables, journal: found, size, keptAside }: Loaded,
  lock: Lock,
  { disk, longJournal }: FileStoreOptions,
): FileStore {
  const journal = continueCalendarJournal(journalOf(file), found, disk)
  /** Whether calctl wrote the file last, which the journal relies on. */
  let isOurs = found.matchesFile
  let fileSize = size ?? 0
  let longest = Math.max(longJournal, fileSize)

  async function rewrite(): Promise<void> {
    const fingerprint = await replaceFile(file, textOf({ site, start: tables.snapshot() }), written =>
      journal.mark(written),
    )
    journal.reset(fingerprint)
    isOurs = true
    fileSize = fingerprint.size
    longest = Math.max(longJournal, fileSize)
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
    const entries = commits.filter(isChange).map(entryOf)
    if (entries.length === 0) return
    if (!isOurs) return rewrite()
    if (journal.size > longest && (await rewriteIfPossible())) return
    await journal.append(entries)
    idle.refresh()
  }

  const saver = createSaver(persist, tables.undo)
  const tidy = (when: () => boolean) =>
    saver.between(async () => {
      if (!journal.isEmpty && when()) await rewriteIfPossible()
    })
  const idle = setTimeout(() => void tidy(() => true), idleTime).unref()
  async function close(): Promise<void> {
    clearTimeout(idle)
    await tidy(isCheap)
    journal.close()
    lock.release()
  }
  const isCheap = () => fileSize <= smallFile || journal.size * 4 >= fileSize

  let closing: Promise<void> | undefined

  const store = storeOf(site, tables, {
    async write(work) {
      if (closing) throw new Error(`${file} is closed`)
      const { result, commit } = tables.commit(work)
      await saver.save(commit)
      return result
    },
    close() {
      closing ??= close()
      return closing
    },
  })
  return Object.assign(store, { announce: lock.announce, keptAside, rewrite: () => saver.between(rewrite) })
}

const isChange = ({ changes, before, after }: Commit) => changes.length > 0 || before !== after
