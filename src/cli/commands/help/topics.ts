import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { badSettings } from '../../../base/failure.ts'
import { interfaceLanguage, phrase } from '../../../base/words/phrase.ts'
import names from './other-names.json' with { type: 'json' }
import { environment, optionGroups } from './tree-description.ts'

/** Topics that are a section of a page; every other page is a topic. */
const sections: Readonly<Record<string, readonly [page: string, heading: string]>> = {
  connection: ['scripting', 'Connect to a site'],
  'exit-statuses': ['scripting', 'Exit statuses'],
  output: ['scripting', 'Output'],
}

/** Words that people look for, and the topics that explain them. */
const otherNames: Readonly<Record<string, string>> = names.otherNames

/** The topic for a word; undefined if there is none. */
export const topicFor = (word: string): string | undefined =>
  Object.hasOwn(otherNames, word) ? otherNames[word] : undefined

/** The names of all topics: the pages in docs/, sections that people often ask for, and the groups of global options. */
export const topicNames = (root: Command): readonly string[] =>
  [...new Set([...pages(), ...Object.keys(sections), environmentTopic, ...globalGroups(root)])].toSorted()

/** Pages that are not topics: the reference repeats `--help`. */
const noTopics: ReadonlySet<string> = new Set(['reference', 'README'])

function pages(): string[] {
  const folder = documentsFolder()
  if (folder === undefined) return []
  return readdirSync(folder)
    .filter(file => file.endsWith('.md'))
    .map(file => file.slice(0, -3))
    .filter(name => !noTopics.has(name))
}

const globalGroups = (root: Command): string[] =>
  optionGroups(root)
    .map(({ heading }) => topicName(heading))
    .filter(name => name !== 'options')

/** The topic for a group of global options: `output` for `Output:`. */
export const topicName = (heading: string): string => heading.replace(/:$/, '').toLowerCase()

/** A topic that is made from the program itself. */
const environmentTopic = 'environment'

/** The page of a topic, or its section in one, in the language of the interface if there is a translation, and `isForeign` if not; undefined if there is none. */
export function topicPage(name: string): { markdown: string; isForeign: boolean } | undefined {
  if (name === environmentTopic) return { markdown: environmentPage(), isForeign: false }
  const [page, heading] = sections[name] ?? [name]
  if (!pages().includes(page)) return undefined
  const language = interfaceLanguage()
  const translated = language === 'en' ? undefined : readPage(join(language, page))
  const english = readPage(page) ?? ''
  const isForeign = language !== 'en' && translated === undefined
  if (heading === undefined) return { markdown: translated ?? english, isForeign }
  // The sections of a translation are in the same order.
  const place = sectionsOf(english).findIndex(part => part.startsWith(`## ${heading}\n`))
  return { markdown: sectionsOf(translated ?? english)[place] ?? '', isForeign }
}

/** The introduction of a page, and its sections. */
export const sectionsOf = (markdown: string): string[] => markdown.split(/^(?=## )/m).filter(part => part.trim() !== '')

const environmentPage = (): string =>
  [
    `## ${phrase('Environment variables')}\n`,
    `${phrase('An option takes precedence over the environment, and the environment over `.calctl.json` and the profile.')}\n`,
    `| ${phrase('Variable')} | ${phrase('Meaning')} |`,
    '| --- | --- |',
    ...Object.entries(environment()).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
    '',
  ].join('\n')

/** A page in docs/, or beside it; undefined if there is none with this name. */
export function readPage(name: string): string | undefined {
  const folder = documentsFolder()
  if (folder === undefined)
    throw badSettings(phrase('the documents that belong to calctl are missing'), phrase('install calctl again'))
  const file = join(folder, `${name}.md`)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** The folder docs/ of this package, above the running file; undefined for a bundle outside of its package. */
function documentsFolder(): string | undefined {
  for (let folder = dirname(import.meta.filename); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'docs', 'scripting.md'))) return join(folder, 'docs')
  return undefined
}
