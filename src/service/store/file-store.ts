import { renameSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Lock } from '../../base/lock/lock.ts'
import { Refusal } from '../refusal.ts'
import { textOf } from './calendar-text.ts'
import {
  type Disk,
  type Fingerprint,
  flushFolder,
  freePath,
  isSystemError,
  modeOf,
  replaceFile,
  stampOf,
} from './disk.ts'
import { changedMeanwhile, type FileReport, followFile } from './file-follower.ts'
import { CalendarJournal, entryOf } from './journal.ts'
import { journalOf, type Loaded } from './load.ts'
import { filesInFolder, storeOf, uploadFolderOf } from './memory-store.ts'
import { createSaver, refusalOf } from './saver.ts'
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
/** A write that took longer than this, in ms, looks again whether the file is still its own. */
const longPause = 50
/** How often to look for changes of the file if there are no requests, in ms. */
const lookTime = 1000

/** The store of what was loaded from a file. Commits go to the journal; the file is written again now and then. */
export function fileStore(path: string, loaded: Loaded, lock: Lock, options: FileStoreOptions): FileStore {
  const { tables, file, journal: found, keptAside } = loaded
  const { disk, longJournal, now, report } = options
  const base = file.isUnedited ? file.fingerprint : undefined
  const journal = new CalendarJournal(journalOf(path), {
    found,
    base,
    disk,
    mode: () => modeOf(path),
    isShared: lock.isFromUnseen,
  })
  const follower = followFile({ ...loaded, path, journal, now, report })
  let longest = Math.max(longJournal, file.fingerprint?.size ?? 0)
  /** What was renamed into place, until that is durable; the journal is needed as long. */
  let unsettled: Fingerprint | undefined
  /** Whether entries that were acknowledged are in memory only. */
  let isJournalGone = false
  let isLost = false

  /** Another process may have taken the file over while this one was stopped; the journal is that process's then. */
  function isOwner(): boolean {
    if (isLost || lock.isOwn()) return !isLost
    isLost = true
    journal.abandon()
    report?.warning(`another process took over ${path}; this one refuses writes`)
    return false
  }

  function checkOwner(): void {
    if (!isOwner()) throw lockLost(path)
  }

  /** Writes what is acknowledged to the file. */
  async function rewrite(): Promise<void> {
    checkOwner()
    await replaceFile(path, textOf({ site: follower.site, start: tables.snapshot(saver.pending()) }), {
      async before(written) {
        if (!journal.isEmpty && !isJournalGone) {
          checkOwner()
          await journal.mark(written)
        }
        checkOwner()
        if (!follower.isCurrent()) throw changedMeanwhile()
      },
      after(written) {
        follower.wrote(written)
        unsettled = written
        isJournalGone = false
        longest = Math.max(longJournal, written.size)
      },
    }).catch(error => {
      // A new owner removes the drafts of the last one.
      checkOwner()
      throw error
    })
    forgetJournal()
  }

  /** Until a rename is durable, a power cut can bring the old file back, and what is written then would not fit it. */
  async function settle(): Promise<void> {
    if (!unsettled) return
    await flushFolder(dirname(path))
    forgetJournal()
  }

  function forgetJournal(): void {
    if (!unsettled) return
    checkOwner()
    journal.discard(unsettled)
    unsettled = undefined
  }

  /** If it fails, nothing is lost: the journal has everything. */
  async function rewriteIfPossible(): Promise<boolean> {
    try {
      await settle()
      await rewrite()
      return true
    } catch (error) {
      if (!isSystemError(error)) throw error
      longest = Math.max(longest, journal.size * 2)
      return false
    }
  }

  /** Another program removed or replaced the journal: what it held is written to the file, before anything else. */
  function forsakeJournal(): void {
    // An owner that was stopped since it last looked finds the journal of the next one.
    checkOwner()
    const other = journalOf(path)
    const aside = stampOf(other) && freePath(n => `${other}.aside${n === 1 ? '' : `-${n}`}`)
    if (aside) renameSync(other, aside)
    if (aside || !journal.isEmpty)
      report?.warning(
        `another program ${aside ? 'replaced' : 'removed'} ${other}; what it held is written to ${path}${aside ? `, and what is there now was moved to ${aside}` : ''}`,
      )
    journal.forsake()
    isJournalGone = true
  }

  async function persist(commits: readonly Commit[]): Promise<void> {
    const changes = commits.filter(isChange)
    if (changes.length === 0) return
    const start = Date.now()
    checkOwner()
    if (!follower.isCurrent()) throw changedMeanwhile()
    await settle()
    if (!journal.isInPlace()) forsakeJournal()
    const isNew = !follower.isUnedited || isJournalGone
    if (isNew) await rewrite()
    else if (journal.size > longest) await rewriteIfPossible()
    const wasClear = journal.isClear
    await journal.append(changes.map(entryOf)).catch(error => {
      checkOwner()
      throw refusalOf(error, journal.isClear || !wasClear)
    })
    // Stopped meanwhile, perhaps, and taken over before the write: nobody will read it then.
    if (Math.abs(Date.now() - start) > longPause && !isOwner()) throw lockLost(path, 'It may have been written or not')
    if (isNew) void tidy()
    else idle.refresh()
  }

  /** Writes are refused, and not even tried, until the disk is as it was before the one that failed. */
  async function recover(): Promise<void> {
    try {
      checkOwner()
      await journal.clear()
      await settle()
    } catch (error) {
      throw refusalOf(error)
    }
  }

  const saver = createSaver(persist, tables.undo)
  const tidy = () =>
    saver
      .between(async () => {
        if (!isOwner()) return
        if (!follower.isCurrent()) await follower.catchUp()
        if (!journal.isInPlace()) forsakeJournal()
        if ((!journal.isEmpty || unsettled) && !follower.obstacle()) await rewriteIfPossible()
      })
      .catch(ignoreRefusal)
  const idle = setTimeout(() => void tidy(), idleTime).unref()
  const look = report && setInterval(() => void lookAround(), lookTime).unref()
  function lookAround(): void {
    void refresh()
    if (!isLost && !journal.isInPlace()) void tidy()
  }
  async function close(): Promise<void> {
    clearTimeout(idle)
    clearInterval(look)
    if (!journal.isClear) await saver.between(recover).catch(ignoreRefusal)
    await tidy()
    if (isOwner()) await follower.leave()
    if (journal.isEmpty && !unsettled && isOwner()) journal.remove()
    journal.close()
    lock.release()
  }

  let closing: Promise<void> | undefined
  let catchingUp: Promise<void> | undefined

  function refresh(): Promise<void> | undefined {
    if (catchingUp || closing || follower.isCurrent()) return catchingUp
    catchingUp = saver
      .between(async () => {
        isOwner()
        await follower.catchUp()
      })
      .finally(() => {
        catchingUp = undefined
        idle.refresh()
      })
    return catchingUp
  }

  const store = storeOf(() => follower.site, tables, {
    files: filesInFolder(uploadFolderOf(path)),
    refresh,
    onReread: follower.onReread,
    whenSaved: saver.whenSaved,
    async write(work) {
      if (closing) throw new Error(`${path} is closed`)
      const obstacle = catchingUp ? changedMeanwhile() : follower.obstacle()
      if (obstacle) throw obstacle
      if (isLost) throw lockLost(path)
      if (unsettled || !journal.isClear) await saver.between(recover)
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

const lockLost = (path: string, effect = 'Nothing was changed'): Refusal =>
  new Refusal(
    503,
    'calctl_lock_lost',
    `Another process took over ${basename(path)}, so this one writes to it no more. ${effect}; restart this server.`,
  )

const isChange = ({ changes, before, after }: Commit) => changes.length > 0 || before !== after
