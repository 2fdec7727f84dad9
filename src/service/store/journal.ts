import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, lstatSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkLine, sealLine } from '../../base/sealed-lines.ts'
import { type Disk, type Fingerprint, flushFolder, isSameFingerprint } from './disk.ts'
import { pack, type Rows, type TableName, unpack } from './rows.ts'
import type { RowChange, Sequence } from './store.ts'
import type { Commit, Rewriting } from './tables.ts'

/** The part of a journal's file that is read again, and what follows it. */
interface Tail {
  /** The end of the acknowledged entries, or of the lines that were read. */
  end: End
  /**
   * What may come after that end: nothing, something that must not be read (cut off, damaged or given up), or a refused write: if that
   * cannot be removed from the disk, no write is acknowledged.
   */
  after: 'nothing' | 'unread' | 'refused'
}

/** The file that is open for writing. */
interface OpenFile {
  readonly fd: number
  readonly ino: number
  /** Whether its name in the folder is safe on disk. */
  isListed: boolean
}

/** What a journal continues, and how it is written. */
export interface JournalOptions {
  readonly found: CalendarJournalContents
  /** The calendar file, if a new journal may continue it. */
  readonly base: Fingerprint | undefined
  readonly disk: Disk
  /** The mode of the calendar file: users who can read it, and no others, can read the journal. */
  readonly mode: () => number | undefined
  /** Whether an owner that was only suspended may still write to the existing file. */
  readonly isShared?: boolean
}

/** The journal that this process writes: it appends after the undamaged part. */
export class CalendarJournal {
  readonly #path: string
  readonly #options: JournalOptions
  /** The file that was read; one that somebody puts in its place is not ours. */
  readonly #readIno: number | undefined
  readonly #tail: Tail
  /** What a new file begins with. */
  #first: readonly Base[]
  #isEmpty: boolean
  /** The next journal is a new file. */
  #mustReplace: boolean
  #isAbandoned = false
  #opened: OpenFile | undefined

  constructor(path: string, options: JournalOptions) {
    const { found, base, isShared = false } = options
    const there = lstatSync(path, { throwIfNoEntry: false })
    const hasMore = there !== undefined && (found.length === 0 || found.length > found.end.size)
    this.#path = path
    this.#options = options
    this.#readIno = there?.ino
    this.#tail = { end: found.end, after: hasMore ? 'unread' : 'nothing' }
    this.#first = base ? [{ base }] : []
    this.#isEmpty = found.entries.length === 0
    this.#mustReplace = isShared && there !== undefined
  }

  /** In bytes. */
  get size(): number {
    return this.#tail.end.size
  }

  /** Whether the calendar file contains everything. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Whether no refused write can be on disk. */
  get isClear(): boolean {
    return this.#tail.after !== 'refused'
  }

