/**
 * Words for sentences: counted nouns, lists, articles. Everything that people read takes them from here, so that counts agree
 * with their nouns everywhere. What goes in are words and numbers; what comes out is plain text.
 */

/** A count with its noun: `1 event`, `3 events`. Give the plural if it is more than an added s: `2 categories`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${nounFor(count, noun, plural)}`

/** The noun alone, as it stands after this count: `event`, `events`. */
export const nounFor = (count: number, noun: string, plural = `${noun}s`): string => (count === 1 ? noun : plural)

/** A list as it stands in a sentence: `a`, `a and b`, `a, b and c`. */
export const listOf = (words: readonly string[], conjunction: 'and' | 'or' = 'and'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(part => part !== '').join(` ${conjunction} `)

/** The first words of a long list, as it stands in a sentence: `a, b and 3 more`; with a noun `a, b and 3 others`. */
export function listOfFirst(words: readonly string[], most: number, noun?: string): string {
  const others = words.length - most
  if (others <= 0) return listOf(words)
  return listOf([...words.slice(0, most), noun === undefined ? `${others} more` : counted(others, noun)])
}

/** A word with its indefinite article: `an event`, `a venue`. */
export const withArticle = (word: string): string => `${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word}`

/** The option of a field: `start_date` is `--start-date`. */
export const asOption = (field: string): string => `--${field.replaceAll('_', '-')}`

/** A clause as it begins a sentence. */
export const capitalized = (text: string): string => text.replace(/^./u, first => first.toUpperCase())

/** A number of bytes as people write it: `64 bytes`, `12 kB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
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
