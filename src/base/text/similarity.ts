import { closest, distance } from 'fastest-levenshtein'
import { foldText } from './folding.ts'

/** The known name that is closest to a mistyped one, if it is close enough. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined
  const candidate = closest(name, [...known])
  return distance(name, candidate) <= Math.max(2, name.length / 3) ? candidate : undefined
}

/** The number of wrong, missing, extra or swapped letters. */
export function typos(one: string, other: string): number {
  const letters = distance(one, other)
  return letters === 2 && isSwapped(one, other) ? 1 : letters
}

/** Whether two texts differ by one swap of adjacent letters. */
function isSwapped(one: string, other: string): boolean {
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index])
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2)
  return swapped === other
}

/** Articles and prepositions, which people often leave out in names and headings. */
export const smallWords: ReadonlySet<string> = new Set(
  'a al d de del dels e el els en i l la las les los of s the y and'.split(' '),
)

/**
 * The name that is probably meant by a misspelt one: `Plasa Major` is `Plaça Major`. Case, accents, articles, spaces and
 * punctuation do not count; one letter may be wrong, missing, extra or swapped with the next, two in names of ten letters or more.
 * Numbers and words of up to three letters must be equal (`Sala 1` is not `Sala 2`), names of up to four letters are never similar,
 * and a different ending is a different word (`dansa`, `danses`).
 */
export function similarName(name: string, names: Iterable<string>): string | undefined {
  const words = tellingWords(foldText(name))
  const letters = words.join('')
  if (letters.length < 5) return undefined
  for (const other of names) {
    // A cheap test before the words are compared: lists may be long.
    if (Math.abs(other.length - name.length) > 8) continue
    const otherWords = tellingWords(foldText(other))
    const otherLetters = otherWords.join('')
    if (Math.abs(otherLetters.length - letters.length) > 2) continue
    if (letters === otherLetters || areClose(words, otherWords, letters.length < 10 ? 1 : 2)) return other
  }
  return undefined
}

/** The words of a folded text, without articles and prepositions. */
export const tellingWords = (folded: string): string[] =>
  folded.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '' && !smallWords.has(word))

function areClose(words: readonly string[], others: readonly string[], allowed: number): boolean {
  if (words.length !== others.length) return false
  let wrong = 0
  for (const [index, word] of words.entries()) {
    const other = others[index] ?? ''
    if (word === other) continue
    if (isExact(word) || isExact(other) || stemOf(word) === stemOf(other)) return false
    wrong += typos(word, other)
    if (wrong > allowed) return false
  }
  return true
}

/** Whether a word with one other letter is a different thing. */
const isExact = (word: string): boolean => word.length < 4 || /\d/.test(word)

/** A word without the endings of plural and gender. */
export const stemOf = (word: string): string => word.replace(/s$/, '').replace(/[aeiou]$/, '')

/** The only name that continues this one, or its plural: `La Farinera` is short for `La Farinera, centre cultural`. */
export function onlyLongerName(name: string, names: readonly string[]): string | undefined {
  const start = foldText(name)
  const longer = names.filter(
    other => foldText(other).startsWith(start) && /^s?[^\p{L}\p{N}]/u.test(foldText(other).slice(start.length)),
  )
  return longer.length === 1 ? longer[0] : undefined
}
