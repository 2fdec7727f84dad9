import { expect, test } from 'vitest'
import { topicNames } from '../../src/cli/commands/help/topics.ts'
import { resources } from '../../src/contract/contract.ts'
import type { Field } from '../../src/contract/field.ts'
import { paging } from '../../src/contract/filter.ts'
import { calendar } from '../support/calendar.ts'
import { commandsUnder, commandTree } from '../support/command-tree.ts'

const root = commandTree()
const commands = commandsUnder(root)

/** Command lines that fail, each in another way. */
const mistakes = [
  'evnts list',
  'events',
  'events list --titel x',
  'events list --page',
  'events list --limit 0',
  'events list 12 13',
  'events get',
  'events get 7',
  'lint evnts',
  'help nothing',
  'api BREW events',
  'api GET https://elsewhere.example/',
  'profiles show nobody',
  'profiles edit local --base-url https://example.org',
  'profiles add site --base-url https://example.org --user ada --secret hunter2',
  'login --anonymous --user ada',
  'login example.org',
  'runs show k3f',
  'runs prune --older-than x',
  'undo',
  'history events/7',
  'serve --port x',
  'serve --copy-images',
  'languages copy 7',
  'trust',
]

const lines = ['', '--help', ...commands.map(({ path }) => `${path.join(' ')} --help --all`), ...mistakes]

/** What each command line prints on both streams. */
async function printed(language: string): Promise<[line: string, text: string][]> {
  const calctl = calendar({ env: { CALCTL_UI: language } })
  const outputs: [string, string][] = []
  for (const line of lines) {
    const { out, err } = await calctl(line)
    outputs.push([line, `${out}\n${err}`])
  }
  return outputs
}

const fields: readonly Field[] = [
  ...resources.flatMap(resource => [...Object.values(resource.fields), ...Object.values(resource.filters)]),
  ...Object.values(paging),
]

/** Names that are the same in every language. */
const names = new Set([
  'calctl',
  'api',
  ...topicNames(root),
  ...fields.flatMap(({ choices }) => choices ?? []),
  ...[root, ...commands.map(({ command }) => command)].flatMap(command => [
    command.name(),
    ...command.registeredArguments.flatMap(argument => [argument.name(), ...(argument.argChoices ?? [])]),
    ...command.options.flatMap(({ argChoices }) => argChoices ?? []),
  ]),
])

/** Command lines: those of examples, and `calctl events list --limit 5` in a sentence. */
const commandLine = new RegExp(
  `^ {2}(?:calctl|pass|source) .*$|\\bcalctl(?: (?:${[...names].join('|')}|--?[a-z][\\w-]*|[A-Z]{2,})\\b)*`,
  'gm',
)

/** A text without what is no sentence: command lines, terms, options with their placeholders, quoted words and addresses. */
const prose = (text: string): string =>
  text
    .replace(commandLine, ' ')
    .replace(/^ {2}[a-z][\w-]*(?= {2}|$)/gm, ' ')
    .replace(/The\s+Events\s+Calendar|\b\w+:…/g, ' ')
    .replace(/(?<![\w-])--?(?:\[no-\])?[a-zA-Z][\w-]*(?:[ =](?:<[^>]*>|\[[^\]]*\]))?/g, ' ')
    .replace(/<[^>\s]*>|\[[^\]\s]*\]|"[^"\n]*"|'[^'\n]*'/g, ' ')
    .replace(/\S*[/\\_@=]\S*|\b\w+:(?=\w)\S*/g, ' ')

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** What fields and filters are called stands in the contract in three languages, and in no catalog. */
const fieldWords = fields
  .map(({ words }) => inOneLine(prose(words.en)))
  .toSorted((one, other) => other.length - one.length)

/** The words outside of the brackets in which the pseudo language puts each sentence. */
function outside(text: string): string[] {
  let left = text
  for (let before = ''; left !== before; ) {
    before = left
    left = left.replace(/⟦[^⟦⟧]*⟧/g, '·')
  }
  left = fieldWords.reduce((rest, words) => rest.replaceAll(words, ' '), inOneLine(prose(left)))
  return (left.match(/\p{L}[\p{L}-]+/gu) ?? []).filter(word => !names.has(word.toLowerCase()))
}

const functionWords = new Set(
  'the and with of is are was were cannot file for not this that these those from which it its they them you your has have been without only by if when where what how'.split(
    ' ',
  ),
)

const englishIn = (text: string): string[] =>
  (prose(text).match(/\p{L}[\p{L}’'-]*/gu) ?? []).filter(word => functionWords.has(word.toLowerCase()))

const found = async (language: string, wordsIn: (text: string) => string[]) =>
  (await printed(language))
    .map(([line, text]) => `${line}: ${wordsIn(text).join(' ')}`)
    .filter(result => !result.endsWith(': '))

test('every sentence of help, of calctl alone and of errors goes through the catalogs', async () => {
  expect(await found('xx', outside)).toEqual([])
})

test.each(['ca', 'es'])('help, calctl alone and errors in %s have no English words', async language => {
  expect(await found(language, englishIn)).toEqual([])
})

test('words in no brackets, and English ones in another language, are found', () => {
  expect(outside('⟦error: ⟦unknown command⟧⟧ of calctl events list --limit 5, venues')).toEqual(['of'])
  expect(englishIn('calctl undo suprimeix the fitxers of events, amb --file <file>')).toEqual(['the', 'of'])
})
