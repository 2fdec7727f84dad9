import { closeSync, existsSync, openSync, readdirSync, realpathSync, unlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ignoreErrors } from '../../base/attempt.ts'
import { badSettings, Failure } from '../../base/failure.ts'
import { makeFolder } from '../../base/fs.ts'
import { reason } from '../../base/io-reasons.ts'
import { type Lock, type LockHolder, lockFile, removeDeadLocks } from '../../base/lock/lock.ts'
import { inEnglish, phrase } from '../../base/words/phrase.ts'
import { Refusal } from '../refusal.ts'
import { type Disk, isDraftOf, isSystemError, disk as realDisk } from './disk.ts'
import { conflictCopies, FileFollower, type FileReport } from './file-follower.ts'
import { type FileStore, fileStore } from './file-store.ts'
import { journalOf, type Loaded, type LoadOptions, load } from './load.ts'
import { filesInFolder, storeOf, uploadFolderOf } from './memory-store.ts'

/** How to open a calendar file. */
export interface OpenOptions extends LoadOptions {
  /** Refuses writes; the file need not be writable. */
  readonly readOnly?: boolean
  /** Opens a file that is not writable as read-only, instead of failing. */
  readonly orReadOnly?: boolean
  /** Releases the file after reading it; later writes stay in memory. */
  readonly snapshot?: boolean
  /** Creates a missing file now instead of with the first write. */
  readonly create?: boolean
  /** How long to wait for another process that has the file, in ms; 5000 by default. */
  readonly wait?: number
  /** Stops waiting for the lock. */
  readonly signal?: AbortSignal
  /** How to wait. */
  sleep?(ms: number): Promise<unknown>
  readonly disk?: Disk
  /** In bytes: the file is rewritten when its journal is longer than this and than the file. */
  readonly longJournal?: number
  /** Called with what other programs do to the file while it is open. */
  readonly report?: FileReport
}

/** Opens a calendar file for this process alone. Throws a `Failure` if something is wrong with the file, or in its way. */
export async function openStore(options: OpenOptions): Promise<FileStore> {
  const { readOnly = false, repair = false, create = false, disk = realDisk, longJournal = 4 << 20 } = options
  const { now, report } = options
  const file = realPath(resolve(options.file))
  const locked = await lockUnlessReadOnly(file, options)
  const { lock } = locked
  try {
    if (lock && !readOnly && !options.snapshot) removeLeftovers(file)
    checkNotMoved(file)
    const loaded = await load({ ...options, file })
    if (options.snapshot) return snapshotStore(file, loaded, lock)
    if (loaded.file.isAltered) report?.notice(altered(file))
    if (readOnly || !lock) return readOnlyStore(file, loaded, options, locked)
    const store = fileStore(file, loaded, lock, { disk, longJournal, now, report })
    // An owner that was only suspended may still write to its open journal; after this, that file is no longer ours.
    const isShared = lock.isFromUnseen && existsSync(journalOf(file))
    const mustRewrite = repair || isShared || (create && loaded.file.fingerprint === undefined)
    if (mustRewrite) await store.rewrite()
    return store
  } catch (error) {
    lock?.release()
    throw isSystemError(error) ? cannotUse(file, error) : error
  }
}

/** The notice when the file is opened for writing: the next write makes it calctl's own again. */
const altered = (file: string) =>
  phrase(
    '{file} is not as calctl last wrote it: someone edited it, or the disk damaged it; if no one edited it, compare it with a backup',
    { file },
  )

/** Refuses a missing file if there is a copy of the served calendar: it is not a new calendar. */
function checkNotMoved(file: string): void {
  if (existsSync(file) || existsSync(journalOf(file))) return
  const [copy] = conflictCopies(file)
  if (copy === undefined) return
  throw badSettings(
    phrase('{file} does not exist, but {copy} has the calendar served last', { file, copy }),
    phrase('serve that with: {command}; or remove it to begin with an empty calendar', {
      command: `mv ${copy} ${file}`,
    }),
  )
}

/** Resolves a symbolic link, which would otherwise be replaced by a file. */
const realPath = (file: string): string => ignoreErrors(() => realpathSync(file)) ?? file

/** The lock of a file, or why it is not available. */
interface Locked {
  readonly lock?: Lock
  readonly obstacle?: string
}

