import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { badSettings } from '../../base/failure.ts'
import { reason } from '../../base/io-reasons.ts'
import { phrase } from '../../base/words/phrase.ts'

/** A list that can be iterated more than once; an array is one. */
export interface ReadonlyList<T> extends Iterable<T> {
  readonly length: number
  at(index: number): T | undefined
}

/** A list of plain data with any number of items that needs little memory. */
export interface Spool<T> extends ReadonlyList<T> {
  add(item: T): void
}

/** This many items stay in memory; the others go to an unlinked temporary file, which disappears with the process. */
const defaultInMemory = 2000

const bytesPerWrite = 1 << 20

const itemsPerRead = 100

const separator = ','

/** Creates an empty list. Throws `settings` if the folder for temporary files is full or not writable. */
export function createSpool<T>(inMemory = defaultInMemory): Spool<T> {
  const firstItems: T[] = []
  /** The byte offsets of the items in the file, and the end of the last one. */
  const offsets = [0]
  let fd: number | undefined
  let unwritten: string[] = []
  let written = 0

  const flush = () => {
    if (unwritten.length === 0) return
    fd ??= openUnlinkedFile(spool)
    const bytes = Buffer.from(unwritten.join(''))
    writeAll(fd, bytes, written)
    written += bytes.length
    unwritten = []
  }

  const read = (from: number, to: number): T[] => {
    const [start = 0, end = 0] = [offsets[from - firstItems.length], offsets[to - firstItems.length]]
    if (end > written) flush()
    const bytes = Buffer.allocUnsafe(end - start)
    readSync(fd as number, bytes, 0, bytes.length, start)
    return JSON.parse(`[${bytes.toString('utf8', 0, bytes.length - separator.length)}]`)
  }

  const spool: Spool<T> = {
    get length() {
      return firstItems.length + offsets.length - 1
    },
    add(item) {
      if (firstItems.length < inMemory) {
        firstItems.push(item)
        return
      }
      const text = JSON.stringify(item) + separator
      const end = (offsets.at(-1) ?? 0) + Buffer.byteLength(text)
      offsets.push(end)
      unwritten.push(text)
      if (end - written >= bytesPerWrite) flush()
    },
    at(index) {
      if (index < firstItems.length) return firstItems[index]
      return index < spool.length ? read(index, index + 1)[0] : undefined
    },
    *[Symbol.iterator]() {
      yield* firstItems
      for (let from = firstItems.length; from < spool.length; from += itemsPerRead)
        yield* read(from, Math.min(from + itemsPerRead, spool.length))
    },
  }
  return spool
}

/** Creates a list that keeps only its length. */
export function createCounter<T>(): Spool<T> {
  let length = 0
  return {
    get length() {
      return length
    },
    add() {
      length += 1
    },
    at: () => undefined,
    *[Symbol.iterator]() {},
  }
}

/** Closes the files of lists that have been garbage-collected. */
const fileCloser = new FinalizationRegistry<number>(closeSync)

function openUnlinkedFile(owner: object): number {
  const path = join(tmpdir(), `calctl-${process.pid}-${Math.random().toString(36).slice(2)}`)
  try {
    const fd = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    fileCloser.register(owner, fd)
    return fd
  } catch (error) {
    throw cannotWrite(error)
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done)
  } catch (error) {
    throw cannotWrite(error)
  }
}

const cannotWrite = (error: unknown) =>
  badSettings(
    phrase('cannot write temporary data to {folder}: {reason}', { folder: tmpdir(), reason: reason(error as Error) }),
    phrase('free some space in that folder, or use another one with: TMPDIR=…'),
  )

/** Several lists as one. */
export function concat<T>(...parts: readonly ReadonlyList<T>[]): ReadonlyList<T> {
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    at(index) {
      let offset = index
      for (const part of parts) {
        if (offset < part.length) return part.at(offset)
        offset -= part.length
      }
      return undefined
    },
    *[Symbol.iterator]() {
      for (const part of parts) yield* part
    },
  }
}

/** The items that pass a test, which runs again with each iteration. */
export const filterItems = <T>(items: Iterable<T>, passes: (item: T) => boolean): Iterable<T> => ({
  *[Symbol.iterator]() {
    for (const item of items) if (passes(item)) yield item
  },
})

/** The items of a list in batches. Records are read and matched in batches of 500, which limits the memory. */
export function* batches<T>(items: Iterable<T>, size = 500): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
