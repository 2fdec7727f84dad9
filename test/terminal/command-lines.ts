import type { Command } from 'commander'
import { outputFormsOf } from '../../src/cli/commands/shared/output-forms.ts'
import { resources } from '../../src/contract/contract.ts'
import { commandsUnder, commandTree } from '../support/command-tree.ts'

/** Values for required arguments, by name. */
const argumentValues: Readonly<Record<string, string>> = {
  ref: '1',
  survivor: '1',
  other: '2',
  file: 'hostile.csv',
  plan: 'hostile.csv',
  name: 'town',
  resource: 'events',
  run: 'last',
  method: 'GET',
  path: 'events',
  text: 'jazz',
  place: 'town.csv',
  event: '1',
}

const newRecord = (noun: string): string[] => {
  const resource = resources.find(({ name }) => name === noun)
  if (!resource) return []
  const dates = noun === 'events' ? { start_date: '2026-12-24 18:00', end_date: '2026-12-24 20:00' } : {}
  return ['--data', JSON.stringify({ [resource.title]: 'Second', ...dates })]
}

/** What a command needs beside its arguments, by its last word. A command that is not here gets nothing. */
const extras: Readonly<Record<string, (noun: string) => string[]>> = {
  create: newRecord,
  duplicate: () => ['--to', '2026-12-31'],
  update: newRecord,
  add: noun => (noun === 'profiles' ? ['--base-url', 'http://127.0.0.1:1'] : []),
  serve: () => ['--memory', '--port', '0', '--log'],
}

/** A command line for every command of the program, made from its own declaration, with each form of output that it has. */
export interface CommandLine {
  readonly name: string
  readonly words: readonly string[]
  readonly forms: readonly string[]
}

export function commandLines(): CommandLine[] {
  return commandsUnder(commandTree())
    .filter(({ command }) => command.commands.length === 0 && command.name() !== 'help')
    .map(({ path, command }) => ({
      name: path.join(' '),
      words: [...path, ...requiredArguments(path, command), ...(extras[path.at(-1) ?? '']?.(path[0] ?? '') ?? [])],
      forms: outputFormsOf(command)?.forms ?? [],
    }))
}

function requiredArguments(path: readonly string[], command: Command): string[] {
  return command.registeredArguments
    .filter(argument => argument.required || path.at(-1) === 'update')
    .map(argument => {
      const value = argumentValues[argument.name()]
      if (value === undefined) throw new Error(`${path.join(' ')}: add a value for <${argument.name()}>`)
      return value
    })
}
