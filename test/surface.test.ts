import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { commandsUnder, commandTree } from './tree.ts'

/** What people may rely on: a line per command, with its arguments and options. */
const surface = () => {
  const root = commandTree()
  const lines = commandsUnder(root)
    .filter(({ command }) => command.commands.length === 0)
    .map(({ path, command }) => `calctl ${[...path, ...words(command)].join(' ')}`)
  return `everywhere: ${words(root).join(' ')}\n${lines.join('\n')}\n`
}

const words = (command: Command): string[] => [
  ...command.registeredArguments.map(argument => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  }),
  ...command.options.map(option => `[${option.flags.replace(', ', '|')}]`),
]

test('every command and option stands in the surface file', async () => {
  await expect(surface()).toMatchFileSnapshot('surface.txt')
})

test('the reference in the README is the surface file', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8')
  expect(readme).toContain(surface())
})
