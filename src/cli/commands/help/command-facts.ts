import type { EventEmitter } from 'node:events'
import type { Command, Option } from 'commander'

/** The options of a command under one heading, or the commands below it. */
export interface Group<Item> {
  readonly heading: string
  readonly items: readonly Item[]
}

/** The words that lead to a command: `calctl events list`. */
export const commandPath = (command: Command): string =>
  command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name()

/** How a command is typed: `calctl events get <ref...> [options]`. */
export function usageOf(command: Command): string {
  const words = command.registeredArguments.map(argument => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [commandPath(command), ...(command.commands.length > 0 ? ['<command>'] : words), '[options]'].join(' ')
}

/** The text that stands beside the options of a command, and its examples. */
export function notesOf(command: Command): { readonly notes: string; readonly examples: readonly string[] } {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  // Commander keeps the texts of addHelpText as listeners; its types do not declare that a command is an emitter.
  ;(command as unknown as EventEmitter).emit('afterHelp', { command, error: false, write })
  const [notes = '', examples = ''] = text.trim().split(/^Examples:\n/m)
  return { notes: notes.trim(), examples: linesOf(examples) }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** What a command is about comes first, how it is done last; other groups stand between, as they were added. */
const first = ['Fields:', 'Filters:', 'Selection:', 'Files:']
const last = ['Output:', 'Connection:', 'Safety:', 'Run:', 'Debugging:']

/** The options of a command itself, without the global ones, in groups. */
export function optionGroups(command: Command): readonly Group<Option>[] {
  const visible = command.options.filter(option => !option.hidden)
  const groups = groupsOf(visible, ({ helpGroupHeading = 'Options:' }) => helpGroupHeading)
  const rank = ({ heading }: Group<Option>) => {
    if (first.includes(heading)) return first.indexOf(heading)
    return first.length + 1 + last.indexOf(heading)
  }
  return groups.toSorted((one, other) => rank(one) - rank(other))
}

/** The commands below a command, in groups. */
export const commandGroups = (command: Command): readonly Group<Command>[] =>
  groupsOf(command.commands.filter(isVisible), child => child.helpGroup() || 'Commands:')

/** Commander's types leave out how a command is hidden. */
const isVisible = (command: Command): boolean => !(command as unknown as { _hidden: boolean })._hidden

function groupsOf<Item>(items: readonly Item[], headingOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(headingOf(item), [...(groups.get(headingOf(item)) ?? []), item])
  return [...groups].map(([heading, items]) => ({ heading, items }))
}

/** What an option does, with the words it takes. */
export function meaningOf({ description, argChoices }: Pick<Option, 'description' | 'argChoices'>): string {
  return argChoices ? `${description}: ${argChoices.join(', ')}` : description
}

/** Options with their meanings, a row each. */
export const optionRows = (options: readonly Option[]): [flags: string, meaning: string][] =>
  options.map(option => [option.flags, meaningOf(option)])

/** The root of the tree of a command, which has the global options. */
export const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)
