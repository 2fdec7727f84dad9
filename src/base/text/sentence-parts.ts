import { interfaceLanguage, phrase } from '../words/phrase.ts'

/** Parts of sentences: lists, options, sizes. Input: words and numbers. Output: plain text. */

/** A list within a sentence of the interface: `a`, `a and b`, `a, b and c`. */
export function listOf(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const language = interfaceLanguage()
  // English has no comma before the last item here, and needs no list rules of the platform.
  if (language === 'en')
    return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(part => part !== '').join(` ${conjunction} `)
  const type = conjunction === 'and' ? 'conjunction' : 'disjunction'
  return new Intl.ListFormat(language, { type }).format(words)
}

/** The first items of a long list within a sentence: `a, b and 3 more`, which has no gender in any language. */
export function listOfFirst(words: readonly string[], most: number): string {
  const count = words.length - most
  return count <= 0 ? listOf(words) : listOf([...words.slice(0, most), phrase('{count} more', { count })])
}

/** A number within a sentence, as the language of the interface writes it: `8,2` in Catalan. */
export const writtenNumber = (value: number, most = 0, least = most): string =>
  value.toLocaleString(interfaceLanguage(), { minimumFractionDigits: least, maximumFractionDigits: most })

/** What is said of each count that is not 0. */
export const saidOfCounts = (counts: readonly (readonly [count: number, say: (count: number) => string])[]): string[] =>
  counts.flatMap(([count, say]) => (count > 0 ? say(count) : []))

/** `start_date` is `--start-date` */
export const asOption = (field: string): string => `--${field.replaceAll('_', '-')}`

/** With a capital letter, unless it begins with an address. */
export const capitalized = (text: string): string => text.replace(/^(?!\w+:\/\/)./u, first => first.toUpperCase())

/** `64 bytes`, `12 kB`, `3.4 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return phrase('{count, plural, one {# byte} other {# bytes}}', { count: bytes })
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  return `${writtenNumber(bytes / 1e6, 1)} MB`
}
