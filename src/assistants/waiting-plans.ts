import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ignoreErrors } from '../base/attempt.ts'
import { makeFolder, statOf, writeAtomically } from '../base/fs.ts'
import type { Plan } from '../changes/plan/plan.ts'
import { planJson } from '../changes/plan/plan-file.ts'

/** The folder in which plans wait for a person, so that another process can ask about them. */

/** Keeps a plan as it is, in a file that only the user can read. */
export async function keepPlan(file: string, plan: Plan): Promise<void> {
  makeFolder(dirname(file), 0o700)
  await writeAtomically(file, [...planJson(plan)].join(''), 0o600)
}

/** How often a folder is looked at, in ms. */
const pause = 1000

interface Clock {
  stopping(): AbortSignal
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The files that are in a folder or come into it, and again those that change, until the process is asked to stop. */
export async function* filesComingInto(folder: string, { stopping, sleep }: Clock): AsyncGenerator<string> {
  const signal = stopping()
  const seen = new Set<string>()
  for (; !signal.aborted; await sleep(pause, signal))
    for (const name of ignoreErrors(() => readdirSync(folder).toSorted()) ?? []) {
      const file = join(folder, name)
      const version = `${file} ${statOf(file)?.mtimeMs}`
      if (!seen.has(version) && !signal.aborted) yield file
      seen.add(version)
    }
}
