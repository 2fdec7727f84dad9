import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../failure.ts'

/** Items in an order, each of which can be had again; an array is one. */
export interface ReadonlyList<T> extends Iterable<T> {
  readonly length: number
  at(index: number): T | undefined
}

/** A list that holds any number of items in little memory. Its items are plain data, as JSON has it. */
export interface Spool<T> extends ReadonlyList<T> {
  add(item: T): void
}

/** So many items stay in memory; the others are in a file that has no name and is gone with the process. */
const most = 2000

/** So many bytes are written at once. */
const block = 1 << 20

/** How many items are read at once where all of them are. */
const stride = 100

/** Makes an empty list; throws `settings` when the folder for temporary files cannot take what it holds. */
export function createSpool<T>(inMemory = most): Spool<T> {
  const kept: T[] = []
  /** Where the items in the file begin, in bytes, and where the last ends. */
  const offsets = [0]
  let fd: number | undefined
  let waiting: Buffer[] = []
  let written = 0

  const flush = () => {
    if (waiting.length === 0) return
    fd ??= nameless(spool)
    const bytes = Buffer.concat(waiting)
    store(fd, bytes, written)
    written += bytes.length
    waiting = []
  }

  function* read(from: number, to: number): Generator<T> {
    const [start = 0, end = 0] = [offsets[from - kept.length], offsets[to - kept.length]]
    if (end > written) flush()
    const bytes = Buffer.allocUnsafe(end - start)
    readSync(fd as number, bytes, 0, bytes.length, start)
    for (let index = from; index < to; index++) {
      const [begin = 0, stop] = [offsets[index - kept.length], offsets[index - kept.length + 1]]
      yield JSON.parse(bytes.toString('utf8', begin - start, (stop ?? end) - start))
    }
  }

  const spool: Spool<T> = {
    get length() {
      return kept.length + offsets.length - 1
    },
    add(item) {
      if (kept.length < inMemory) {
        kept.push(item)
        return
      }
      const bytes = Buffer.from(JSON.stringify(item))
      const end = (offsets.at(-1) ?? 0) + bytes.length
      offsets.push(end)
      waiting.push(bytes)
      if (end - written >= block) flush()
    },
    at(index) {
      if (index < kept.length) return kept[index]
      return index < spool.length ? read(index, index + 1).next().value : undefined
    },
    *[Symbol.iterator]() {
      yield* kept
      for (let from = kept.length; from < spool.length; from += stride)
        yield* read(from, Math.min(from + stride, spool.length))
    },
  }
  return spool
}

/** Makes a list that only counts, for where nothing else is asked of it. */
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

/** Files of lists that nobody holds any more. */
const forgotten = new FinalizationRegistry<number>(closeSync)

function nameless(owner: object): number {
  const path = join(tmpdir(), `calctl-${process.pid}-${Math.random().toString(36).slice(2)}`)
  try {
    const fd = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    forgotten.register(owner, fd)
    return fd
  } catch (error) {
    throw unwritable(error)
  }
}

function store(fd: number, bytes: Buffer, position: number): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done)
  } catch (error) {
    throw unwritable(error)
  }
}

const unwritable = (error: unknown) =>
  new Failure('settings', `cannot keep what was read in ${tmpdir()}: ${(error as Error).message}`, {
    hint: 'make room there, or name another folder with: TMPDIR=…',
  })

/** Several lists as one. */
export function concat<T>(...parts: readonly ReadonlyList<T>[]): ReadonlyList<T> {
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    at(index) {
      let rest = index
      for (const part of parts) {
        if (rest < part.length) return part.at(rest)
        rest -= part.length
      }
      return undefined
    },
    *[Symbol.iterator]() {
      for (const part of parts) yield* part
    },
  }
}

/** Those items of a list that pass, as often as they are gone through. */
export const filterItems = <T>(items: Iterable<T>, passes: (item: T) => boolean): Iterable<T> => ({
  *[Symbol.iterator]() {
    for (const item of items) if (passes(item)) yield item
  },
})

/** The items of a list, so many at a time: as many records as are worth reading before the next are. */
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
