import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { version } from '../package.json'
import { calendar } from './support/calendar.ts'
import { commandsUnder, commandTree } from './support/command-tree.ts'

/** The public surface: every command, with its arguments and options. */
const surface = () => {
  const root = commandTree()
  const commands = commandsUnder(root).filter(({ command }) => command.commands.length === 0)
  return [
    wrapped(['everywhere:', ...words(root)]),
    ...commands.map(({ path, command }) => wrapped(['calctl', ...path, ...words(command)])),
  ].join('')
}

const words = (command: Command): string[] => [
  ...command.registeredArguments.map(argument => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  }),
  ...command.options.map(option => `[${option.flags.replace(', ', '|')}]`),
]

const wrapped = (parts: readonly string[]): string => {
  const lines = ['']
  for (const part of parts) {
    const line = `${lines.at(-1)}${lines.at(-1) ? ' ' : ''}${part}`
    if (line.length <= 110) lines[lines.length - 1] = line
    else lines.push(`    ${part}`)
  }
  return `${lines.join('\n')}\n`
}

test('surface.txt has every command and option', async () => {
  await expect(surface()).toMatchFileSnapshot('surface.txt')
})

test('--version prints the version, in any position', async () => {
  for (const line of ['--version', '-V', '-q --version', 'events list --version'])
    expect(await calendar()(line), line).toEqual({ status: 0, out: `${version}\n`, err: '' })
})
