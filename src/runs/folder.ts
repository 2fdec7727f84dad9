import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'
import { type Claim, claimIfFree, isClaimed } from '../lock/lock.ts'
import { nearest } from '../text/nearest.ts'

/** The runs whose journals are in a folder, the latest first. */
export function runsIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter(name => name.endsWith('.ndjson'))
    return files.map(name => name.slice(0, -'.ndjson'.length)).toSorted(latestFirst)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Failure('settings', `cannot read ${folder}: ${(error as Error).message}`, {
      hint: 'make the folder readable, or name another with: XDG_STATE_HOME=…',
    })
  }
}

const latestFirst = (one: string, other: string): number => other.localeCompare(one, 'en', { numeric: true })

export const journalFile = (folder: string, run: string): string => join(folder, `${run}.ndjson`)

/** The run that is meant: by its name, or the latest. */
export function runNamed(folder: string, name?: string): string {
  const runs = runsIn(folder)
  const run = name === undefined ? runs[0] : runs.find(run => run === name)
  if (run !== undefined) return run
  const meant = name && nearest(name, runs)
  throw new Failure('missing', name === undefined ? 'there are no runs yet' : `there is no run ${name}`, {
    hint: meant ? `did you mean ${meant}?` : 'list them with: calctl runs list',
  })
}

/** Claims a run for this process before it is read; throws `conflict` while another one carries it out. */
export function claimRun(folder: string, run: string): Claim {
  const claim = claimed(journalFile(folder, run))
  if (claim) return claim
  throw goingOn(run)
}

/** Claims a journal, whether it is there already or not; undefined while somebody has it. */
export function claimed(file: string): Claim | undefined {
  try {
    return claimIfFree(file)
  } catch (error) {
    throw unwritable(dirname(file), error)
  }
}

/** Said of a run that somebody carries out. */
export const goingOn = (run: string): Failure =>
  new Failure('conflict', `${run} is being carried out by another process`, {
    hint: 'wait for its end, or stop it with Ctrl-C',
  })

/** Said of a folder that takes no journals. */
export const unwritable = (folder: string, error: unknown): Failure =>
  new Failure('settings', `cannot keep a journal in ${folder}: ${(error as Error).message}`, {
    hint: 'make the folder writable, or name another with: XDG_STATE_HOME=…',
  })

/** Removes journals that nothing was written to since a time, in ms; gives the names of their runs. */
export function pruneRuns(folder: string, before: number): string[] {
  const isOld = (file: string) => statSync(file).mtimeMs < before && !isClaimed(file)
  const old = runsIn(folder).filter(run => isOld(journalFile(folder, run)))
  for (const run of old) rmSync(journalFile(folder, run), { force: true })
  return old
}
