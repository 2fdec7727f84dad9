import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../failure.ts'

/** What is said of a calendar file that somebody named and that is not there; undefined where it is. */
export function absence(file: string): Failure | undefined {
  if (existsSync(file)) return undefined
  return new Failure('settings', `no such file: ${file}`, {
    hint: hasFolder(file)
      ? `make an empty calendar with: calctl serve --file ${file}`
      : `there is no folder ${dirname(file)} either: is the path right?`,
  })
}

/** Refuses a file that cannot even be made, because its folder is not there. */
export function checkFolder(file: string): void {
  const absent = hasFolder(file) ? undefined : absence(file)
  if (absent) throw absent
}

const hasFolder = (file: string): boolean => existsSync(dirname(file))
