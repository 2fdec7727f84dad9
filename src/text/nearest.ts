import { closest, distance } from 'fastest-levenshtein'

/** The known name that is most similar to a mistyped one, if it is similar enough. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const candidate = closest(name, [...known])
  return distance(name, candidate) <= Math.max(2, name.length / 3) ? candidate : undefined
}
