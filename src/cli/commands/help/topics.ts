import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { Failure } from '../../../base/failure.ts'
import { optionGroups } from './tree-description.ts'

/** Topics that are a section of a page; all other pages are topics by themselves. */
const sections: Readonly<Record<string, readonly [page: string, heading: string]>> = {
  connection: ['scripting', 'Connect to a site'],
  environment: ['reference', 'Environment variables'],
  'exit-statuses': ['scripting', 'Exit statuses'],
  output: ['scripting', 'Output'],
}

/** Words for which people look, and the topics that have them. */
const otherNames: Readonly<Record<string, string>> = {
  where: 'selecting',
  filter: 'selecting',
  filters: 'selecting',
  sort: 'selecting',
  jq: 'output',
  exit: 'exit-statuses',
  env: 'environment',
  pager: 'viewing',
  colors: 'viewing',
  csv: 'sheets',
  excel: 'sheets',
  ics: 'feeds',
  dedupe: 'duplicates',
  doubles: 'duplicates',
  sites: 'troubleshooting',
  merge: 'duplicates',
}

/** The topic that has what this word stands for; undefined if none is known by it. */
export const topicFor = (word: string): string | undefined =>
  Object.hasOwn(otherNames, word) ? otherNames[word] : undefined

/** The names of all topics: the pages in docs/, their sections that are asked for often, and the groups of global options. */
export const topicNames = (root: Command): readonly string[] =>
  [...new Set([...pages(), ...Object.keys(sections), ...globalGroups(root)])].toSorted()

/** Pages that are no topics: the reference says what `--help` says. */
const noTopics: ReadonlySet<string> = new Set(['reference'])

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

/** The name under which a group of global options is a topic: `output` for `Output:`. */
export const topicName = (heading: string): string => heading.replace(/:$/, '').toLowerCase()

/** The Markdown of a topic, a page or a section of one; undefined if it has none. */
export function markdownOf(name: string): string | undefined {
  const section = sections[name]
  if (!section) return pages().includes(name) ? readPage(name) : undefined
  const [page, heading] = section
  const [, ...parts] = readPage(page).split(/^(?=## )/m)
  return parts.find(part => part.startsWith(`## ${heading}\n`))
}

function readPage(name: string): string {
  const folder = documentsFolder()
  if (folder !== undefined) return readFileSync(join(folder, `${name}.md`), 'utf8')
  throw new Failure('settings', 'the documents that belong to calctl are missing', { hint: 'install calctl again' })
}

/** The folder docs/ of this package, above the file that is running; undefined for a bundle that was taken out of its package. */
function documentsFolder(): string | undefined {
  for (let folder = dirname(import.meta.filename); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'docs', 'scripting.md'))) return join(folder, 'docs')
  return undefined
}
