import { foldText } from './normalize.ts'
import { smallWords, typos } from './similarity.ts'

/**
 * The name that this one is probably meant to be, in other letters: `Plasa Major` is `Plaça Major`. Case, accents, articles, blanks
 * and punctuation do not count; then one letter may be wrong, missing, too many or swapped with the next, two in names of ten letters
 * and more. Numbers and words of up to three letters must be the same (`Sala 1` is not `Sala 2`), names of up to four letters are
 * never close, and another ending is another word (`dansa`, `danses`).
 */
export function similarName(name: string, names: Iterable<string>): string | undefined {
  const words = wordsOf(name)
  const letters = words.join('')
  if (letters.length < 5) return undefined
  for (const other of names) {
    // A cheap look before the words are compared: lists may be long.
    if (Math.abs(other.length - name.length) > 8) continue
    const otherWords = wordsOf(other)
    const otherLetters = otherWords.join('')
    if (Math.abs(otherLetters.length - letters.length) > 2) continue
    if (letters === otherLetters || areClose(words, otherWords, letters.length < 10 ? 1 : 2)) return other
  }
  return undefined
}

const wordsOf = (name: string): string[] =>
  foldText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !smallWords.has(word))

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

/** Whether another letter makes another thing of a word. */
const isExact = (word: string): boolean => word.length < 4 || /\d/.test(word)

/** A word without the endings of plural and gender. */
const stemOf = (word: string): string => word.replace(/s$/, '').replace(/[aeiou]$/, '')

/** The only name that goes on where this one ends: `La Farinera` is short for `La Farinera, centre cultural`. */
export function onlyLongerName(name: string, names: readonly string[]): string | undefined {
  const start = foldText(name)
  const longer = names.filter(
    other => foldText(other).startsWith(start) && /^[^\p{L}\p{N}]/u.test(foldText(other).slice(start.length)),
  )
  return longer.length === 1 ? longer[0] : undefined
}
