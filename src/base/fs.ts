import { existsSync, mkdirSync, readFileSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ignoreErrors } from './attempt.ts'
import { badSettings } from './failure.ts'
import { reason } from './io-reasons.ts'
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

/** The text of a settings file; undefined if there is none. Throws `settings` if it cannot be read. */
export function settingsText(path: string): string | undefined {
  try {
    return readSettingsFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw badSettings(
      phrase('cannot read {path}: {reason}', { path, reason: reason(error as Error, 'read') }),
      code === undefined ? phrase('replace it with a configuration file') : phrase('check that you may read it'),
    )
  }
}

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

/** Writes a file completely or not at all: to a temporary file next to it, flushed, then renamed. Throws Node's error. */
export async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic')
  await writeFileAtomic(path, text, mode === undefined ? {} : { mode })
}
