/** The items of a list that pass, found as far as they are asked for. */
export interface Matches<T> {
  slice(from: number, until: number): readonly T[]
  /** Looks at all of them. */
  total(): number
}

/** Looks through candidates, which are in order, as far as is asked for. */
export function matchesOf<T>(candidates: Iterable<T>, passes: (item: T) => boolean): Matches<T> {
  const found: T[] = []
  const rest = candidates[Symbol.iterator]()
  const find = (count: number) => {
    while (found.length < count) {
      const { value, done } = rest.next()
      if (done) return
      if (passes(value)) found.push(value)
    }
  }
  return {
    slice(from, until) {
      find(until)
      return found.slice(from, until)
    },
    total() {
      find(Number.POSITIVE_INFINITY)
      return found.length
    },
  }
}
