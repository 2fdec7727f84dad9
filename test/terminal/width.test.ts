import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { linesWithin, widthOf } from '../../src/cli/terminal/table.ts'

test('every character has the width that string-width gives it', () => {
  const wrong: string[] = []
  // From U+2E80 on, all are wide.
  for (let code = 0; code < 0x3100; code += code < 0x2e80 ? 1 : 7) {
    const character = String.fromCodePoint(code)
    for (const text of /\p{M}/u.test(character) ? [character, `e${character}`] : [character])
      if (widthOf(text) !== stringWidth(text)) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})

test('words that are longer than a line are cut between characters', () => {
  expect(linesWithin('日本語の音楽祭り', 5)).toEqual(['日本', '語の', '音楽', '祭り'])
  expect(linesWithin('cafe\u0301cafe\u0301', 4)).toEqual(['cafe\u0301', 'cafe\u0301'])
  expect(linesWithin('👩‍👩‍👧👩‍👩‍👧', 3)).toEqual(['👩‍👩‍👧', '👩‍👩‍👧'])
  expect(linesWithin('one two three', 5, 2)).toEqual(['one', 'two…'])
})
