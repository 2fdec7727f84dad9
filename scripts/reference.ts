import type { Command, Option } from 'commander'
import { environment, notesOf, statusMeanings } from '../src/cli/commands/help/tree-description.ts'
import { outputFormsOf } from '../src/cli/commands/shared/output-forms.ts'

/** docs/reference.md: every command, option, environment variable and exit status, from the program itself. */
export function reference(root: Command): string {
  const commands = commandsIn(root)
  const common = commonOptions(commands.map(({ command }) => command))
  return `${[
    '# Reference',
    'Every command with its arguments and options, the environment variables and the exit statuses. `npm run build` writes this ' +
      'page; `--help --all` after a command says the same.',
    contents(commands.map(({ path }) => path)),
    '## Global options',
    'They stand before or after the command.',
    optionTable(root.options),
    '## Options of commands that write',
    'Commands that refer to this section take all of these.',
    optionTable(common),
    ...commands.flatMap(({ path, command }) => commandSection(path, command, common)),
    '## Environment variables',
    'An option takes precedence over the environment, and the environment over `.calctl.json` and the profile.',
    table(
      ['Variable', 'Meaning'],
      Object.entries(environment()).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## Exit statuses',
    table(
      ['Status', 'Meaning', '`kind` in a JSON error'],
      statusMeanings().map(({ exitStatus, meaning, kinds }) => [
        `${exitStatus}`,
        meaning,
        kinds.map(kind => `\`${kind}\``).join(', '),
      ]),
    ),
  ].join('\n\n')}\n`
}

/** The commands below a command that have no others below them, each with its path: `['events', 'list']`. */
function commandsIn(command: Command, path: readonly string[] = []): { path: readonly string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }]
  return command.commands.flatMap(child => commandsIn(child, [...path, child.name()]))
}

function contents(paths: readonly (readonly string[])[]): string {
  const groups = grouped(paths, ([first = '']) => first)
  return [
    '- [Global options](#global-options), [options of commands that write](#options-of-commands-that-write)',
    ...groups.map(([, group]) => `- ${group.map(path => `[${path.join(' ')}](#calctl-${path.join('-')})`).join(', ')}`),
    '- [Environment variables](#environment-variables), [exit statuses](#exit-statuses)',
  ].join('\n')
}

/** The options that all commands with `--jobs` and `--dry-run` share. */
function commonOptions(commands: readonly Command[]): Option[] {
  const [first, ...others] = commands
    .map(({ options }) => options)
    .filter(options => ['--jobs', '--dry-run'].every(flag => options.some(({ long }) => long === flag)))
  return (first ?? []).filter(option => others.every(options => options.some(other => isSame(option, other))))
}

const isSame = (one: Option, other: Option): boolean =>
  one.flags === other.flags && one.description === other.description

function commandSection(path: readonly string[], command: Command, common: readonly Option[]): string[] {
  const takesCommon = common.every(option => command.options.some(other => isSame(option, other)))
  const options = command.options.filter(
    option => !option.hidden && !(takesCommon && common.some(other => isSame(option, other))),
  )
  const groups = grouped(options, ({ helpGroupHeading = 'Options:' }) => helpGroupHeading)
  const rows = command.registeredArguments.map(({ description, argChoices }, index) => [
    `\`${usageOf(command)[index]}\``,
    sentence(description, argChoices),
  ])
  return [
    `## calctl ${path.join(' ')}`,
    `${capital(command.description())}.`,
    `\`\`\`text\n${['calctl', ...path, ...usageOf(command), '[options]'].join(' ')}\n\`\`\``,
    ...(rows.some(([, meaning]) => meaning) ? [table(['Argument', 'Meaning'], rows)] : []),
    ...groups.flatMap(([heading, group]) => [
      ...(groups.length > 1 ? [`**${heading.replace(/:$/, '')}**`] : []),
      optionTable(group),
    ]),
    ...formsOf(command),
    ...(takesCommon ? ['Also the [options of commands that write](#options-of-commands-that-write).'] : []),
    ...textAfter(command),
  ]
}

/** The output forms of the command. A write of many records prints other rows in the same forms. */
function formsOf(command: Command): string[] {
  const forms = outputFormsOf(command)?.forms ?? []
  return forms.length > 1 ? [`\`-o\` prints ${forms.map(form => `\`${form}\``).join(', ')}.`] : []
}

const usageOf = (command: Command): string[] =>
  command.registeredArguments.map(argument => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })

/** The help text beside the options. */
function textAfter(command: Command): string[] {
  const { notes, examples } = notesOf(command)
  return [...(notes ? [notes] : []), ...(examples.length > 0 ? [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``] : [])]
}

const optionTable = (options: readonly Option[]): string =>
  table(
    ['Option', 'Meaning'],
    options.map(({ flags, description, argChoices }) => [`\`${flags}\``, sentence(description, argChoices)]),
  )

const sentence = (description: string, choices: readonly string[] | undefined): string =>
  description + (choices ? `: ${choices.map(choice => `\`${choice}\``).join(', ')}` : '')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`)
    .join('\n')

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): [Key, Item[]][] {
  const groups = new Map<Key, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups]
}
