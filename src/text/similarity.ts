import { closest, distance } from 'fastest-levenshtein'

/** A text without case and accents, for comparing. */
export const foldCase = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The known name that is most similar to a mistyped one, if it is similar enough. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const candidate = closest(name, [...known])
  return distance(name, candidate) <= Math.max(2, name.length / 3) ? candidate : undefined
}
