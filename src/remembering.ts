/** How many results are remembered: files repeat dates and the like, and a cache must not grow with them. */
const mostRemembered = 10_000

/** The same function of a text, which remembers its results; undefined ones it computes again. */
export function remembering<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return text => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (results.size >= mostRemembered) results.clear()
    results.set(text, result)
    return result
  }
}