/** Reading needs no lock if none can be created: in a folder without write access. */
async function lockUnlessReadOnly(file: string, options: OpenOptions): Promise<Locked> {
  const { readOnly = false, orReadOnly = false, wait = 5000, signal, sleep } = options
  try {
    if (!readOnly) prepareWriting(file)
    return {
      lock: await lockFile(file, { wait, signal, ...(sleep && { sleep }), inUse: holder => inUse(file, holder) }),
    }
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (readOnly) return {}
    if (!orReadOnly) throw cannotUse(file, error)
    return { obstacle: inEnglish(() => reason(error)) }
  }
}

function prepareWriting(file: string): void {
  makeFolder(dirname(file))
  try {
    closeSync(openSync(file, 'r+'))
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error
  }
}

/** Removes what killed processes have left next to the file. If something cannot be removed, the file is still opened. */
function removeLeftovers(file: string): void {
  const [folder, name] = [dirname(file), basename(file)]
  removeDeadLocks(folder, other => other === name)
  ignoreErrors(() => {
    for (const draft of readdirSync(folder).filter(other => isDraftOf(file, other))) unlinkSync(join(folder, draft))
  })
}

function inUse(file: string, { pid, note: url, isElsewhere }: LockHolder): Failure {
  const lock = `${basename(file)}.lock`
  const hint = isElsewhere
    ? phrase('if that process has ended, try again in a minute, or remove the folder {lock}', { lock })
    : phrase('try again when it is done (lock: {lock})', { lock })
  const holder = holderOf(pid, isElsewhere)
  return new Failure(
    'unreachable',
    url
      ? phrase('the calendar file {file} is in use by {holder}, which serves it at {url}', { file, holder, url })
      : phrase('the calendar file {file} is in use by {holder}', { file, holder }),
    { hint: url && !isElsewhere ? phrase('talk to it with: {options}', { options: `--base-url ${url}` }) : hint },
  )
}

function holderOf(pid: number | undefined, isElsewhere: boolean | undefined): string {
  if (pid === undefined)
    return isElsewhere
      ? phrase('another process in another container or on another machine')
      : phrase('another process')
  return isElsewhere
    ? phrase('process {pid} in another container or on another machine', { pid })
    : phrase('process {pid}', { pid })
}

function cannotUse(file: string, error: NodeJS.ErrnoException): Failure {
  // The folder is there, or it would have been made.
  const why = error.code === 'ENOENT' ? phrase('{folder} takes no new files', { folder: dirname(file) }) : reason(error)
  return badSettings(
    phrase('cannot use {file} as a calendar: {reason}', { file, reason: why }),
    error.code === 'ENOSPC' || error.code === 'EDQUOT'
      ? phrase('free some space, or open it read-only with: calctl serve --read-only')
      : phrase('name another file, or open it read-only with: calctl serve --read-only'),
  )
}

function snapshotStore(path: string, { site, tables, keptAside }: Loaded, lock: Lock | undefined): FileStore {
  lock?.release()
  const write = async <T>(work: Parameters<typeof tables.commit<T>>[0]) => tables.commit(work).result
  return Object.assign(
    storeOf(() => site, tables, { files: filesInFolder(uploadFolderOf(path)), write, close: async () => {} }),
    {
      announce: () => {},
      keptAside,
      rewrite: async () => {},
    },
  )
}

function readOnlyStore(path: string, loaded: Loaded, { now, report }: OpenOptions, { lock, obstacle }: Locked) {
  const follower = new FileFollower({ ...loaded, path, now, report, journal: undefined })
  let catchingUp: Promise<void> | undefined
  const refresh = () => {
    if (catchingUp || follower.isCurrent()) return catchingUp
    catchingUp = follower.catchUp().finally(() => {
      catchingUp = undefined
    })
    return catchingUp
  }
  const refuse = async () => {
    throw new Refusal(403, 'read_only', `This calendar can only be read${obstacle ? `: ${obstacle}` : ''}.`)
  }
  return Object.assign(
    storeOf(() => follower.site, loaded.tables, {
      files: filesInFolder(uploadFolderOf(path)),
      refresh,
      onReread: listener => follower.onReread(listener),
      write: refuse,
      close: async () => lock?.release(),
    }),
    {
      announce: (url: string) => lock?.announce(url),
      keptAside: loaded.keptAside,
      rewrite: refuse,
    },
  )
}
