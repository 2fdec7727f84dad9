import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { man } from '../../package.json'
import { commandTree } from '../support/command-tree.ts'
import { skipped } from '../support/skipped.ts'
import { worldOf } from '../support/world.ts'

const { manualPages } = await import(/* @vite-ignore */ resolve(import.meta.dirname, '../../scripts/manual.js'))
const { out: help } = await worldOf({})('help --json --all')
/** The pages by name. */
const pages: ReadonlyMap<string, string> = new Map(manualPages(JSON.parse(help)))

const nouns = commandTree()
  .commands.filter(({ commands }) => commands.length > 0)
  .map(command => command.name())

test('package.json has a manual page for calctl and for each command with others below it', () => {
  const names = ['calctl', ...nouns.map(name => `calctl-${name}`)].toSorted()
  expect(man.toSorted()).toEqual(names.map(name => `man/${name}.1`).toSorted())
  expect([...pages.keys()].toSorted()).toEqual(names)
})

const hasMandoc = spawnSync('which', ['mandoc']).status === 0

test.skipIf(!hasMandoc)(`manual pages are valid${skipped(!hasMandoc, 'mandoc is not installed')}`, () => {
  for (const [name, input] of pages) {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning'], { input, encoding: 'utf8' })
    // The pages have no date, so that the same sources make the same pages.
    expect({
      name,
      problems: stdout.split('\n').filter(line => line !== '' && !line.includes('missing date')),
    }).toEqual({ name, problems: [] })
  }
})

test('a manual page has every option and example of its commands', () => {
  const text = (pages.get('calctl-events') ?? '').replaceAll('\\-', '-')
  for (const command of commandTree().commands.find(one => one.name() === 'events')?.commands ?? [])
    for (const { hidden, flags } of command.options) if (!hidden) expect(text).toContain(`.B ${flags}\n`)
  expect(text).toContain('calctl events update concert --title "Concert de Nadal"')
})

test('the manual page of calctl has the environment and the exit statuses', () => {
  expect(pages.get('calctl')).toContain('.B CALCTL_PROFILE\n')
  expect(pages.get('calctl')).toContain('.B 130\ninterrupted\n')
})
