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
import { crc32 } from 'node:zlib'
import { type Disk, type Fingerprint, flushFolder, isSameFingerprint } from './disk.ts'
import { pack, type Rows, type TableName, unpack } from './rows.ts'
import type { RowChange, Sequence } from './store.ts'
import type { Commit, Rewriting } from './tables.ts'

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

/** A commit in the journal: the records it put and deleted, and the ids given out by then. */
interface Entry {
  readonly changes: readonly EntryChange[]
  readonly sequence: Sequence
}

/** A record put or deleted. */
type EntryChange = {
  [T in TableName]:
    | { readonly table: T; readonly put: Partial<Rows[T]> }
    | { readonly table: T; readonly delete: number }
}[TableName]

/** A mark: the calendar file has everything up to here. */
interface Base {
  readonly base: Fingerprint
}

/** Where the undamaged part of a journal ends. */
interface End {
  readonly size: number
  /** Of all texts up to here; it begins the checksum of the next line, so that no line can go missing. */
  readonly checksum: number
}

/** The contents of a journal. */
export interface CalendarJournalContents {
  /** Whether this journal belongs to the calendar file. */
  readonly matchesFile: boolean
  /** The entries that the calendar file does not have yet; all of them if it is another file. */
  readonly entries: readonly Entry[]
  readonly end: End
  /** In bytes; more than `end.size` if its end is torn. */
  readonly length: number
  /** The number of the line that is damaged, unless it was never written whole. */
  readonly damagedLine?: number
}

/**
 * Reads a journal, given the calendar file's fingerprint. What was written together and did not reach the disk whole was never
 * acknowledged, and is left out.
 */
export function readCalendarJournal(bytes: Buffer, file: Fingerprint | undefined): CalendarJournalContents {
  let entries: Entry[] = []
  let knowsFile = false
  let end: End = { size: 0, checksum: 0 }
  for (let line = 1; end.size < bytes.length; line++) {
    const next = bytes.indexOf('\n', end.size)
    const value = next < 0 ? undefined : parseLine(bytes.toString('utf8', end.size, next), end.checksum)
    if (!value) {
      const damage = isTorn(bytes, end.size, end.checksum) ? {} : { damagedLine: line }
      return { entries, matchesFile: knowsFile, end, length: bytes.length, ...damage }
    }
    if ('changes' in value.content) entries.push(value.content)
    else if (isSameFingerprint(value.content.base, file)) {
      knowsFile = true
      entries = []
    }
    end = { size: next + 1, checksum: value.checksum }
  }
  return { entries, matchesFile: knowsFile, end, length: bytes.length }
}

/**
 * Whether the line at `start`, which cannot be read, was never on disk whole: it is cut off, or blocks of it are still the zeros with
 * which a file grows; and nothing was written after the lines that were written together with it, which happens only when those are
 * on disk. Other damage happened to what was acknowledged.
 */
function isTorn(bytes: Buffer, start: number, before: number): boolean {
  const next = bytes.indexOf('\n', start)
  // A line that only lost its end to another character was whole.
  if (next < 0) return !parseLine(bytes.toString('utf8', start, bytes.length - 1), before)
  return hasUnwrittenBlocks(bytes, start, next) && !/\n[\da-f]{8} \{/.test(bytes.toString('latin1', next))
}

/** The smallest unit that a disk writes, in bytes. */
const block = 512

function hasUnwrittenBlocks(bytes: Buffer, start: number, end: number): boolean {
  let at = bytes.indexOf(0, start)
  if (at < 0 || at >= end) return false
  for (; at >= 0 && at < end; at = bytes.indexOf(0, at)) {
    const isBoundary = at === start || at % block === 0
    while (bytes[at] === 0) at++
    if (!isBoundary || (at % block !== 0 && at !== bytes.length)) return false
  }
  return true
}

/** A line of a group: its checksum, a space in the first line of the group and a plus in the others, and JSON. */
function parseLine(line: string, before: number): { content: Entry | Base; checksum: number } | undefined {
  const text = line.slice(9)
  const checksum = crc32(text, before)
  return line.slice(0, 8) === hex(checksum) && (line[8] === ' ' || line[8] === '+')
    ? { content: JSON.parse(text), checksum }
    : undefined
}

const hex = (checksum: number) => checksum.toString(16).padStart(8, '0')

/**
 * Whether a file is a journal, by its beginning: that of a first line, or zeros where the power failed before the line was on disk.
 * Nothing else is ours to write to.
 */
export function isJournal(bytes: Buffer): boolean {
  const beginning = bytes.subarray(0, block)
  return (
    /^[\da-f]{8}[ +]\{"(?:base|changes)":/.test(beginning.toString('latin1')) || beginning.every(byte => byte === 0)
  )
}

/** What is written together, after what has this checksum: its first line differs from the others. */
function linesOf(contents: readonly (Entry | Base)[], before: number): { bytes: Buffer; checksum: number } {
  let checksum = before
  let lines = ''
  for (const content of contents) {
    const text = JSON.stringify(content)
    checksum = crc32(text, checksum)
    lines += `${hex(checksum)}${lines === '' ? ' ' : '+'}${text}\n`
  }
  return { bytes: Buffer.from(lines), checksum }
}

/** The entry of a commit. */
export const entryOf = ({ changes, after }: Commit): Entry => ({ changes: changes.map(entryChange), sequence: after })

/** The write that repeats a commit. */
export const replaying =
  ({ changes, sequence }: Entry) =>
  (writing: Rewriting): void => {
    for (const change of changes) {
      if ('put' in change) writing.put(change.table, unpack(change.table, change.put))
      else writing.delete(change.table, change.delete)
    }
    writing.setSequence(sequence)
  }

const entryChange = ({ table, id, after }: RowChange): EntryChange =>
  (after ? { table, put: pack(table, after) } : { table, delete: id }) as EntryChange
