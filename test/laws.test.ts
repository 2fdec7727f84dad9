import { expect, test } from 'vitest'
import { resources } from '../src/contract/contract.ts'
import exampleData from '../src/contract/examples.json' with { type: 'json' }
import { paging } from '../src/contract/filter.ts'
import { checkValue, expectation } from '../src/contract/kinds/kind-values.ts'
import { languages } from '../src/contract/languages.ts'
import type { VerbName } from '../src/contract/resource.ts'
import { exampleLines } from '../src/contract/resource-words.ts'
import { commandsUnder, commandTree } from './support/command-tree.ts'

const root = commandTree()
const globalNames = new Set(root.options.map(option => option.name()))

for (const resource of resources) {
  const fields = Object.entries(resource.fields)
  const filters = Object.entries({ ...paging, ...resource.filters })

  test(`${resource.name}: no field or filter has the name of a global option`, () => {
    const names = [...fields, ...filters].map(([name]) => name.replaceAll('_', '-'))
    expect(names.filter(name => globalNames.has(name))).toEqual([])
  })

  test(`${resource.name}: every text has three languages`, () => {
    for (const [name, { words }] of [...fields, ...filters])
      for (const language of languages) expect(words[language], `${name} in ${language}`).toMatch(/\S/)
  })

  test(`${resource.name}: the example of every field is valid`, () => {
    for (const [name, field] of fields)
      expect(checkValue(field, expectation(field).example), name).toMatchObject({ ok: true })
  })

  test(`${resource.name}: the empty value of an optional field is null or valid`, () => {
    for (const [name, field] of fields.filter(([, field]) => !field.nonEmpty && !field.queryOnly)) {
      const empty = field.kind.empty
      if (empty !== null && !(Array.isArray(empty) && empty.length === 0))
        expect(checkValue(field, empty), name).toMatchObject({ ok: true })
    }
  })

  test(`${resource.name}: numbers, flags and dates refuse words, blanks and objects, and only flags take booleans`, () => {
    const strict = [...fields, ...filters].filter(([, { kind }]) => ['number', 'flag', 'moment'].includes(kind.shape))
    for (const [name, field] of strict)
      for (const value of ['no such value', ' ', { value: 1 }, ...(field.kind.shape === 'flag' ? [] : [true])])
        expect(checkValue(field, value).ok, `${name}: ${JSON.stringify(value)}`).toBe(false)
  })

  test(`${resource.name}: every example has existing commands and options`, () => {
    const verbs = Object.keys(exampleData[resource.name]) as VerbName[]
    for (const line of languages.flatMap(one => verbs.flatMap(verb => exampleLines(resource, verb, one)))) {
      expect(line).not.toMatch(/[{}]/)
      const [, noun, verb] = line.split(' ')
      const found = commandsUnder(root).find(({ path }) => path.join(' ') === `${noun} ${verb}`)
      const known = new Set([...globalNames, ...(found?.command.options.map(option => option.name()) ?? [])])
      const used = [...line.matchAll(/ --([a-z-]+)/g)].map(([, name]) => name ?? '')
      expect(found, line).toBeDefined()
      expect(
        used.filter(name => !known.has(name)),
        line,
      ).toEqual([])
    }
  })
}

test('no option of a command has the name of a global option, except those that set its value', () => {
  const own = commandsUnder(root).flatMap(({ path, command }) =>
    command.options
      .filter(option => globalNames.has(option.name()))
      .map(option => `${path.join(' ')} --${option.name()}`),
  )
  expect(own.filter(line => !/^(profiles (add|edit)|serve) --(lang|base-url|namespace|demo)$/.test(line))).toEqual([])
})
