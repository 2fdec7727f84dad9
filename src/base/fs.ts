import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, type Stats, statfsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ignoreErrors } from './attempt.ts'
import { phrase } from './words/phrase.ts'

/**
 * Creates a folder and its parents if they do not exist; throws Node's error. Node's own `recursive` loops forever in folders such
 * as /proc, where mkdir fails with ENOENT.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The largest input, in bytes: a text of twice this size is more than V8 can hold. */
export const largestInput = 500 * 1024 ** 2

/** The largest file of settings, in bytes: a thousand profiles take less. */
const largestSettings = 1024 ** 2

export const tooLarge = (): string => largerThan(largestInput)

export const largerThan = (size: number): string => phrase('it is larger than {size} MB', { size: size / 1024 ** 2 })

/** Why a path cannot be read as a file, if it exists: only regular files and pipes end. */
export function inputProblem(path: string): string | undefined {
  const stat = statOf(path)
  return stat?.isFIFO() ? undefined : problemOf(path, stat, largestInput)
}

export const isPipe = (path: string): boolean => statOf(path)?.isFIFO() === true

/** Why a path cannot be read as a file that is read again and again, if it exists: a pipe may never end. */
export const storedFileProblem = (path: string): string | undefined => problemOf(path, statOf(path), largestInput)

/** The same for a file that is read in chunks, whatever its size. */
export const streamedFileProblem = (path: string): string | undefined =>
  problemOf(path, statOf(path), Number.POSITIVE_INFINITY)

/** Reads a file that calctl keeps. Throws Node's error, or one that says why it is not a regular file of this size. */
export function readStoredFile(path: string, largest = largestInput): string {
  const problem = problemOf(path, statOf(path), largest)
  if (problem !== undefined) throw new Error(problem)
  return readFileSync(path, 'utf8')
}

/** Reads a settings file, which may lie in a folder of somebody else. */
export const readSettingsFile = (path: string): string => readStoredFile(path, largestSettings)

function problemOf(path: string, stat: Stats | undefined, largest: number): string | undefined {
  if (stat === undefined) return undefined
  if (stat.isDirectory()) return phrase('it is a directory')
  if (stat.isFIFO()) return phrase('it is a pipe')
  if (!stat.isFile()) return phrase('it is not a file')
  if (stat.size === 0 && isMadeBySystem(path)) return phrase('it is not a file on a disk')
  return stat.size > largest ? largerThan(largest) : undefined
}

/** The types of the file systems below /proc and /sys/kernel: some of their files block or never end, and report a size of 0. */
const madeBySystem: ReadonlySet<number> = new Set([0x9fa0, 0x64626720, 0x74726163])

const isMadeBySystem = (path: string): boolean => ignoreErrors(() => madeBySystem.has(statfsSync(path).type)) ?? false

/** Undefined if there is nothing, or the name is invalid; opening the path then gives the reason. */
export const statOf = (path: string): Stats | undefined => ignoreErrors(() => statSync(path))

/** The reason for an I/O error, in words. */
export function reason({ code = '', message }: NodeJS.ErrnoException, access: 'read' | 'write' = 'write'): string {
  const [, say] = [...reasons[access], ...reasons.both].find(([codes]) => codes.split(' ').includes(code)) ?? []
  return say?.() ?? (code || message)
}

type Reasons = readonly (readonly [codes: string, say: () => string])[]

const reasons: Readonly<Record<'read' | 'write' | 'both', Reasons>> = {
  read: [
    ['ENOENT ENOTDIR', () => phrase('no such file')],
    ['EACCES EPERM', () => phrase('permission denied')],
  ],
  write: [
    ['ENOENT', () => phrase('its folder does not exist')],
    ['ENOTDIR', () => phrase('its folder is a file')],
    ['EACCES EPERM', () => phrase('no permission to write to it')],
  ],
  both: [
    ['EROFS', () => phrase('the disk is read-only')],
    ['EISDIR', () => phrase('it is a folder')],
    ['ENOSPC EDQUOT', () => phrase('the disk is full')],
    ['EFBIG', () => phrase('it would be too large')],
    ['EIO', () => phrase('the disk failed')],
    ['EBUSY ETXTBSY', () => phrase('another program is using it')],
    ['EMFILE ENFILE', () => phrase('too many files are open')],
    ['ELOOP', () => phrase('its links lead in a circle')],
    ['ENAMETOOLONG', () => phrase('its name is too long')],
  ],
}

/** Writes a file completely or not at all: to a temporary file next to it, flushed, then renamed. Throws Node's error. */
export async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic')
  await writeFileAtomic(path, text, mode === undefined ? {} : { mode })
}

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
