/**
 * One process at a time on a file: a calendar file, the journal of a run, the start of a saved plan, or on a calendar that runs
 * write to. A lock is a folder next to the file (`calendar.json.lock`) that holds one entry, named after the process that has it (owner.ts). What comes in is a path;
 * what goes out is a lock to be released, or nothing while another process has it. A lock whose owner died is taken over.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../failure.ts'
import { currentOwner, isOwnerAlive, ownerName, parseOwnerName } from './owner.ts'

/** Held by this process until it is released. */
export interface Lock {
  /** Tells other processes that want the file what it is used for. */
  announce(note: string): void
  release(): void
}

/** The process that has a lock, if it is known, and what it announced. */
export interface LockHolder {
  readonly pid?: number | undefined
  readonly note?: string | undefined
}

/** How long to wait for a lock. */
export interface LockOptions {
  /** In ms. */
  readonly wait: number
  readonly signal?: AbortSignal | undefined
  /** What to announce. */
  readonly note?: string
  sleep?(ms: number): Promise<unknown>
  /** The failure that is thrown when the wait times out. */
  inUse(holder: LockHolder): Failure
}

/** How often an owner touches its entry, and for how long it counts as alive without that, in ms. */
const heartbeat = { interval: 1000, timeout: 4000 }

/** Locks a file, as soon as no other process has it. */
export async function lockFile(file: string, options: LockOptions): Promise<Lock> {
  const { wait, signal, note, sleep = delay, inUse } = options
  for (let waited = 0; ; ) {
    const lock = tryLock(file, note)
    if (lock) return lock
    if (signal?.aborted) throw new Failure('interrupted', `stopped waiting for ${file}`)
    if (waited >= wait) throw inUse(lockHolder(file))
    // The longer it takes, the less often it is tried.
    const pause = (10 + Math.random() * 10) * (1 + waited / 500)
    await sleep(pause)
    waited += pause
  }
}

/**
 * Locks a file; undefined while another process, or this one, holds it. A folder with the entry inside is renamed into place. That
 * succeeds only if nothing or an empty folder is there, so that one of many processes wins. The entry of a dead owner is removed by
 * its own name, so that nobody removes a lock that was taken after it.
 */
export function tryLock(file: string, note = ''): Lock | undefined {
  const folder = lockFolder(file)
  const name = ownerName(currentOwner())
  const entry = entryIn(folder)
  if (entry !== undefined) {
    if (isEntryAlive(folder, entry)) return undefined
    ignoreErrors(() => unlinkSync(join(folder, entry)))
    removeEmpty(folder)
  }
  return createEntry(folder, name, note) ? heldLock(folder, name) : undefined
}

/** Whether a living process has the file. */
export function isLocked(file: string): boolean {
  const folder = lockFolder(file)
  const entry = entryIn(folder)
  return entry !== undefined && isEntryAlive(folder, entry)
}

export function lockHolder(file: string): LockHolder {
  const folder = lockFolder(file)
  const entry = entryIn(folder)
  const note = entry && ignoreErrors(() => readFileSync(join(folder, entry), 'utf8'))
  return { pid: parseOwnerName(entry ?? '')?.pid, note }
}

/** The files in a folder that are locked, or were when their owner died. */
export const lockedFiles = (folder: string): string[] =>
  (ignoreErrors(() => readdirSync(folder)) ?? [])
    .filter(name => name.endsWith(extension))
    .map(name => join(folder, name.slice(0, -extension.length)))

const extension = '.lock'

const lockFolder = (file: string): string => `${file}${extension}`

function heldLock(folder: string, name: string): Lock {
  const entry = join(folder, name)
  const timer = setInterval(() => touch(entry), heartbeat.interval)
  timer.unref()
  const remove = () => {
    ignoreErrors(() => unlinkSync(entry))
    removeEmpty(folder)
  }
  releaseAtExit(remove)
  return {
    announce: note => writeFileSync(entry, note),
    release() {
      clearInterval(timer)
      held.delete(remove)
      remove()
    },
  }
}

/** What removes the locks of this process. */
const held = new Set<() => void>()

/** Ctrl-C can end the process at any moment. */
function releaseAtExit(remove: () => void): void {
  process.off('exit', removeAll).once('exit', removeAll)
  held.add(remove)
}

const removeAll = () => {
  for (const remove of held) remove()
}

function createEntry(folder: string, name: string, note: string): boolean {
  const temporary = `${folder}.${name}`
  mkdirSync(temporary)
  writeFileSync(join(temporary, name), note)
  try {
    renameSync(temporary, folder)
    return true
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) throw error
    // Windows renames no folder onto another, not even onto an empty one.
    removeEmpty(folder)
    return false
  }
}

const entryIn = (folder: string): string | undefined => ignoreErrors(() => readdirSync(folder)[0])

/** An owner whose process cannot be seen from here counts as alive for as long as it touches its entry. */
function isEntryAlive(folder: string, entry: string): boolean {
  const owner = parseOwnerName(entry)
  const isAlive = owner && isOwnerAlive(owner)
  if (isAlive !== undefined) return isAlive
  const touched = ignoreErrors(() => statSync(join(folder, entry)).mtimeMs)
  return touched !== undefined && Date.now() - touched < heartbeat.timeout
}

const touch = (path: string) => ignoreErrors(() => utimesSync(path, new Date(), new Date()))
const removeEmpty = (folder: string) => ignoreErrors(() => rmdirSync(folder))

/** Another process may remove the same entry at the same moment. */
function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
