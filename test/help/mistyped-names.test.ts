import { expect, test } from 'vitest'
import { mistyped } from '../../src/cli/mistyped.ts'
import { commandsUnder, commandTree } from '../support/command-tree.ts'
import { worldOf } from '../support/world.ts'

const calctl = worldOf({})

const hintOf = async (line: string | readonly string[]) => {
  const { status, out, err } = await calctl(line)
  expect({ line, status, out }).toEqual({ line, status: 2, out: '' })
  return err.split('\n')[1]?.replace('hint: ', '')
}

test.each([
  ['events creat', 'create'],
  ['events craete', 'create'],
  ['events lits', 'list'],
  ['agneda', 'agenda'],
  ['events list --stats x', '--status'],
  ['events list --colour', '--color'],
  ['events create --category Dansa', '--categories'],
])('%s: a mistyped name gets the nearest one', async (line, name) => {
  expect(await hintOf(line)).toBe(`did you mean ${name}?`)
})

test.each([
  ['events undelete 12', 'events'],
  ['events remove 12', 'events'],
  ['events delete 12 --year', 'events delete'],
  ['events delete 12 --yess', 'events delete'],
  ['apply a.csv --skip-invaild', 'apply'],
  ['events frobnicate', 'events'],
  ['venues list jazz', 'venues list'],
])('%s: no other meaning is offered, only the usage', async (line, command) => {
  expect(await hintOf(line)).toBe(`see the usage with: calctl ${command} --help`)
})

test('no name of the program is taken for another one with a prefix, and no option that leaves out a question is offered', () => {
  for (const { command } of commandsUnder(commandTree())) {
    const names = [...command.commands.map(child => child.name()), ...command.options.flatMap(({ long }) => long ?? [])]
    for (const name of names) {
      const [dashes, word] = name.startsWith('--') ? ['--', name.slice(2)] : ['', name]
      for (const prefix of ['un', 'no-', 'de', 'dis', 're']) {
        expect(mistyped(`${dashes}${prefix}${word}`, [name])).toBe(undefined)
        expect(mistyped(name, [`${dashes}${prefix}${word}`])).toBe(undefined)
      }
    }
  }
  expect(mistyped('--date', ['--data'])).toBe(undefined)
  for (const typed of ['--ye', '--yse', '--forcee', '--no-inputs', '--allow-simlar'])
    expect(mistyped(typed, ['--yes', '--force', '--no-input', '--allow-similar'])).toBe(undefined)
})

test('an unknown option is named without its value, which may be a secret', async () => {
  for (const option of ['--pasword=hunter2', '-Xhunter2'])
    expect((await calctl(['login', 'example.org', option])).err).not.toContain('hunter2')
})

test.each([
  ['events create --name X', '--title'],
  ['venues create --name X', '--venue'],
  ['venues update 1 --title X', '--venue'],
  ['organizers create --title X', '--organizer'],
  ['tags create --title X', '--name'],
])('%s: the name of a record has an option of its own in each resource', async (line, name) => {
  expect(await hintOf(line)).toBe(`did you mean ${name}?`)
})
