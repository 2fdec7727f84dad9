import { closest, distance } from 'fastest-levenshtein'
import { memoize } from '../memoize.ts'
import { interfaceLanguage, phrase } from '../words/phrase.ts'
import { decodeEntities } from './escaping.ts'

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

/** What WordPress makes of typed quotes, dashes and dots when it renders a text, and what was probably typed. */
const typed: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '″': '"',
  '′': "'",
  '–': '-',
  '—': '-',
  '…': '...',
  '×': 'x',
  '\u00a0': ' ',
}

/** A text without what rendering adds: paragraphs, entities, typography, repeated white space. For comparing only. */
export const normalizeText = (text: string): string =>
  decodeEntities(text.replace(/<\/?p[^>]*>|<br\s*\/?>/gi, ' '))
    .replace(/[‘’“”″′–—…×\u00a0]/g, sign => typed[sign] ?? sign)
    .replace(/-{2,3}/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** A normalized text without case and accents, for comparing names. */
export const foldText = memoize(text => foldCase(normalizeText(text)))

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

/** Parts of sentences: lists, options, sizes. What goes in are words and numbers; what comes out is plain text. */

/** A list as it stands in a sentence of the interface: `a`, `a and b`, `a, b and c`. */
export function listOf(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const language = interfaceLanguage()
  // In English without a comma before the last one, and without loading the rules of lists.
  if (language === 'en')
    return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(part => part !== '').join(` ${conjunction} `)
  const type = conjunction === 'and' ? 'conjunction' : 'disjunction'
  return new Intl.ListFormat(language, { type }).format(words)
}

/** The first words of a long list, as it stands in a sentence: `a, b and 3 more`; as `other` things `a, b and 3 others`. */
export function listOfFirst(words: readonly string[], most: number, noun?: 'other'): string {
  const count = words.length - most
  if (count <= 0) return listOf(words)
  const rest = noun
    ? phrase('{count, plural, one {# other} other {# others}}', { count })
    : phrase('{count} more', { count })
  return listOf([...words.slice(0, most), rest])
}

/** The option of a field: `start_date` is `--start-date`. */
export const asOption = (field: string): string => `--${field.replaceAll('_', '-')}`

/** A clause as it begins a sentence. */
export const capitalized = (text: string): string => text.replace(/^./u, first => first.toUpperCase())

/** A number of bytes as people write it: `64 bytes`, `12 kB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return phrase('{count, plural, one {# byte} other {# bytes}}', { count: bytes })
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  return `${(bytes / 1e6).toLocaleString(interfaceLanguage(), digits)} MB`
}

/** Wraps a text at a width that `widthOf` measures; a longer word, such as a URL, gets its own line. */
export function wrapBy(text: string, width: number, widthOf: (text: string) => number): string {
  return text
    .split('\n')
    .map(line => {
      const lines: string[] = []
      let current = ''
      for (const word of line.trimEnd().split(' ')) {
        const longer = current === '' ? word : `${current} ${word}`
        if (current === '' || widthOf(longer) <= width) {
          current = longer
          continue
        }
        lines.push(current)
        current = word
      }
      return [...lines, current].join('\n')
    })
    .join('\n')
}

/** The same for text of our own, in which a character takes one column. */
export const wrapPlain = (text: string, width: number): string => wrapBy(text, width, ({ length }) => length)

/** Moves every line that is not empty to the right. */
export const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))
