import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import stringWidth from 'string-width'
import { afterAll, expect, test } from 'vitest'
import { stepsOf } from '../documents/examples.ts'
import { installCalctl, runSteps } from '../documents/terminal.ts'

/**
 * The commands of the English documents, as people see them who read another language and have a narrow or a wide terminal. The soak
 * runs all documents; the suite runs the README.
 */

const root = resolve(import.meta.dirname, '../..')
const isSoak = process.env.SOAK_ROUNDS !== undefined
const pages = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md') && name !== 'reference.md')
const documents = ['README.md', ...(isSoak ? pages.map(name => `docs/${name}`) : [])]

const path = installCalctl()
afterAll(() => rmSync(path, { recursive: true }))

/** What programs read, or other programs print. */
const isForPrograms =
  /--json|--jq|--plain|-o (?:json|csv|tsv|ndjson|yaml|html|ids|markdown|github)|--lang en|--print-curl|--debug|\b(?:curl|node|cat|git|sed|head|grep|tee|jq|man)\b/

const wordsIn = (text: string): string[] => (text.match(/\p{L}[\p{L}’'·-]*/gu) ?? []).map(word => word.toLowerCase())

/** Quoted words, options, addresses and names of files. */
const names = /"[^"]*"|'[^']*'|«[^»]*»|--[\w-]+|The Events Calendar|\S*[/_@=.]\w\S*/g

const sentenceWords = (text: string): string[] => wordsIn(text.replace(names, ' '))

const catalog = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, `src/base/words/${language}.json`), 'utf8'))
const english = new Set(Object.keys(catalog('ca')).flatMap(sentenceWords))

/** The texts of the demo, longest first. */
const demo = [...readFileSync(join(root, 'src/service/demo/town.json'), 'utf8').matchAll(/"((?:[^"\\]|\\.)*)"/g)]
  .map(([, text = '']) => text)
  .filter(text => text.includes(' '))
  .toSorted((one, other) => other.length - one.length)

/** What a server of this kind answers is quoted as it is. */
const answers = ['This calendar is served read-only']

/** Words of English sentences that belong to no sentence in the language, no record and no file of the document. */
function englishIn(text: string, language: string, document: string): string[] {
  const given = stepsOf(document).flatMap(step => wordsIn('command' in step ? step.command : step.text))
  const known = new Set([...Object.values(catalog(language)).flatMap(sentenceWords), ...given])
  const cut = /\S+(?: \S+)*…/g
  const said = [...answers, ...demo].reduce(
    (left, one) => left.replaceAll(one, ' '),
    text.replace(/\n +/g, ' ').replace(cut, ' '),
  )
  return sentenceWords(said).filter(word => english.has(word) && !known.has(word))
}

/** Lines that are wider than the terminal although they could end earlier: those without a command, or an address, at their end. */
const tooWide = (text: string, columns: number): string[] =>
  text.split('\n').filter(line => {
    const last = line.trimStart().lastIndexOf(' ')
    return stringWidth(line) > columns && last > 0 && !/: calctl |https?:|\S[/=]\S/.test(line)
  })

const terminals = [
  ['ca', 60],
  ['es', 80],
  ['ca', 120],
  ['en', 60],
] as const

for (const document of documents)
  for (const [language, columns] of isSoak ? terminals : terminals.slice(0, 2))
    test(`${document} in ${language}, ${columns} columns wide`, { concurrent: true }, async ({ expect }) => {
      const text = readFileSync(join(root, document), 'utf8')
      const shown = await runSteps(path, stepsOf(text), { language, columns })
      const commands = stepsOf(text).flatMap(step => ('command' in step ? [step.command] : []))
      const screens = commands.flatMap((command, index) =>
        isForPrograms.test(command) ? [] : [`$ ${command}\n${shown[index]?.output ?? ''}`],
      )
      const outputs = screens.map(screen => screen.slice(screen.indexOf('\n') + 1))
      expect(outputs.flatMap(output => tooWide(output, columns))).toEqual([])
      if (language !== 'en')
        expect(
          outputs.flatMap(output => englishIn(output, language, text).map(word => `${word} in ${output}`)),
        ).toEqual([])
    })

test('an English sentence within Catalan output, and a line that is too wide, are found', () => {
  expect(englishIn('S’ha creat with the', 'ca', '')).toEqual(['with', 'the'])
  expect(tooWide('a line of more than twenty columns', 20)).toHaveLength(1)
})
