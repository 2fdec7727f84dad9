import { existsSync, mkdirSync, readFileSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

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

/** What an input is called that is larger. */
export const tooLarge = largerThan(largestInput)

function largerThan(size: number): string {
  return `it is larger than ${size / 1024 ** 2} MB`
}

/** Why a path cannot be read as a file, if it exists: only regular files and pipes end. */
export function inputProblem(path: string): string | undefined {
  const stat = statOf(path)
  return stat?.isFIFO() ? undefined : problemOf(path, stat, largestInput)
}

/** Whether what is at a path is gone once it has been read. */
export const isPipe = (path: string): boolean => statOf(path)?.isFIFO() === true

/** Why a path cannot be read as a file that is read again and again, if it exists: a pipe may never end. */
export const storedFileProblem = (path: string): string | undefined => problemOf(path, statOf(path), largestInput)

/** The same for a file that is read piece by piece, however large it is. */
export const streamedFileProblem = (path: string): string | undefined =>
  problemOf(path, statOf(path), Number.POSITIVE_INFINITY)

/** The text of a file that calctl keeps. Throws Node's error, or one that says why it is no such file. */
export function readStoredFile(path: string, largest = largestInput): string {
  const problem = problemOf(path, statOf(path), largest)
  if (problem !== undefined) throw new Error(problem)
  return readFileSync(path, 'utf8')
}

/** The same of a file of settings, which may be in anybody's folder. */
export const readSettingsFile = (path: string): string => readStoredFile(path, largestSettings)

function problemOf(path: string, stat: Stats | undefined, largest: number): string | undefined {
  if (stat === undefined) return undefined
  if (stat.isDirectory()) return 'it is a directory'
  if (stat.isFIFO()) return 'it is a pipe'
  if (!stat.isFile()) return 'it is not a file'
  if (stat.size === 0 && isMadeBySystem(path)) return 'it is not a file on a disk'
  return stat.size > largest ? largerThan(largest) : undefined
}

/** The numbers of the file systems below /proc and /sys/kernel: some of their files wait or go on for ever, with a size of 0. */
const madeBySystem: ReadonlySet<number> = new Set([0x9fa0, 0x64626720, 0x74726163])

function isMadeBySystem(path: string): boolean {
  try {
    return madeBySystem.has(statfsSync(path).type)
  } catch {
    return false
  }
}

/** What is at a path; undefined if nothing can be, as when the name is too long. Opening it says why. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Why the system refused to write a file, or to read it, in words. */
export const reason = ({ code = '', message }: NodeJS.ErrnoException, access: 'read' | 'write' = 'write'): string =>
  reasons[access][code] ?? reasons.both[code] ?? (code || message)

const reasons: Readonly<Record<'read' | 'write' | 'both', Readonly<Record<string, string>>>> = {
  read: { ENOENT: 'no such file', ENOTDIR: 'no such file', EACCES: 'permission denied', EPERM: 'permission denied' },
  write: {
    ENOENT: 'its folder does not exist',
    ENOTDIR: 'its folder is a file',
    EACCES: 'no permission to write to it',
    EPERM: 'no permission to write to it',
  },
  both: {
    EROFS: 'the disk is read-only',
    EISDIR: 'it is a folder',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk is full',
    EFBIG: 'it would be too large',
    EIO: 'the disk failed',
    EBUSY: 'another program is using it',
    ETXTBSY: 'another program is using it',
    EMFILE: 'too many files are open',
    ENFILE: 'too many files are open',
    ELOOP: 'its links lead in a circle',
    ENAMETOOLONG: 'its name is too long',
  },
}

/** Writes a file as a whole or not at all: to a temporary file next to it, flushed, then renamed. Throws Node's error. */
export async function writeAtomically(path: string, text: string, mode?: number): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic')
  await writeFileAtomic(path, text, mode === undefined ? {} : { mode })
}
