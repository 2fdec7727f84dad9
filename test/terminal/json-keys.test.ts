import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentedKeys, unknownKeys } from '../support/json-keys.ts'

/** That every command prints only these keys is checked in `test/support/world.ts`, for all command lines of the tests. */
const sources = join(import.meta.dirname, '../../src')
const text = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => readFileSync(join(sources, name), 'utf8'))
  .join('\n')
const words = new Set(text.match(/\w+/g))

test('docs/json.md explains each key once, and none that is gone', () => {
  const keys = documentedKeys()
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  expect(keys.filter(key => !words.has(key))).toEqual([])
})

test('a key that is neither of the API nor in docs/json.md is found, at any depth', async () => {
  expect(await unknownKeys([{ id: 1, lang_code: 'ca', steps: [{ language: 'ca', values: { anything: 1 } }] }])).toEqual(
    ['steps.language'],
  )
})
