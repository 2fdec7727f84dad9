import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../contract/nearest.ts'
import { Failure } from '../failure.ts'

/** The runs whose journals are in a folder, the latest first. */
export function runsIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter(name => name.endsWith('.ndjson'))
    return files.map(name => name.slice(0, -'.ndjson'.length)).toSorted(latestFirst)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Failure('settings', `cannot read ${folder}: ${(error as Error).message}`)
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

/** Removes journals that nothing was written to since a time, in ms; gives the names of their runs. */
export function pruneRuns(folder: string, before: number): string[] {
  const old = runsIn(folder).filter(run => statSync(journalFile(folder, run)).mtimeMs < before)
  for (const run of old) rmSync(journalFile(folder, run), { force: true })
  return old
}
