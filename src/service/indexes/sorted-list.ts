/** Items that stay in order while some are added and removed; only the same item compares as equal. */
export interface SortedList<T> {
  readonly size: number
  add(item: T): void
  remove(item: T): void
  /** The index of the first item that passes, if all items after it pass too; the size if none passes. */
  indexOf(passes: (item: T) => boolean): number
  /** The items from an index up to, not including, another. */
  slice(from?: number, until?: number): Iterable<T>
}

/** Longer chunks are split, so that adding an item moves at most this many. */
const longestChunk = 1024

/** Items are kept in chunks, because inserting into one long array moves half of it. */
export function createSortedList<T>(items: readonly T[], compare: (a: T, b: T) => number): SortedList<T> {
  const chunks = split(items.toSorted(compare), longestChunk / 2)
  let size = items.length

  const chunkFrom = (passes: (item: T) => boolean): number =>
    firstIndex(chunks, chunk => {
      const last = chunk.at(-1)
      return last !== undefined && passes(last)
    })

  return {
    get size() {
      return size
    },
    add(item) {
      const isNotBefore = (other: T) => compare(other, item) >= 0
      const chunkIndex = Math.min(chunkFrom(isNotBefore), chunks.length - 1)
      const chunk = chunks[chunkIndex]
      if (!chunk) chunks.push([item])
      else {
        chunk.splice(firstIndex(chunk, isNotBefore), 0, item)
        if (chunk.length > longestChunk) chunks.splice(chunkIndex, 1, ...split(chunk, longestChunk / 2))
      }
      size++
    },
    remove(item) {
      const isNotBefore = (other: T) => compare(other, item) >= 0
      const chunkIndex = chunkFrom(isNotBefore)
      const chunk = chunks[chunkIndex] ?? []
      const index = firstIndex(chunk, isNotBefore)
      const candidate = chunk[index]
      if (candidate === undefined || compare(candidate, item) !== 0) return
      chunk.splice(index, 1)
      if (chunk.length === 0) chunks.splice(chunkIndex, 1)
      size--
    },
    indexOf(passes) {
      const chunkIndex = chunkFrom(passes)
      const before = chunks.slice(0, chunkIndex).reduce((sum, { length }) => sum + length, 0)
      return before + firstIndex(chunks[chunkIndex] ?? [], passes)
    },
    *slice(from = 0, until = size) {
      let start = 0
      for (const chunk of chunks) {
        const end = start + chunk.length
        if (end > from && start < until) yield* chunk.slice(Math.max(0, from - start), until - start)
        if (end >= until) return
        start = end
      }
    },
  }
}

function split<T>(items: readonly T[], length: number): T[][] {
  const count = Math.ceil(items.length / length)
  return Array.from({ length: count }, (_, index) => items.slice(index * length, (index + 1) * length))
}

/** A binary search for the first item that passes, if all items after it pass too; the length if none passes. */
function firstIndex<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && passes(item)) high = middle
    else low = middle + 1
  }
  return low
}

/** Compares texts by code unit, which for `YYYY-MM-DD HH:MM:SS` is the order of time. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