  /** Whether the file at its path is the one being written: nobody has removed, replaced or truncated it. */
  isInPlace(): boolean {
    const { end, after } = this.#tail
    const found = lstatSync(this.#path, { throwIfNoEntry: false })
    if (!this.#opened && end.size === 0 && after === 'nothing') return found === undefined
    return (
      found !== undefined && found.size >= end.size && (this.#opened?.ino ?? this.#readIno ?? found.ino) === found.ino
    )
  }

  /** Resolves when the entries are safe on disk. If it rejects and `isClear`, none of them is on disk. */
  async append(entries: readonly Entry[]): Promise<void> {
    await this.#save(entries)
    this.#isEmpty = false
  }

  /** Records that a file with this fingerprint, if it exists, contains everything before; resolves when that is safe on disk. */
  mark(file: Fingerprint): Promise<void> {
    return this.#save([{ base: file }])
  }

  /** Removes from the disk what comes after the end. Overwriting it could leave parts of it behind after a power cut. */
  async clear(): Promise<void> {
    if (this.#tail.after === 'nothing') return
    const { fd } = this.#opened ?? this.#open()
    ftruncateSync(fd, this.#tail.end.size)
    await this.#options.disk.flush(fd)
    this.#tail.after = 'nothing'
  }

  /** Starts again, empty, because the entries are no longer needed. Later entries continue this file. */
  discard(file?: Fingerprint): void {
    const size = Math.max(this.#tail.end.size, this.#options.found.length)
    this.#tail.end = nothingWritten
    if (this.#tail.after === 'refused') this.#tail.after = 'unread'
    this.#first = file ? [{ base: file }] : []
    this.#isEmpty = true
    if (this.#isAbandoned || this.#replace() || size === 0) return
    // Not by its name, which may be that of another process's journal if this one was suspended for long.
    this.#tail.after = 'unread'
    attempt(() => ftruncateSync((this.#opened ?? this.#open()).fd, 0))
  }

  /** Closes and removes the journal. */
  remove(): void {
    if (!this.#isAbandoned) attempt(() => rmSync(this.#path, { force: true }))
    this.close()
  }

  /** Gives up a file that is no longer in place; its entries are only in memory until the calendar file is written. */
  forsake(): void {
    this.close()
    this.#first = []
    this.#tail.end = nothingWritten
    this.#tail.after = 'nothing'
  }

  /** Leaves the file to another process. */
  abandon(): void {
    this.close()
    this.#isAbandoned = true
    this.#isEmpty = true
  }

  close(): void {
    if (this.#opened) closeSync(this.#opened.fd)
    this.#opened = undefined
  }

  /** Removes a file to which somebody else may still write, so that a new one is begun; returns whether it did. */
  #replace(): boolean {
    if (!this.#mustReplace || !attempt(() => rmSync(this.#path, { force: true }))) return false
    this.close()
    this.#mustReplace = false
    this.#tail.after = 'nothing'
    return true
  }

  #open(): OpenFile {
    // What is at the path belongs to another process.
    if (this.#isAbandoned) throw new Error(`${this.#path} is abandoned`)
    const isNew = this.size === 0 && this.#tail.after === 'nothing'
    // A file that somebody else has created since is not ours.
    const flags = constants.O_RDWR | noLinks | (isNew ? constants.O_CREAT | constants.O_EXCL : 0)
    const fd = openSync(this.#path, flags, 0o600)
    const mode = (this.#options.mode() ?? 0o666 & ~process.umask()) & 0o777
    // Only the owner of a file may do that.
    attempt(() => fchmodSync(fd, mode))
    this.#opened = { fd, ino: fstatSync(fd).ino, isListed: !isNew }
    return this.#opened
  }

  async #save(contents: readonly (Entry | Base)[]): Promise<void> {
    await this.clear()
    const file = this.#opened ?? this.#open()
    const { end } = this.#tail
    const { bytes, checksum } = groupOf(end.size === 0 ? [...this.#first, ...contents] : contents, end.checksum)
    this.#tail.after = 'unread'
    try {
      await this.#write(file, bytes, end.size)
    } catch (error) {
      this.#tail.after = 'refused'
      await this.clear().catch(() => {})
      throw error
    }
    this.#tail.end = { size: end.size + bytes.length, checksum }
    this.#tail.after = 'nothing'
  }

  async #write(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
    this.#options.disk.write(file.fd, bytes, position)
    await this.#options.disk.flush(file.fd)
    if (!file.isListed) await flushFolder(dirname(this.#path))
    file.isListed = true
  }
}

/** A link next to the calendar file leads to something that is not ours. Windows has no such flag. */
const noLinks = constants.O_NOFOLLOW ?? 0

/** Runs work whose failure the next write makes up for. */
function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** A commit in the journal: the records that it put and deleted, and the last IDs by then. */
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

/** A mark: the calendar file contains everything up to here. */
interface Base {
  readonly base: Fingerprint
}

/** Where the undamaged part of a journal ends. */
interface End {
  readonly size: number
  /** The checksum of all texts up to here, with which that of the next line begins, so that no line can be lost unnoticed. */
  readonly checksum: number
}

/** The end of an empty journal. */
const nothingWritten: End = { size: 0, checksum: 0 }

/** The contents of a journal. */
export interface CalendarJournalContents {
  /** Whether this journal belongs to the calendar file. */
  readonly matchesFile: boolean
  /** The entries that the calendar file does not contain yet; all of them if it is another file. */
  readonly entries: readonly Entry[]
  readonly end: End
  /** In bytes; more than `end.size` if its end is incomplete. */
  readonly length: number
  /** The number of a damaged line, unless it was never completely written. */
  readonly damagedLine?: number
}

/**
 * Reads a journal, given the fingerprint of the calendar file. A group of lines that did not completely reach the disk was never
 * acknowledged, and is left out.
 */
export function readCalendarJournal(bytes: Buffer, file: Fingerprint | undefined): CalendarJournalContents {
  let entries: Entry[] = []
  let knowsFile = false
  let end = nothingWritten
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
 * Whether the unreadable line at `start` was never completely on disk: it is cut off, or blocks of it are still the zeros with which a file
 * grows; and nothing was written after its group of lines, because that happens only after they are on disk. Any other damage is in
 * acknowledged lines.
 */
function isTorn(bytes: Buffer, start: number, before: number): boolean {
  const next = bytes.indexOf('\n', start)
  // A line that only lacks its line feed was complete.
  if (next < 0) return !parseLine(bytes.toString('utf8', start, bytes.length - 1), before)
  return hasUnwrittenBlocks(bytes, start, next) && !nextGroup.test(bytes.toString('latin1', next))
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

/** A line and what comes before it, if its checksum is correct. */
function parseLine(line: string, before: number): { content: Entry | Base; checksum: number } | undefined {
  const { json, seal, checksum } = checkLine(line, before)
  return seal === 'fits' ? { content: JSON.parse(json), checksum } : undefined
}

/** The beginning of the first line of a group: how many lines it has. Earlier versions began each line with its checksum. */
const groupStart = /\{"group":\d+,|[\da-f]{8} \{/

const nextGroup = new RegExp(`\\n(?:${groupStart.source})`)

/** How a journal begins. */
const journalStart = /^(?:\{"group":\d+,|[\da-f]{8}[ +]\{)"(?:base|changes)":/

/**
 * Whether a file is a journal, judging by its beginning: a first line, or zeros if the power failed before the line was on disk. Nothing
 * else may be written to.
 */
export function isJournal(bytes: Buffer): boolean {
  const beginning = bytes.subarray(0, block)
  return journalStart.test(beginning.toString('latin1')) || beginning.every(byte => byte === 0)
}

/** A group of lines that is written together; `before` is the checksum before it. */
function groupOf(contents: readonly (Entry | Base)[], before: number): { bytes: Buffer; checksum: number } {
  let checksum = before
  const lines = contents.map((content, index) => {
    const sealed = sealLine(JSON.stringify(index === 0 ? { group: contents.length, ...content } : content), checksum)
    checksum = sealed.checksum
    return `${sealed.line}\n`
  })
  return { bytes: Buffer.from(lines.join('')), checksum }
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
