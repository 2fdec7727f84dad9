import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'vitest'
import { stepsOf } from '../documents/examples.ts'
import { installCalctl, runSteps } from '../documents/terminal.ts'

const root = resolve(import.meta.dirname, '../..')
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter(n => n.endsWith('.md') && n !== 'reference.md')
    .map(n => `docs/${n}`),
]
const path = installCalctl()
for (const [language, columns] of [
  ['ca', 60],
  ['es', 80],
  ['ca', 120],
  ['en', 60],
] as const)
  for (const document of documents)
    test(`${document} ${language} ${columns}`, { concurrent: true, timeout: 120000 }, async () => {
      const steps = stepsOf(readFileSync(join(root, document), 'utf8'))
      const shown = await runSteps(path, steps, { language, columns })
      const commands = steps.flatMap(s => ('command' in s ? [s.command] : []))
      writeFileSync(
        `/tmp/wd/${document.replaceAll('/', '_')}.${language}.${columns}.json`,
        JSON.stringify(commands.map((command, i) => ({ command, ...shown[i] }))),
      )
    })
