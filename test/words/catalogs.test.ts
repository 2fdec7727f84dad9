import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { type Catalog, placesOf } from '../../src/base/words/phrase.ts'
import { severities } from '../../src/care/lint/rule.ts'
import { stepActions } from '../../src/changes/plan/plan.ts'
import { groupings } from '../../src/cli/commands/care.ts'
import { doctorChecks } from '../../src/cli/commands/doctor/examine.ts'
import { commandGroups, optionGroups } from '../../src/cli/commands/help/tree-description.ts'
import * as outputShapes from '../../src/cli/commands/shared/output-shapes.ts'
import { ownHeadings } from '../../src/cli/terminal/column-headings.ts'
import { isLanguage } from '../../src/contract/languages.ts'
import { heading } from '../../src/files/print/readable.ts'
import { commandsUnder, commandTree } from '../support/command-tree.ts'

const src = resolve(import.meta.dirname, '../../src')
const catalogs = ['ca', 'es'].map(language => {
  const text = readFileSync(join(src, 'base/words', `${language}.json`), 'utf8')
  return { language, text, catalog: JSON.parse(text) as Catalog }
})

/** A call of `phrase` in the sources. */
interface Call {
  readonly at: string
  /** Undefined if it is no literal. */
  readonly sentence: string | undefined
  /** The names that are given; undefined if they are not an object literal. */
  readonly given: readonly string[] | undefined
  readonly text: string
}

type Node = Record<string, unknown> & { type: string; start: number; end: number }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function* nodesIn(value: unknown): Generator<Node> {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (isNode(next)) yield next
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next))
  }
}

function literalOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  const quasis = node.type === 'TemplateLiteral' ? (node.quasis as { value: { cooked: string } }[]) : []
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined
}

function givenIn(node: unknown): readonly string[] | undefined {
  if (node === undefined) return []
  if (!isNode(node) || node.type !== 'ObjectExpression') return undefined
  const properties = node.properties as { type: string; key?: { name?: string; value?: string } }[]
  if (properties.some(({ type }) => type !== 'Property')) return undefined
  return properties.map(({ key }) => key?.name ?? key?.value ?? '')
}

function callsIn(file: string): Call[] {
  const text = readFileSync(join(src, file), 'utf8')
  const { program } = parseSync(file, text)
  return [...nodesIn(program)].flatMap(node => {
    const callee = node.callee as { name?: string } | undefined
    if (node.type !== 'CallExpression' || callee?.name !== 'phrase') return []
    const [sentence, given] = node.arguments as unknown[]
    const line = text.slice(0, node.start).split('\n').length
    return [
      {
        at: `${file}:${line}`,
        sentence: literalOf(sentence),
        given: givenIn(given),
        text: text.slice(node.start, node.end),
      },
    ]
  })
}

const calls = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .toSorted()
  .flatMap(callsIn)

/** The only file that gives `phrase` something else than a literal: the names of the program. */
const fileOfNames = 'cli/terminal/spoken-name.ts'

const root = commandTree()
const commands = [root, ...commandsUnder(root).map(({ command }) => command)]

/** The words in what options and arguments take: `file` in `--file <file>`. */
const values = commands
  .flatMap(({ options, registeredArguments }) => [
    ...options.flatMap(({ flags }) => /(?<=[<[])(?!no-)[^>\]]+/.exec(flags)?.[0] ?? []),
    ...registeredArguments.map(argument => argument.name()),
  ])
  .flatMap(value => value.match(/[a-z]+/g) ?? [])

/** The headings of columns that are not in the contract. */
const headings = Object.values(outputShapes)
  .flatMap(value => ('columns' in value ? value.columns : []))
  .filter(path => !isLanguage(path) && ownHeadings()[path] === undefined)
  .map(path => heading(path.split('.')[0] ?? ''))

/** The states of runs and steps, and the words of the library for prompts. */
const states = ['running', 'damaged', 'undone', 'unfinished', 'incomplete', 'unreadable', 'unknown', 'left', 'sent']
const steps = ['done', 'failed', 'not sent', 'skipped', ...stepActions]
/** What became of records since a state of the calendar was kept, and what waits about the events of sources. */
const differences = ['new', 'changed', 'gone', 'source', 'edited', 'conflict', 'rejected', 'perhaps']
const prompts = ['navigate', 'select', 'toggle visibility', 'No results found']

