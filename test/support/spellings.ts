import fc from 'fast-check'

/** One of the spellings of a text. */
const oneOf = (texts: readonly string[]) => fc.constantFrom(...texts)

const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`

/** A letter as it is, or encoded in lower or upper case. */
const letterAs = (letter: string) => oneOf([letter, percent(letter), percent(letter).toUpperCase()])

/** What PHP reads as `_` in a name; an unclosed bracket is one only if the name does not begin with it. */
const underscoreAs = (isFirst: boolean) =>
  fc.oneof(letterAs('_'), letterAs('.'), ...(isFirst ? [] : [oneOf(['+', '%20', '%5b', '[', '%5B'])]))

/** Every way to write the name of a parameter so that PHP receives it: after spaces, encoded, before a NUL. */
export const spellings = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(oneOf(['+', '%20']), { maxLength: 2 }),
      fc.tuple(...[...name].map((letter, index) => (letter === '_' ? underscoreAs(index === 0) : letterAs(letter)))),
      oneOf(['', '', '', '%00', '%00x']),
    )
    .map(([spaces, letters, end]) => [...spaces, ...letters, end].join(''))

/** A word in any letters. */
export const anyLetters = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(...[...word].map(letter => oneOf([letter.toLowerCase(), letter.toUpperCase()])))
    .map(letters => letters.join(''))
