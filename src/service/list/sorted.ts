/** Items that stay in order while some come and go; only what is the same compares as equal. */
export interface Sorted<T> {
  readonly size: number
  add(item: T): void
  remove(item: T): void
  /** The index of the first item that a test holds for, when it holds for all that follow too; the size if for none. */
  indexOf(holds: (item: T) => boolean): number
  /** The items from an index to before another. */
  slice(first?: number, last?: number): Iterable<T>
}

/** Longer chunks are split: to make room for one item moves no more than this many. */
const longestChunk = 1024

/** Puts the items in order. They are kept in chunks, because to put one into an array of many moves half of them. */
export function sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Sorted<T> {
  const chunks = cut(items.toSorted(compare), longestChunk / 2)
  let size = items.length

  const chunkFrom = (holds: (item: T) => boolean): number =>
    firstIndex(chunks, chunk => {
      const last = chunk.at(-1)
      return last !== undefined && holds(last)
    })

  return {
    get size() {
      return size
    },
    add(item) {
      const isNotBefore = (other: T) => compare(other, item) >= 0
      const at = Math.min(chunkFrom(isNotBefore), chunks.length - 1)
      const chunk = chunks[at]
      if (!chunk) chunks.push([item])
      else {
        chunk.splice(firstIndex(chunk, isNotBefore), 0, item)
        if (chunk.length > longestChunk) chunks.splice(at, 1, ...cut(chunk, longestChunk / 2))
      }
      size++
    },
    remove(item) {
      const isNotBefore = (other: T) => compare(other, item) >= 0
      const at = chunkFrom(isNotBefore)
      const chunk = chunks[at] ?? []
      const place = firstIndex(chunk, isNotBefore)
      const [found] = chunk.slice(place, place + 1)
      if (found === undefined || compare(found, item) !== 0) return
      chunk.splice(place, 1)
      if (chunk.length === 0) chunks.splice(at, 1)
      size--
    },
    indexOf(holds) {
      const at = chunkFrom(holds)
      const before = chunks.slice(0, at).reduce((sum, { length }) => sum + length, 0)
      return before + firstIndex(chunks[at] ?? [], holds)
    },
    *slice(first = 0, last = size) {
      let start = 0
      for (const chunk of chunks) {
        const end = start + chunk.length
        if (end > first && start < last) yield* chunk.slice(Math.max(0, first - start), last - start)
        if (end >= last) return
        start = end
      }
    },
  }
}

function cut<T>(items: readonly T[], length: number): T[][] {
  const count = Math.ceil(items.length / length)
  return Array.from({ length: count }, (_, index) => items.slice(index * length, (index + 1) * length))
}

/** The index of the first item that a test holds for, when it holds for all that follow too; the length if for none. */
function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) high = middle
    else low = middle + 1
  }
  return low
}

/** The order of texts by their characters' numbers, which for dates is that of time. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
