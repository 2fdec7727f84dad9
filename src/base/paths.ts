import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ignoreErrors } from './attempt.ts'

/** The path of a `file:` URL, as file managers copy it and calendar files name their images; anything else as it is. */
export function localPath(name: string): string {
  return (/^file:\/\//i.test(name) ? ignoreErrors(() => fileURLToPath(name)) : undefined) ?? name
}

/** Whether a file is in a folder or below it once links are followed. A link to nothing is not: a write could create what it names. */
export function isInside(file: string, folder: string): boolean {
  // Where there is no folder, there is no link.
  if (!existsSync(dirname(file))) return isBelow(file, folder)
  try {
    const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined
    const real = isThere ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
    return isBelow(real, realpathSync(folder))
  } catch {
    return false
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
