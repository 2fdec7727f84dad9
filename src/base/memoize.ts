/** How many results are kept: files repeat dates and the like, and a cache must not grow with them. */
const mostKept = 10_000

/** The same function of a text, with a cache of its results; one that is undefined is computed again. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return text => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (results.size >= mostKept) results.clear()
    results.set(text, result)
    return result
  }
}

/** A table that has no more names than its own: names from outside can be `constructor`, which every other object has too. */
export const lookupTable = <T extends object>(entries: T): T => Object.assign(Object.create(null), entries)

/** The same function, called once: later calls get the result of the first. */
export function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: compute() }
    return result.value
  }
}
