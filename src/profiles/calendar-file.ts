import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../failure.ts'
import { storedFileProblem } from '../fs.ts'

/** The failure for a calendar file that does not exist; undefined if it does. */
export function missingFile(file: string): Failure | undefined {
  if (existsSync(file)) return undefined
  return new Failure('settings', `no such file: ${file}`, {
    hint: existsSync(dirname(file))
      ? `create an empty calendar with: calctl serve --file ${file}`
      : `the folder ${dirname(file)} does not exist either: is the path right?`,
  })
}

/** Refuses a calendar file whose folder does not exist, and a path that is not a file. */
export function requireFolder(file: string): void {
  const missing = existsSync(dirname(file)) ? undefined : missingFile(file)
  if (missing) throw missing
  const problem = storedFileProblem(file)
  if (problem !== undefined)
    throw new Failure('settings', `cannot open ${file}: ${problem}`, { hint: 'name a calendar file of calctl' })
}
