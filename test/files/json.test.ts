import { expect, test } from 'vitest'
import { parseJson } from '../../src/base/text/json.ts'

test('a long text that is nested too deep is not parsed, which would take fifty times its size', () => {
  for (const open of ['[', '{"a":', '[1,', '[{"a":"[",'])
    expect(() => parseJson(open.repeat(1_100_000)), open).toThrow('nested more than 512 levels deep')
})

test('a long text is no deeper for the brackets in its strings', () => {
  const texts = Array.from({ length: 2000 }, (_, index) => `${'[{'.repeat(300)}\\"${index}`)
  expect(parseJson(`[${texts.map(text => JSON.stringify(text)).join()}]`)).toEqual(texts)
})
