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

/** How many letters are wrong, missing, too many or swapped between two texts. */
export function typos(one: string, other: string): number {
  const letters = distance(one, other)
  return letters === 2 && isSwapped(one, other) ? 1 : letters
}

/** Whether two texts differ in the order of two letters that follow one another. */
function isSwapped(one: string, other: string): boolean {
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index])
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2)
  return swapped === other
}

/** Articles and prepositions, with or without which people write names and headings. */
export const smallWords: ReadonlySet<string> = new Set(
  'a al d de del dels e el els en i l la las les los of s the y and'.split(' '),
)
