import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { folder } from './folder.ts'

const entry = (text: string) => `sources:\n  - name: town\n    place: town.csv\n    ${text}\n`

test.each([
  ['categories: Music', 'line 4, column 17: categories: expected a list', ''],
  ['kategories: [Music]', 'line 4, column 5: unknown setting "kategories"', 'did you mean categories?'],
  ['include: {word: [Jazz]}', 'line 4, column 15: unknown setting "word"', 'did you mean words?'],
  ['include: {from: tomorrow}', 'line 4, column 21: include.from: expected a day such as 2026-12-31', ''],
  ['vanished: remove', 'line 4, column 15: vanished: expected one of cancel, trash, keep', ''],
  ['decides: {title: editor}', 'line 4, column 22: decides.title: expected one of source, local', ''],
  ['headers: {X-Key: sesame}', 'line 4, column 22: headers.X-Key: expected env:NAME', ''],
  ['kind: ical', 'line 4, column 11: kind: expected one of icalendar, sheet', ''],
  ['places: {Farinera: [1]}', 'line 4, column 24: places.Farinera: expected text or a number', ''],
  ['name: other', 'line 4, column 5: Map keys must be unique', ''],
  ['\n  - name: town\n    place: b.csv', 'line 5, column 11: there are two sources named town', 'give one of them'],
  ['\n  - name: town', 'line 5, column 5: place: it is missing', 'see all settings with: calctl sources schema'],
])('a mistake in sources.yaml is named with its line and column: %s', async (text, message, hint) => {
  const { calctl } = folder({ 'sources.yaml': entry(text), 'a.csv': '' })
  const { status, err } = await calctl('sources add new a.csv')
  expect(err).toContain(`sources.yaml: ${message}`)
  expect(err).toContain(`hint: ${hint}`)
  expect(err).not.toContain('sesame')
  expect(status).toBe(3)
})

test('the JSON Schema takes what the program takes', async () => {
  const { calctl } = folder()
  const { out } = await calctl('sources schema')
  const takes = new Ajv2020({ strict: false }).compile(JSON.parse(out))
  expect(takes(parse(entry('vanished: keep\n    places: {La Farinera: 12}')))).toBe(true)
  for (const wrong of ['vanished: remove', 'kategories: []', 'headers: {X-Key: sesame}', 'include: {from: x}'])
    expect(takes(parse(entry(wrong)))).toBe(false)
})
