import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { man } from '../../package.json'
import { commandTree } from '../support/command-tree.ts'
import { skipped } from '../support/skipped.ts'
import { worldOf } from '../support/world.ts'

const calctl = worldOf({})
const nouns = commandTree()
  .commands.filter(({ commands }) => commands.length > 0)
  .map(command => command.name())

test('package.json has a manual page for calctl and for each command with others below it', () => {
  expect(man.toSorted()).toEqual(['man/calctl.1', ...nouns.map(name => `man/calctl-${name}.1`)].toSorted())
})

const hasMandoc = spawnSync('which', ['mandoc']).status === 0

test.skipIf(!hasMandoc)(`manual pages are valid${skipped(!hasMandoc, 'mandoc is not installed')}`, async () => {
  for (const name of ['', ...nouns]) {
    const { out: input } = await calctl(`help ${name} --man`)
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning'], { input, encoding: 'utf8' })
    // The pages have no date, so that the same sources make the same pages.
    expect({
      name,
      problems: stdout.split('\n').filter(line => line !== '' && !line.includes('missing date')),
    }).toEqual({ name, problems: [] })
  }
})

test('a manual page has every option and example of its commands', async () => {
  const { out } = await calctl('help events --man')
  const text = out.replaceAll('\\-', '-')
  for (const command of commandTree().commands.find(one => one.name() === 'events')?.commands ?? [])
    for (const { hidden, flags } of command.options) if (!hidden) expect(text).toContain(`.B ${flags}\n`)
  expect(text).toContain('calctl events update concert --title "Concert de Nadal"')
})

test('the manual page of calctl has the environment and the exit statuses', async () => {
  const { out } = await calctl('help --man')
  expect(out).toContain('.B CALCTL_PROFILE\n')
  expect(out).toContain('.B 130\ninterrupted\n')
})
