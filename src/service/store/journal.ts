import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { type Disk, type Fingerprint, flushFolder } from './disk.ts'
import { type Base, type CalendarJournalContents, type Entry, linesOf } from './journal-entries.ts'

/** The journal that this process writes. */
export interface CalendarJournal {
  /** In bytes. */
  readonly size: number
  /** Whether the calendar file has everything. */
  readonly isEmpty: boolean
  /** Whether nothing that was refused can be on disk. */
  readonly isClear: boolean
  /** Whether the file at its path is the one that is written: nobody removed, replaced or cut it. */
  isInPlace(): boolean
  /** Resolves when the entries are safe on disk; if it rejects, none of them is there if `isClear`. */
  append(entries: readonly Entry[]): Promise<void>
  /** Says that a file with this fingerprint, if it is there, has all that came before; resolves when that is safe on disk. */
  mark(file: Fingerprint): Promise<void>
  /** Takes what was refused off the disk, if that was not possible before. */
  clear(): Promise<void>
  /** Starts again, empty: the entries are no longer needed. What follows continues this file. */
  discard(file?: Fingerprint): void
  /** Closes and removes the journal. */
  remove(): void
  /** Gives up a file that is no longer in place; the entries are only in memory until the calendar file is written. */
  forsake(): void
  /** Leaves the file to another process. */
  abandon(): void
  close(): void
}

/** Appends to a journal, after the part of it that is undamaged. `base` is the calendar file, if a new journal may continue it. */
export function continueCalendarJournal(
  path: string,
  found: CalendarJournalContents,
  base: Fingerprint | undefined,
  disk: Disk,
  mode: () => number | undefined,
  isShared = false,
): CalendarJournal {
  const isThere = existsSync(path)
  /** The file that was read; what somebody puts in its place is not ours. */
  const read = lstatSync(path, { throwIfNoEntry: false })?.ino
  /** Whether an owner that was only stopped may still write to the file that is there: the next one is a new file. */
  let mustReplace = isShared && isThere
  let { end } = found
  let isEmpty = found.entries.length === 0
  /** Whether something may stand after the end that must not be read. */
  let hasTail = isThere && (found.length === 0 || found.length > end.size)
  let isClear = true
  let isAbandoned = false
  let first: readonly Base[] = base ? [{ base }] : []
  let opened: { readonly fd: number; readonly ino: number; isListed: boolean } | undefined

  /** A new file is readable by those who can read the calendar, and by nobody else. */
  const open = () => {
    // What is at the path belongs to another process.
    if (isAbandoned) throw new Error(`${path} is abandoned`)
    const isNew = end.size === 0 && !hasTail
    // What somebody else created since is not ours to write to.
    const fd = openSync(path, constants.O_RDWR | noLinks | (isNew ? constants.O_CREAT | constants.O_EXCL : 0), 0o600)
    // Only the owner of a file may do that.
    attempt(() => fchmodSync(fd, (mode() ?? 0o666 & ~process.umask()) & 0o777))
    opened = { fd, ino: fstatSync(fd).ino, isListed: !isNew }
    return opened
  }
  const close = () => {
    if (opened) closeSync(opened.fd)
    opened = undefined
  }
  /** Writing where something stood before could leave parts of that behind, if the power fails. */
  const cutTail = async () => {
    if (!hasTail) return
    const { fd } = opened ?? open()
    ftruncateSync(fd, end.size)
    await disk.flush(fd)
    hasTail = false
    isClear = true
  }
  const save = async (contents: readonly (Entry | Base)[]) => {
    await cutTail()
    const file = opened ?? open()
    const { bytes, checksum } = linesOf(end.size === 0 ? [...first, ...contents] : contents, end.checksum)
    hasTail = true
    try {
      disk.write(file.fd, bytes, end.size)
      await disk.flush(file.fd)
      if (!file.isListed) await flushFolder(dirname(path))
    } catch (error) {
      isClear = false
      await cutTail().catch(() => {})
      throw error
    }
    file.isListed = true
    end = { size: end.size + bytes.length, checksum }
    hasTail = false
  }
  return {
    get size() {
      return end.size
    },
    get isEmpty() {
      return isEmpty
    },
    get isClear() {
      return isClear
    },
    isInPlace() {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (!opened && end.size === 0 && !hasTail) return found === undefined
      return found !== undefined && found.size >= end.size && (opened?.ino ?? read ?? found.ino) === found.ino
    },
    async append(entries) {
      await save(entries)
      isEmpty = false
    },
    mark: file => save([{ base: file }]),
    clear: cutTail,
    discard(file) {
      const size = Math.max(end.size, found.length)
      end = { size: 0, checksum: 0 }
      first = file ? [{ base: file }] : []
      isEmpty = true
      isClear = true
      if (isAbandoned) return
      if (mustReplace && attempt(() => rmSync(path, { force: true }))) {
        close()
        mustReplace = false
        hasTail = false
        return
      }
      if (size === 0) return
      // Not by its name, which may be that of another process's journal if this one was stopped for long.
      hasTail = true
      attempt(() => ftruncateSync((opened ?? open()).fd, 0))
    },
    remove() {
      if (!isAbandoned) attempt(() => rmSync(path, { force: true }))
      close()
    },
    forsake() {
      close()
      end = { size: 0, checksum: 0 }
      first = []
      hasTail = false
    },
    abandon() {
      close()
      isAbandoned = true
      isEmpty = true
    },
    close,
  }
}

/** A link beside the calendar file leads to what is not ours. Windows has no such flag. */
const noLinks = constants.O_NOFOLLOW ?? 0

/** For what the next write puts right if it fails. */
function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
