/**
 * Lets only one process at a time use a file (a calendar file, the journal of a run, a saved plan that is started), or a
 * calendar that runs write to. A lock is a folder next to the file (`calendar.json.lock`) with one entry, named after its owner,
 * the process that has the lock (owner.ts). Input: a path. Output: a lock to release, or nothing while another process has it. A
 * lock whose owner has died is taken over; its process or the kernel's lock shows whether it has (owner-state.ts), or else a missing sign
 * of life.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ignoreErrors } from '../attempt.ts'
import { badSettings, Failure } from '../failure.ts'
import { phrase } from '../words/phrase.ts'
import { currentOwner, isOnOtherMachine, lockInKernel, ownerName, parseOwnerName } from './owner.ts'
import { stateOf } from './owner-state.ts'

export interface Lock {
  /** Whether it was taken over from an invisible owner, which may be suspended rather than dead. */
  readonly isFromUnseen: boolean
  /** Whether no other process has taken it over; checked before each write. */
  isOwn(): boolean
  /** Tells waiting processes what the file is used for. */
  announce(note: string): void
  release(): void
}

/** The owner of a lock, if it is known, and its note. */
export type LockHolder = ReturnType<typeof lockHolder>

export interface LockOptions {
  /** In ms. */
  readonly wait: number
  readonly signal?: AbortSignal | undefined
  readonly note?: string
  sleep?(ms: number): Promise<unknown>
  /** The failure after a timeout. */
  inUse(holder: LockHolder): Failure
}

/** In ms: how often an owner touches its entry, and after how long without a touch a waiting process takes over the lock. */
const heartbeat = { interval: 1000, timeout: 4000 }

/** Waits for the lock of a file. */
export async function lockFile(file: string, options: LockOptions): Promise<Lock> {
  const { wait, signal, note, sleep = delay, inUse } = options
  const watch = watchHeartbeat()
  for (let waited = 0; ; ) {
    const lock = takeLock(file, note, entry => watch(entry, waited))
    if (lock) return lock
    if (signal?.aborted) throw new Failure('interrupted', phrase('stopped waiting for {file}', { file }))
    if (waited >= wait) throw inUse(lockHolder(file))
    // Back off: the longer the wait, the rarer the attempts.
    const pause = (10 + Math.random() * 10) * (1 + waited / 500)
    await sleep(pause)
    waited += pause
  }
}

/** Undefined while another process, or this one, holds the lock. */
export const tryLock = (file: string, note = ''): Lock | undefined => takeLock(file, note, () => false)

/**
 * The lock folder is renamed into place with its entry inside. The rename succeeds only if the target is missing or empty, so
 * exactly one process wins. A dead owner's entry is removed by its own name, so that a lock taken later is never removed.
 */
function takeLock(file: string, note = '', isSilent: (entry: string) => boolean): Lock | undefined {
  const folder = lockFolder(file)
  checkOwnFolder(folder)
  const entry = entryIn(folder)
  let isFromUnseen = false
  if (entry !== undefined) {
    const state = stateOfEntry(folder, entry)
    if (state === 'alive' || (state === 'unseen' && !isSilent(join(folder, entry)))) return undefined
    isFromUnseen = state === 'unseen'
    ignoreErrors(() => unlinkSync(join(folder, entry)))
    removeEmpty(folder)
  }
  const created = createEntry(folder, note)
  return created && heldLock(folder, created, isFromUnseen)
}

/** Whether a process that may be alive has the file. */
export function isLocked(file: string): boolean {
  const folder = lockFolder(file)
  const entry = entryIn(folder)
  return entry !== undefined && stateOfEntry(folder, entry) !== 'dead'
}

export function lockHolder(file: string) {
  const folder = lockFolder(file)
  const entry = entryIn(folder)
  const owner = parseOwnerName(entry ?? '')
  const note = entry && ignoreErrors(() => readFileSync(join(folder, entry), 'utf8'))
  // Elsewhere is another machine, or another container.
  return { pid: owner?.pid, note, isElsewhere: owner && isOnOtherMachine(owner) }
}

/**
 * Removes the locks that killed processes left in a folder, of files for which `isOurs` is true. The creators of locks in that
 * folder call it now and then.
 */
