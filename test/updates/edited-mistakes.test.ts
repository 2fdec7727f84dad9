import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { calendar } from '../support/calendar.ts'

/** Edits a tag with an editor that does the same each time, and returns the texts that it saw. */
async function edited(change: (text: string) => string, terminal?: number) {
  const seen: string[] = []
  const editor = (text: string) => {
    seen.push(text)
    return change(text)
  }
  const calctl = calendar({ editor, ...(terminal && { terminal, keys: [] }) })
  await calctl('tags create --name "Open air"')
  const outcome = await calctl('tags edit 1')
  const file = /(\/\S*tags\.yaml)/.exec(outcome.err)?.[1] ?? ''
  return { ...outcome, seen, kept: file && readFileSync(file, 'utf8') }
}

const lineWith = (text: string, words: string) => text.split('\n').findIndex(line => line.startsWith(words)) + 1

const numberIn = (text: string) => Number(/line (\d+)/.exec(text)?.[1])

test.each([
  ['a field that does not exist', (text: string) => text.replace('slug:', 'slgu:'), 'slgu:'],
  ['a value that is none', (text: string) => text.replace(/^name:.*/m, 'name: ""'), 'name:'],
  ['a colon in a value', (text: string) => text.replace(/^name:.*/m, 'name: Concert: final'), 'name:'],
])('%s: the line of the message is that of the file in which it stands', async (_, change, words) => {
  const { seen, kept, err } = await edited(text => (text.startsWith('#! ') ? text : change(text)), 80)
  expect(seen).toHaveLength(2)
  expect(numberIn(seen[1] ?? '')).toBe(lineWith(seen[1] ?? '', words))
  expect(numberIn(err)).toBe(lineWith(kept, words))
})

test.each(['Concert: final', '@home', '`x`', '%x'])('a value %s says that it needs quotes', async value => {
  const { err } = await edited(text => text.replace(/^name:.*/m, () => `name: ${value}`), 80)
  expect(err).toContain('put the value in quotes')
})

test('an editor without a terminal is called once, because nobody can correct the mistake', async () => {
  const { seen, status, kept, err } = await edited(text => `${text}\nslgu: x\n`)
  expect([seen.length, status]).toEqual([1, 2])
  expect(numberIn(err)).toBe(lineWith(kept, 'slgu: x'))
})
