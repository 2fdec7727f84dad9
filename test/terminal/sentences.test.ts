import { expect, test } from 'vitest'
import { capitalized } from '../../src/base/text/sentence-parts.ts'
import { wrapSentences } from '../../src/cli/terminal/wrapped-sentences.ts'

const narrow = { isTTY: true, columns: 40 }

test('lines end between words on a terminal, and nowhere else', async () => {
  const text = 'hint: check that you may write to the file and to its folder\n'
  expect(await wrapSentences(text, narrow)).toBe('hint: check that you may write to the\n  file and to its folder\n')
  expect(await wrapSentences(text, { isTTY: false, columns: undefined })).toBe(text)
  expect(await wrapSentences('  Why: the year of the end is usually wrong', narrow)).toBe(
    '  Why: the year of the end is usually\n    wrong',
  )
})

test('a command can be copied: it is in one line, or in several with backslashes', async () => {
  expect(
    await wrapSentences('12 done. Undo: calctl undo 8uc --base-url http://127.0.0.1:8787; see calctl runs', narrow),
  ).toBe('12 done. Undo:\n  calctl undo 8uc --base-url \\\n  http://127.0.0.1:8787;\n  see calctl runs')
})

test('a line breaks before a command that just does not fit, and prose gets no backslash', async () => {
  const text = 'merge a pair with: calctl venues merge 1 3; decide pair by pair with: calctl dedupe venues --review'
  for (const missing of [0, 1, 2, 3])
    expect(await wrapSentences(text, { isTTY: true, columns: text.length - missing })).toBe(
      'merge a pair with: calctl venues merge 1 3; decide pair by pair with:\n  calctl dedupe venues --review',
    )
})

test('what follows a label goes on below itself where there is room', async () => {
  const text = '✗ clock  the site’s clock is 7743 min ahead of this one'
  expect(await wrapSentences(text, { isTTY: true, columns: 44 })).toBe(
    '✗ clock  the site’s clock is 7743 min ahead\n         of this one',
  )
  expect(await wrapSentences(text, { isTTY: true, columns: 30 })).toBe(
    '✗ clock  the site’s clock is\n  7743 min ahead of this one',
  )
})

test('an address at the beginning of a sentence keeps its letters', () => {
  expect(['http://127.0.0.1:1 is a file', 'élan'].map(capitalized)).toEqual(['http://127.0.0.1:1 is a file', 'Élan'])
})
