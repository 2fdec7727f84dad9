/** Files repeat their dates and names, and a cache must not grow with the file. */
const mostKept = 10_000

/** Caches the results of a function of a text. A result of undefined is computed again. */
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

/** Caches the result of a function for each object, as long as that object is used. */
export function memoizeByObject<K extends object, T>(compute: (object: K) => T): (object: K) => T {
  const results = new WeakMap<K, { readonly value: T }>()
  return object => {
    const result = results.get(object) ?? { value: compute(object) }
    results.set(object, result)
    return result.value
  }
}

/** A table without inherited names: names from outside can be `constructor`, which every plain object has. */
export const lookupTable = <T extends object>(entries: T): T => Object.assign(Object.create(null), entries)

/** Caches the result of a function without arguments. */
export function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: compute() }
    return result.value
  }
}
