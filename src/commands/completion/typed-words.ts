/**
 * The words of a command line up to the cursor, as a shell would split it; the last one is still being typed, and may be empty. A
 * quote that is not closed yet belongs to it. Nothing is expanded.
 */
export function typedWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? ''
    if (character === '\\' && quote !== "'") {
      index += 1
      word = (word ?? '') + (line[index] ?? '')
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word += character
    } else if (character === "'" || character === '"') {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  return [...words, word ?? '']
}
