import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'
import { isLocked, type Lock, lockHolder, tryLock } from '../lock/lock.ts'
import { nearest } from '../text/similarity.ts'

/** The names of the runs whose journals are in a folder, the latest first. */
export function listRuns(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter(name => name.endsWith('.ndjson'))
    return files.map(name => name.slice(0, -'.ndjson'.length)).toSorted(latestFirst)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Failure('settings', `cannot read ${folder}: ${(error as Error).message}`, {
      hint: 'make the folder readable, or choose another with: XDG_STATE_HOME=…',
    })
  }
}

const latestFirst = (one: string, other: string): number => other.localeCompare(one, 'en', { numeric: true })

export const journalPath = (folder: string, run: string): string => join(folder, `${run}.ndjson`)

/** The run with this name, or without a name the latest; throws `missing` if there is none. */
export function findRun(folder: string, name?: string): string {
  const runs = listRuns(folder)
  const run = name === undefined ? runs[0] : runs.find(run => run === name)
  if (run !== undefined) return run
  const suggestion = name && nearest(name, runs)
  throw new Failure('missing', name === undefined ? 'no runs yet' : `no run ${name}`, {
    hint: suggestion ? `did you mean ${suggestion}?` : 'list the runs with: calctl runs list',
  })
}

/** Locks a run before its journal is read; throws `conflict` while another process executes it. */
export function lockRun(folder: string, run: string): Lock {
  const file = journalPath(folder, run)
  const lock = tryLockJournal(file)
  if (lock) return lock
  throw runInProgress(folder, run)
}

/** Locks a journal, whether it exists or not; undefined while somebody else has it. */
export function tryLockJournal(file: string): Lock | undefined {
  try {
    return tryLock(file)
  } catch (error) {
    throw folderNotWritable(dirname(file), error)
  }
}

export function runInProgress(folder: string, run: string): Failure {
  const { pid } = lockHolder(journalPath(folder, run))
  return new Failure('conflict', `another process is executing run ${run}${pid === undefined ? '' : ` (pid ${pid})`}`, {
    hint: 'wait until it ends, or stop that process',
  })
}

export const folderNotWritable = (folder: string, error: unknown): Failure =>
  new Failure('settings', `cannot write a journal in ${folder}: ${(error as Error).message}`, {
    hint: 'make the folder writable, or choose another with: XDG_STATE_HOME=…',
  })

/** Removes the journals that were last written before a time, in ms; returns the names of their runs. */
export function pruneRuns(folder: string, before: number): string[] {
  const isOld = (file: string) => statSync(file).mtimeMs < before && !isLocked(file)
  const old = listRuns(folder).filter(run => isOld(journalPath(folder, run)))
  for (const run of old) rmSync(journalPath(folder, run), { force: true })
  return old
}
