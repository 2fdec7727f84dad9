import { crc32 } from 'node:zlib'
import { pack, unpack } from './blank-rows.ts'
import { type Fingerprint, isSameFingerprint } from './disk.ts'
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
export interface Base {
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
export function linesOf(contents: readonly (Entry | Base)[], before: number): { bytes: Buffer; checksum: number } {
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
