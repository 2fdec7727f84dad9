import { renameSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { statOf } from '../../base/fs.ts'
import type { Lock } from '../../base/lock/lock.ts'
import { phrase } from '../../base/words/phrase.ts'
import { Refusal } from '../refusal.ts'
import { textOf } from './calendar-text.ts'
import { type Disk, type Fingerprint, flushFolder, freePath, isSystemError, modeOf, replaceFile } from './disk.ts'
import { changedMeanwhile, FileFollower, type FileReport } from './file-follower.ts'
import { CalendarJournal, entryOf } from './journal.ts'
import { journalOf, type Loaded } from './load.ts'
import { filesInFolder, storeOf, uploadFolderOf } from './memory-store.ts'
import { createSaver, refusalOf, type Saver } from './saver.ts'
import type { Store } from './store.ts'
import type { Commit, Rewriting } from './tables.ts'

/** A calendar in memory in front of a file. */
export interface FileStore extends Store {
  /** Tells processes that wait for the file where it is served. */
  announce(url: string): void
  /** The paths of copies of damaged journals, made on opening. */
  readonly keptAside: readonly string[]
  /** Writes the calendar file itself, and creates it if it does not exist. */
  rewrite(): Promise<void>
}

/** Where a file store writes, and when it rewrites its file. */
export interface FileStoreOptions {
  readonly disk: Disk
  /** In bytes: the file is rewritten when its journal is longer than this and than the file. */
  readonly longJournal: number
  readonly now: () => Date
  /** Called with what other programs do to the file; if absent, the file is read again only for requests. */
  readonly report?: FileReport | undefined
}

/** How long after the last write the file is rewritten, in ms. */
const idleTime = 2000
/** In ms: after a write that took longer, checks again whether the file is still its own. */
const longPause = 50
/** How often to check for changes of the file if there are no requests, in ms. */
const lookTime = 1000

/**
 * Connects a calendar in memory with its file. Commits go to the journal, and the file is rewritten now and then. Three unusual states are
 * possible: another process has taken over the file (`lost`); the journal is gone, so that its contents are only in memory; and a file was
 * renamed into place but a power cut may still revert that (`unsettled`).
 */
class CalendarOnDisk {
  readonly saver: Saver
  readonly follower: FileFollower
  readonly #path: string
  readonly #loaded: Loaded
  readonly #lock: Lock
  readonly #options: FileStoreOptions
  readonly #journal: CalendarJournal
  readonly #idle: NodeJS.Timeout
  readonly #look: NodeJS.Timeout | undefined
  /** In bytes: a longer journal leads to a rewrite. */
  #longest: number
  #ownership: 'own' | 'lost' = 'own'
  #isJournalGone = false
  #unsettled: Fingerprint | undefined
  #closing: Promise<void> | undefined
  #catchingUp: Promise<void> | undefined

  constructor(path: string, loaded: Loaded, lock: Lock, options: FileStoreOptions) {
    const { tables, file, journal: found } = loaded
    const { disk, longJournal, now, report } = options
    this.#path = path
    this.#loaded = loaded
    this.#lock = lock
    this.#options = options
    this.#journal = new CalendarJournal(journalOf(path), {
      found,
      base: file.isUnedited ? file.fingerprint : undefined,
      disk,
      mode: () => modeOf(path),
      isShared: lock.isFromUnseen,
    })
    this.follower = new FileFollower({ ...loaded, path, journal: this.#journal, now, report })
    this.saver = createSaver(commits => this.#persist(commits), tables.undo)
    this.#longest = Math.max(longJournal, file.fingerprint?.size ?? 0)
    this.#idle = setTimeout(() => void this.#tidy(), idleTime).unref()
    this.#look = report && setInterval(() => void this.#lookAround(), lookTime).unref()
  }

  /** Makes a change in memory, and resolves with its result when it is safe on disk. */
  async write<Result>(work: (writing: Rewriting) => Result): Promise<Result> {
    if (this.#closing) throw new Error(`${this.#path} is closed`)
    const obstacle = this.#catchingUp ? changedMeanwhile() : this.follower.obstacle()
    if (obstacle) throw obstacle
    if (this.#ownership === 'lost') throw lockLost(this.#path)
    if (this.#unsettled || !this.#journal.isClear) await this.saver.between(() => this.#recover())
    const { result, commit } = this.#loaded.tables.commit(work)
    await this.saver.save(commit)
    this.follower.remember(commit)
    return result
  }

  /** Reads the file again if another program has changed it; undefined if it is current. */
  refresh(): Promise<void> | undefined {
    if (this.#catchingUp || this.#closing || this.follower.isCurrent()) return this.#catchingUp
    const catchUp = async () => {
      this.#isOwner()
      await this.follower.catchUp()
    }
    this.#catchingUp = this.saver.between(catchUp).finally(() => {
      this.#catchingUp = undefined
      this.#idle.refresh()
    })
    return this.#catchingUp
  }

  /** Writes acknowledged changes to the file. */
  async rewrite(): Promise<void> {
    this.#checkOwner()
    await replaceFile(this.#path, this.#text(), {
      before: written => this.#beforeRename(written),
      after: written => this.#afterRename(written),
    }).catch(error => {
      // A new owner removes the drafts of the last one.
      this.#checkOwner()
      throw error
    })
    this.#forgetJournal()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle)
    clearInterval(this.#look)
    if (!this.#journal.isClear) await this.saver.between(() => this.#recover()).catch(ignoreRefusal)
    await this.#tidy()
    if (this.#isOwner()) await this.follower.leave()
    if (this.#journal.isEmpty && !this.#unsettled && this.#isOwner()) this.#journal.remove()
    this.#journal.close()
    this.#lock.release()
  }

  /** Another process may have taken over the file while this one was suspended; then the journal belongs to that process. */
  #isOwner(): boolean {
    if (this.#ownership === 'lost' || this.#lock.isOwn()) return this.#ownership === 'own'
    this.#ownership = 'lost'
    this.#journal.abandon()
    this.#options.report?.warning(
      phrase('another process took over {file}; this one refuses writes', { file: this.#path }),
    )
    return false
  }

  #checkOwner(): void {
    if (!this.#isOwner()) throw lockLost(this.#path)
  }

  #text() {
    return textOf({ site: this.follower.site, start: this.#loaded.tables.snapshot(this.saver.pending()) })
  }

  async #beforeRename(written: Fingerprint): Promise<void> {
    if (!this.#journal.isEmpty && !this.#isJournalGone) {
      this.#checkOwner()
      await this.#journal.mark(written)
    }
    this.#checkOwner()
    if (!this.follower.isCurrent()) throw changedMeanwhile()
  }

  #afterRename(written: Fingerprint): void {
    this.follower.wrote(written)
    this.#unsettled = written
    this.#isJournalGone = false
    this.#longest = Math.max(this.#options.longJournal, written.size)
  }

  /** Until a rename is durable, a power cut can bring back the old file, which would not fit later writes. */
  async #settle(): Promise<void> {
    if (!this.#unsettled) return
    await flushFolder(dirname(this.#path))
    this.#forgetJournal()
  }

  #forgetJournal(): void {
    if (!this.#unsettled) return
    this.#checkOwner()
    this.#journal.discard(this.#unsettled)
    this.#unsettled = undefined
  }

  /** If it fails, nothing is lost: the journal has everything. */
  async #rewriteIfPossible(): Promise<void> {
    try {
      await this.#settle()
      await this.rewrite()
    } catch (error) {
      if (!isSystemError(error)) throw error
      this.#longest = Math.max(this.#longest, this.#journal.size * 2)
    }
  }

  /** Another program has removed or replaced the journal: its contents are written to the file before anything else. */
  #forsakeJournal(): void {
    // An owner that was suspended in the meantime finds the journal of the next owner.
    this.#checkOwner()
    const other = journalOf(this.#path)
    const aside = statOf(other) && freePath(n => `${other}.aside${n === 1 ? '' : `-${n}`}`)
    if (aside) renameSync(other, aside)
    if (aside || !this.#journal.isEmpty) this.#options.report?.warning(journalGone(this.#path, other, aside))
    this.#journal.forsake()
    this.#isJournalGone = true
  }

  async #persist(commits: readonly Commit[]): Promise<void> {
    const changes = commits.filter(isChange)
    if (changes.length === 0) return
    const start = Date.now()
    const isNew = await this.#prepare()
    const wasClear = this.#journal.isClear
    await this.#journal.append(changes.map(entryOf)).catch(error => {
      this.#checkOwner()
      throw refusalOf(error, this.#journal.isClear || !wasClear)
    })
    // This process may have been suspended and the file taken over before the write: then nobody will read it.
    if (Math.abs(Date.now() - start) > longPause && !this.#isOwner())
      throw lockLost(this.#path, 'It may have been written or not')
    if (isNew) void this.#tidy()
    else this.#idle.refresh()
  }

  /** Makes sure that there is a journal which continues the file; returns whether the file was written for that. */
  async #prepare(): Promise<boolean> {
    this.#checkOwner()
    if (!this.follower.isCurrent()) throw changedMeanwhile()
    await this.#settle()
    if (!this.#journal.isInPlace()) this.#forsakeJournal()
    const isNew = !this.follower.isUnedited || this.#isJournalGone
    if (isNew) await this.rewrite()
    else if (this.#journal.size > this.#longest) await this.#rewriteIfPossible()
    return isNew
  }

  /** After a failed write, further writes are refused until the disk is as it was before. */
  async #recover(): Promise<void> {
    try {
      this.#checkOwner()
      await this.#journal.clear()
      await this.#settle()
    } catch (error) {
      throw refusalOf(error)
    }
  }

  #tidy(): Promise<void> {
    return this.saver.between(() => this.#bringIntoFile()).catch(ignoreRefusal)
  }

  async #bringIntoFile(): Promise<void> {
    if (!this.#isOwner()) return
    if (!this.follower.isCurrent()) await this.follower.catchUp()
    if (!this.#journal.isInPlace()) this.#forsakeJournal()
    if ((!this.#journal.isEmpty || this.#unsettled) && !this.follower.obstacle()) await this.#rewriteIfPossible()
  }

  #lookAround(): void {
    void this.refresh()
    if (this.#ownership === 'own' && !this.#journal.isInPlace()) void this.#tidy()
  }
}

/** The store of what was loaded from a file. */
export function fileStore(path: string, loaded: Loaded, lock: Lock, options: FileStoreOptions): FileStore {
  const onDisk = new CalendarOnDisk(path, loaded, lock, options)
  const { follower, saver } = onDisk
  const store = storeOf(() => follower.site, loaded.tables, {
    files: filesInFolder(uploadFolderOf(path)),
    refresh: () => onDisk.refresh(),
    onReread: listener => follower.onReread(listener),
    whenSaved: saver.whenSaved,
    write: work => onDisk.write(work),
    close: () => onDisk.close(),
  })
  const rewrite = () => saver.between(() => onDisk.rewrite())
  return Object.assign(store, { announce: lock.announce, keptAside: loaded.keptAside, rewrite })
}

/** The file changed at this moment; it is checked again later. */
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

const journalGone = (path: string, journal: string, aside: string | undefined): string =>
  aside
    ? phrase(
        'another program replaced {journal}; its contents were written to {file}, and the replacement was moved to {aside}',
        { journal, file: path, aside },
      )
    : phrase('another program removed {journal}; its contents were written to {file}', { journal, file: path })
