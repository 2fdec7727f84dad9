import { closeSync, constants, ftruncateSync, openSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { pack, unpack } from './blank-rows.ts'
import { type Disk, type Fingerprint, isSameFingerprint } from './disk.ts'
import type { Rows, TableName } from './rows.ts'
import type { RowChange, Sequence } from './store.ts'
import type { Commit, Rewriting } from './tables.ts'

/** A commit in the journal: the records it put and deleted, and the ids given out by then. */
export interface Entry {
  readonly changes: readonly EntryChange[]
  readonly sequence: Sequence
}

/** A record put or deleted. */
export type EntryChange = {
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
  /** In bytes; more than `end.size` if the last line is torn. */
  readonly length: number
  /** The number of the line that is damaged and is not the last. */
  readonly damagedLine?: number
}

/** Reads a journal, given the calendar file's fingerprint. An incomplete last line was never acknowledged, and is left out. */
export function readCalendarJournal(bytes: Buffer, file: Fingerprint | undefined): CalendarJournalContents {
  let entries: Entry[] = []
  let knowsFile = false
  let end: End = { size: 0, checksum: 0 }
  for (let line = 1; end.size < bytes.length; line++) {
    const next = bytes.indexOf('\n', end.size)
    const value = next < 0 ? undefined : parseLine(bytes.toString('utf8', end.size, next), end.checksum)
    if (!value) {
      const isLast = next < 0 || next === bytes.length - 1
      return { entries, matchesFile: knowsFile, end, length: bytes.length, ...(isLast ? {} : { damagedLine: line }) }
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

function parseLine(line: string, before: number): { content: Entry | Base; checksum: number } | undefined {
  const text = line.slice(9)
  const checksum = crc32(text, before)
  return line.slice(0, 9) === `${hex(checksum)} ` ? { content: JSON.parse(text), checksum } : undefined
}

const hex = (checksum: number) => checksum.toString(16).padStart(8, '0')

/** The journal that this process writes. */
export interface CalendarJournal {
  /** In bytes. */
  readonly size: number
  /** Whether the calendar file has everything. */
  readonly isEmpty: boolean
  /** Resolves when the entries are safe on disk; if it rejects, none of them is there. */
  append(entries: readonly Entry[]): Promise<void>
  /** Says that a file with this fingerprint, if it is there, has all that came before; resolves when that is safe on disk. */
  mark(file: Fingerprint): Promise<void>
  /** Starts again, empty, for a file that has everything. Nothing is lost if that does not reach the disk. */
  reset(file: Fingerprint): void
  /** Removes the journal, whose entries are no longer needed; the next one continues this file. */
  discard(file?: Fingerprint): void
  close(): void
}

/** Appends to a journal, after the part of it that is undamaged. `base` is the calendar file, if a new journal may continue it. */
export function continueCalendarJournal(
  path: string,
  found: CalendarJournalContents,
  base: Fingerprint | undefined,
  disk: Disk,
): CalendarJournal {
  let { end } = found
  let isEmpty = found.entries.length === 0
  /** Whether something may stand after the end that must not be read. */
  let hasTail = found.length > end.size
  let first: readonly Base[] = base ? [{ base }] : []
  let opened: number | undefined

  const file = () => {
    opened ??= openSync(path, constants.O_RDWR | constants.O_CREAT, 0o666)
    return opened
  }
  const close = () => {
    if (opened !== undefined) closeSync(opened)
    opened = undefined
  }
  const cutTail = () => {
    if (hasTail) ftruncateSync(file(), end.size)
    hasTail = false
  }
  const write = (contents: readonly (Entry | Base)[]): End => {
    const { bytes, checksum } = linesOf(end.size === 0 ? [...first, ...contents] : contents, end.checksum)
    cutTail()
    hasTail = true
    disk.write(file(), bytes, end.size)
    return { size: end.size + bytes.length, checksum }
  }
  const save = async (contents: readonly (Entry | Base)[]) => {
    try {
      const written = write(contents)
      await disk.flush(file())
      end = written
      hasTail = false
    } catch (error) {
      attempt(cutTail)
      throw error
    }
  }

  return {
    get size() {
      return end.size
    },
    get isEmpty() {
      return isEmpty
    },
    async append(entries) {
      await save(entries)
      isEmpty = false
    },
    mark: file => save([{ base: file }]),
    reset(file) {
      end = { size: 0, checksum: 0 }
      isEmpty = true
      hasTail = true
      first = [{ base: file }]
      attempt(() => {
        end = write([])
        hasTail = false
      })
    },
    discard(file) {
      close()
      attempt(() => rmSync(path, { force: true }))
      end = { size: 0, checksum: 0 }
      isEmpty = true
      // If the file is still there, what it has must not be read.
      hasTail = true
      first = file ? [{ base: file }] : []
    },
    close,
  }
}

function linesOf(contents: readonly (Entry | Base)[], before: number): { bytes: Buffer; checksum: number } {
  let checksum = before
  let lines = ''
  for (const content of contents) {
    const text = JSON.stringify(content)
    checksum = crc32(text, checksum)
    lines += `${hex(checksum)} ${text}\n`
  }
  return { bytes: Buffer.from(lines), checksum }
}

/** For what only leaves behind what the next write puts right. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {}
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
