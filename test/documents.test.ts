import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { reference } from '../scripts/reference.ts'
import { environment } from '../src/cli/commands/help/tree-description.ts'
import { stepsOf, unexpectedEnds, withOutput } from './documents/examples.ts'
import { pictureOf } from './documents/picture.ts'
import { installCalctl, runSteps } from './documents/terminal.ts'
import { commandTree } from './support/command-tree.ts'
import { onlyInSoak, skipped } from './support/skipped.ts'

// `npm run docs` updates the output of the examples in the documents.

const isInstalled = (tool: string): boolean => spawnSync('which', [tool]).status === 0

const root = resolve(import.meta.dirname, '..')
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(name => `docs/${name}`),
].filter(path => path.endsWith('.md') && path !== 'docs/reference.md')

/** The pages in docs/ca and docs/es; each has the name of the page that it translates. */
const translations = documents.filter(path => path.split('/').length > 2)

const path = installCalctl()
afterAll(() => rmSync(path, { recursive: true }))

// Translations have the commands of their originals, so they run only in the soak and for `npm run docs`.
const isSoak = process.env.SOAK_ROUNDS !== undefined

for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8')
  const isTranslation = translations.includes(document)
  const missing = ['curl', 'jq'].filter(tool => text.includes(`${tool} `) && !isInstalled(tool))
  const isOnlyInSoak = isTranslation && !isSoak
  const isSkipped = isOnlyInSoak || missing.length > 0
  // They wait for servers, so several run at a time.
  const options = { concurrent: true, skip: isSkipped }
  const appearance = isTranslation ? { language: basename(dirname(document)) } : {}
  const why = skipped(isSkipped, isOnlyInSoak ? onlyInSoak : `${missing.join(' and ')} not installed`)
  test(`the examples of ${document} print what stands there${why}`, options, async ({ expect }) => {
    const shown = await runSteps(path, stepsOf(text), appearance)
    await expect(withOutput(text, shown)).toMatchFileSnapshot(join(root, document))
    expect(unexpectedEnds(text, shown)).toEqual([])
  })
}

test('the picture in the README shows what calctl prints', async () => {
  const sheet = 'venue,address,city\nTeatre Principal,,Girona\nPlaça Major,,Riumajor\nAuditori,Carrer Nou 7,Girona\n'
  const commands = [
    'calctl events list --demo --starts-after 2026-11-26 --limit 6',
    'calctl diff venues.csv --demo',
    'calctl events get carnaval --demo',
  ]
  const steps = [{ file: 'venues.csv', text: sheet }, ...commands.map(command => ({ command }))]
  const shown = await runSteps(path, steps, { color: true })
  const screen = commands
    .map((command, index) => `\u001b[90m$\u001b[39m ${command}\n${shown[index]?.output}`)
    .join('\n')
  await expect(pictureOf('calctl in a terminal', screen)).toMatchFileSnapshot(join(root, 'docs/picture.svg'))
})

test('the reference has every environment variable that the program reads', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(join(root, 'src', file), 'utf8'))
    .join('\n')
  const names = sources.matchAll(/\benv\.([A-Z_]+)\b|\b((?:CALCTL|XDG)_[A-Z_]+|[A-Z]+_PROXY)\b/g)
  const read = [...names].map(([, member, name]) => member ?? name)
  expect(read.filter(name => !Object.hasOwn(environment(), name ?? ''))).toEqual([])
})

test('docs/scripting.md has every exit status', () => {
  const statusesIn = (text: string) => [...text.matchAll(/^\| (\d+) \|/gm)].map(([, status]) => status)
  const scripting = readFileSync(join(root, 'docs/scripting.md'), 'utf8')
  expect(statusesIn(scripting)).toEqual(statusesIn(reference(commandTree())))
})

test('every link between the documents leads to a file and a heading', () => {
  const broken = documents.flatMap(document => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([link, file = '', heading]) => {
      const target = file === '' ? join(root, document) : resolve(root, dirname(document), file)
      if (!existsSync(target)) return [`${document}: ${link}`]
      return heading === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(heading)
        ? []
        : [`${document}: ${link}`]
    })
  })
  expect(broken).toEqual([])
})

test('a translation links to pages in its own language where they exist', () => {
  const toOriginals = translations.flatMap(document => {
    const text = readFileSync(join(root, document), 'utf8')
    const names = [...text.matchAll(/\]\(\.\.\/([\w-]+\.md)/g)].map(([, name = '']) => name)
    return names.filter(name => translations.includes(join(dirname(document), name))).map(name => [document, name])
  })
  expect(toOriginals).toEqual([])
})

test.each(translations)('%s has the headings, lists, tables and steps of the original', document => {
  const outline = (path: string) => outlineOf(readFileSync(join(root, path), 'utf8'))
  expect(outline(document)).toEqual(outline(`docs/${basename(document)}`))
})

/** The form of a document, whatever its language: its headings, list items, rows and blocks, then its files and the programs that it runs. */
function outlineOf(document: string): string[] {
  const prose = document.replace(/^```console\n.*?^```$/gms, '')
  const marks = [...prose.matchAll(/^(?:#+|- |\d+\. |\||```\w+)/gm)].map(([mark]) => mark)
  return [...marks, ...stepsOf(document).map(step => ('file' in step ? 'file' : (step.command.split(' ')[0] ?? '')))]
}

/** The anchors that GitHub generates for headings. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('README.md has at most 150 lines', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(150)
})

test('every path of the project that a document names exists', () => {
  const missing = documents.flatMap(document => {
    const text = readFileSync(join(root, document), 'utf8')
    const paths = [...text.matchAll(/`((?:src|test|bench|docs|bin|scripts|\.ci)\/[^`\s]*)`/g)].map(
      ([, name = '']) => name,
    )
    return paths.filter(name => !existsSync(join(root, name))).map(name => `${document}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('CONTRIBUTING.md names every folder of src', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect(folders.filter(({ name }) => !text.includes(`\`src/${name}/\``))).toEqual([])
})