export function removeDeadLocks(folder: string, isOurs: (file: string) => boolean): void {
  for (const name of ignoreErrors(() => readdirSync(folder)) ?? []) {
    const [, file, owner] = /^(.+)\.lock(?:\.(\d+-.*))?$/.exec(name) ?? []
    if (file === undefined || !isOurs(file)) continue
    const path = join(folder, name)
    const entry = owner ?? entryIn(path)
    // Another process that takes the lock may remove the entry at the same moment.
    const isFolder = ignoreErrors(() => lstatSync(path))?.isDirectory()
    if (!isFolder || entry === undefined || stateOfEntry(path, entry) !== 'dead') continue
    if (owner) ignoreErrors(() => rmSync(path, { recursive: true }))
    else ignoreErrors(() => unlinkSync(join(path, entry)))
    removeEmpty(path)
  }
}

const extension = '.lock'

const lockFolder = (file: string): string => `${file}${extension}`

/** The entry in its folder, and its open file, which has the kernel lock. */
interface OwnEntry {
  readonly name: string
  readonly fd: number
}

function heldLock(folder: string, { name, fd }: OwnEntry, isFromUnseen: boolean): Lock {
  const entry = join(folder, name)
  const timer = setInterval(() => touch(entry), heartbeat.interval)
  timer.unref()
  const remove = () => {
    ignoreErrors(() => closeSync(fd))
    ignoreErrors(() => unlinkSync(entry))
    removeEmpty(folder)
  }
  releaseAtExit(remove)
  return {
    isFromUnseen,
    isOwn: () => existsSync(entry),
    announce: note => writeFileSync(entry, note),
    release() {
      clearInterval(timer)
      held.delete(remove)
      remove()
    },
  }
}

/** Functions that remove the locks of this process. */
const held = new Set<() => void>()

/** The process may end at any moment (Ctrl-C). */
function releaseAtExit(remove: () => void): void {
  process.off('exit', removeAll).once('exit', removeAll)
  held.add(remove)
}

const removeAll = () => {
  for (const remove of held) remove()
}

function createEntry(folder: string, note: string): OwnEntry | undefined {
  const owner = currentOwner()
  const temporary = `${folder}.${ownerName(owner)}`
  let fd: number | undefined
  try {
    mkdirSync(temporary)
    const draft = join(temporary, 'entry')
    fd = openSync(draft, 'w')
    writeSync(fd, note)
    const name = `${ownerName({ ...owner, isBacked: lockInKernel(fd) })}~${Math.random().toString(36).slice(2, 8)}`
    renameSync(draft, join(temporary, name))
    renameSync(temporary, folder)
    return { name, fd }
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    rmSync(temporary, { recursive: true, force: true })
    const { code = '', syscall } = error as NodeJS.ErrnoException
    // Windows renames no folder onto another, not even onto an empty one.
    const isTaken = ['ENOTEMPTY', 'EEXIST'].includes(code) || (code === 'EPERM' && syscall === 'rename')
    if (!isTaken) throw error
    removeEmpty(folder)
    return undefined
  }
}

/** Throws `settings` for a path that is named like a lock but is something else, whose contents must not be removed. */
function checkOwnFolder(folder: string): void {
  const stat = ignoreErrors(() => lstatSync(folder))
  if (!stat) return
  const foreign = stat.isDirectory() ? ignoreErrors(() => readdirSync(folder))?.find(name => !parseOwnerName(name)) : ''
  if (foreign === undefined) return
  const message = foreign
    ? phrase('{folder} is not a lock of calctl: it contains {foreign}', { folder, foreign })
    : phrase('{folder} is not a lock of calctl', { folder })
  throw badSettings(message, phrase('calctl keeps its lock under that name: move it out of the way'))
}

const entryIn = (folder: string): string | undefined => ignoreErrors(() => readdirSync(folder)[0])

function stateOfEntry(folder: string, entry: string): 'alive' | 'dead' | 'unseen' {
  const owner = parseOwnerName(entry)
  return owner ? stateOf(owner, join(folder, entry)) : 'unseen'
}

/**
 * Whether an entry was not touched during the whole wait. It is compared with its own earlier state, because clocks differ. Its
 * owner may only be suspended, and checks before each write that the lock is still its own.
 */
function watchHeartbeat(): (entry: string, waited: number) => boolean {
  let last = { touched: '', since: 0 }
  return (entry, waited) => {
    const touched = `${entry} ${ignoreErrors(() => statSync(entry).mtimeMs)}`
    if (touched !== last.touched) last = { touched, since: waited }
    return waited - last.since >= heartbeat.timeout
  }
}

const touch = (path: string) => ignoreErrors(() => utimesSync(path, new Date(), new Date()))
const removeEmpty = (folder: string) => ignoreErrors(() => rmdirSync(folder))