/** The same in every language. */
const sameNames = new Set('api id ids json plan ref url API API: Authorization IPv6 PHP TLS WordPress'.split(' '))

const names = [
  ...values,
  ...headings,
  ...states,
  ...steps,
  ...differences,
  ...severities,
  ...groupings,
  ...prompts,
  ...commands.flatMap(command => [...optionGroups(command), ...commandGroups(command)]).map(({ heading }) => heading),
  ...doctorChecks.map(({ name }) => name),
  // The only check of a local calendar.
  'calendar',
].filter(name => !sameNames.has(name))

const sentences = new Set([...calls.flatMap(({ sentence = [] }) => sentence), ...names])

test('every sentence is a literal, and gets a value for each of its places', () => {
  const wrong = calls.filter(({ at, sentence, given }) => {
    if (at.startsWith(fileOfNames)) return false
    if (sentence === undefined) return true
    return given !== undefined && given.toSorted().join() !== placesOf(sentence).toSorted().join()
  })
  expect(wrong.map(({ at }) => at)).toEqual([])
})

/** What no translation has, by language: one word for one thing, and nothing that was forgotten in English. */
const rules: readonly (readonly [rule: string, ca: RegExp, es: RegExp])[] = [
  ['to delete is said with one word', /elimin/i, /suprim/i],
  ['quotation marks are straight', /[«»“”]/, /[«»“”]/],
  ['a semicolon has one plural', /punts i comes|punt-i-comes/, /puntos y coma\b/],
  ['days and spans are not in English', englishDays(), englishDays()],
  ['a default is said in words', /per defecte: (draft|publish|private)/, /por defecto: (draft|publish|private)/],
  ['what is left agrees with its number', /\bfalten \{(time|unit)/, /\bfaltan \{(time|unit)/],
]

/** Words for days, but not those of commands and options. */
function englishDays(): RegExp {
  return /(?<![-.\w])(today|tomorrow|yesterday|(mon|tues|wednes|thurs|fri|satur|sun)day|weeks?)(?![-\w])/
}

test('numbers within sentences are written as the language writes them', () => {
  expect(calls.filter(({ text }) => /\.to(Fixed|LocaleString|Precision)\(/.test(text)).map(({ at }) => at)).toEqual([])
})

for (const { language, text, catalog } of catalogs) {
  for (const [rule, ca, es] of rules)
    test(`in ${language}, ${rule}`, () => {
      const pattern = language === 'ca' ? ca : es
      expect(Object.values(catalog).filter(translation => pattern.test(translation))).toEqual([])
    })

  test(`in ${language}, a journal and a log are not called records`, () => {
    const wrong = Object.entries(catalog).filter(
      ([sentence, translation]) =>
        /\bjournals?\b|\berror log\b/.test(sentence) && !/\brecord/.test(sentence) && /registr/i.test(translation),
    )
    expect(wrong).toEqual([])
  })

  test(`in ${language}, slug is explained by its field alone`, () => {
    expect(
      Object.values(catalog).filter(translation => /identificador(s|es)? (de|en) (l’|la )URL/.test(translation)),
    ).toEqual([])
  })

  test(`every sentence has a translation in ${language}, and every translation a sentence`, () => {
    expect([...sentences].filter(sentence => !Object.hasOwn(catalog, sentence))).toEqual([])
    expect(Object.keys(catalog).filter(sentence => !sentences.has(sentence))).toEqual([])
  })

  test(`every translation in ${language} keeps the places of its sentence`, () => {
    const lost = Object.entries(catalog).filter(
      ([sentence, translation]) => placesOf(sentence).toSorted().join() !== placesOf(translation).toSorted().join(),
    )
    expect(lost).toEqual([])
  })

  test(`the catalog in ${language} is sorted, a sentence a line`, () => {
    const sorted = Object.fromEntries(Object.entries(catalog).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    expect(text).toBe(`${JSON.stringify(sorted, null, 2)}\n`)
  })
}
