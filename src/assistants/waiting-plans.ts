import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ignoreErrors } from '../base/attempt.ts'
import { statOf } from '../base/fs.ts'

/** How often a folder is looked at, in ms. */
const pause = 1000

/** The `.json` files that are in a folder or come into it, and again those that change, until the signal. */
export async function* filesComingInto(
  folder: string,
  stopping: AbortSignal,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<string> {
  const seen = new Set<string>()
  for (; !stopping.aborted; await sleep(pause, stopping))
    for (const name of ignoreErrors(() => readdirSync(folder).toSorted()) ?? []) {
      // Files that are just being written have other names.
      if (!name.endsWith('.json')) continue
      const file = join(folder, name)
      const version = `${file} ${statOf(file)?.mtimeMs}`
      if (!seen.has(version) && !stopping.aborted) yield file
      seen.add(version)
    }
}
