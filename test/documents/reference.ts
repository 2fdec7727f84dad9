import type { EventEmitter } from 'node:events'
import type { Command, Option } from 'commander'
import { outputFormsOf } from '../../src/commands/shared/output-forms.ts'
import { exitStatus, type FailureKind } from '../../src/failure.ts'
import { commandsUnder, commandTree } from '../command-tree.ts'

/** docs/reference.md: every command, option, environment variable and exit status, from the program itself. */
export function reference(): string {
  const root = commandTree()
  const commands = commandsUnder(root).filter(({ command }) => command.commands.length === 0)
  const common = commonOptions(commands.map(({ command }) => command))
  return `${[
    '# Reference',
    'Every command with its arguments and options, the environment variables and the exit statuses. This page is written ' +
      'by `npm run docs` from the program itself; `--help` after a command says the same.',
    contents(commands.map(({ path }) => path)),
    '## Global options',
    'They stand before or after the command.',
    optionTable(root.options),
    '## Options of commands that write',
    'Commands that refer to this section take all of these.',
    optionTable(common),
    ...commands.flatMap(({ path, command }) => commandSection(path, command, common)),
    '## Environment variables',
    'An option wins over the environment, and the environment over `.calctl.json` and the profile.',
    table(
      ['Variable', 'Meaning'],
      Object.entries(environment).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## Exit statuses',
    table(['Status', 'Meaning', '`kind` in a JSON error'], statusRows()),
  ].join('\n\n')}\n`
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

/** The help text below the options. Examples become a code block. */
function textAfter(command: Command): string[] {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  // Commander keeps the texts of addHelpText as listeners; its types do not declare that a command is an emitter.
  ;(command as unknown as EventEmitter).emit('afterHelp', { command, error: false, write })
  const [prose = '', examples] = text.trim().split(/^Examples:\n/m)
  return [
    ...(prose.trim() ? [prose.trim()] : []),
    ...(examples ? [`\`\`\`sh\n${examples.replace(/^ {2}/gm, '').trim()}\n\`\`\``] : []),
  ]
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

/** Every variable that the program reads; a test looks for them in `src`. */
const environment = {
  CALCTL_PROFILE: 'the profile, as `--profile`',
  CALCTL_BASE_URL: 'the base URL, as `--base-url`; the credentials of a profile are not sent to another origin',
  CALCTL_LANG: 'the language, as `--lang`',
  CALCTL_NAMESPACE: 'the namespace, as `--namespace`',
  CALCTL_USER: 'the user name',
  CALCTL_PASSWORD: 'the password (on a WordPress site: an application password)',
  CALCTL_PASSWORD_FILE: 'a file with the password, readable by its owner only',
  CALCTL_SERVE_USERS: '`serve`: users who may write, as `one:secret,two:secret`',
  CALCTL_SERVE_TOKEN: '`serve`: the token of the `/__calctl` routes, as `--token`',
  HTTP_PROXY: 'proxy for `http` addresses; `http_proxy` wins over it',
  HTTPS_PROXY: 'proxy for `https` addresses; `https_proxy` wins over it',
  NO_PROXY: 'hosts that need no proxy, comma-separated; `no_proxy` wins over it',
  VISUAL: '`edit`: the editor; then `EDITOR`, then `vi`',
  EDITOR: '`edit`: the editor, where `VISUAL` is not set',
  NO_COLOR: 'no colours, if not empty',
  CLICOLOR: '`0`: no colours',
  CLICOLOR_FORCE: 'colours even in a pipe, if neither empty nor `0`',
  TERM: '`dumb`: no colours',
  XDG_DATA_HOME: 'the local calendar is `calctl/calendar.json` in this folder (default: `~/.local/share`)',
  XDG_CONFIG_HOME: 'profiles are in `calctl/config.json` in this folder (default: `~/.config`)',
  XDG_CACHE_HOME: 'what was found out about sites is in `calctl` in this folder, for a day (default: `~/.cache`)',
  XDG_STATE_HOME: 'journals of runs are in `calctl/runs` in this folder (default: `~/.local/state`)',
  TZ: 'the time zone, where that of the machine is not meant; a new calendar gets it',
  SUDO_UID: 'who called `sudo`: root may `trust` their project files',
  HOME: 'the home folder',
  USERPROFILE: 'the home folder on Windows',
  APPDATA: 'the folder of the configuration on Windows',
  LOCALAPPDATA: 'the folder of the local calendar and the journals on Windows',
}

export const environmentNames: readonly string[] = Object.keys(environment)

/** A kind that shares its status with another one has a shorter description. */
const meanings: Record<FailureKind, string> = {
  usage: 'usage: an unknown command or option, a wrong value, an invalid file; nothing was sent',
  settings: 'configuration: no such profile, an unreadable file, a port in use',
  denied: 'credentials: the service answered 401',
  missing: 'the service has no such record',
  refused: 'the service refused the request',
  unreachable: 'unreachable, timed out, or the service failed (5xx): trying again may help',
  partial: 'some of many failed',
  conflict: 'conflict: the record changed meanwhile, or the service changed a field that was not asked for',
  declined: 'declined at a prompt, or stopped by a safety rule',
  interrupted: 'interrupted',
}

function statusRows(): string[][] {
  const kinds = Object.entries(exitStatus) as [FailureKind, number][]
  return [
    ['0', 'done; an empty list too', ''],
    ['1', 'the answer is no: `diff` found differences', ''],
    ...grouped(kinds, ([, status]) => status).map(([status, group]) => [
      `${status}`,
      group.map(([kind]) => meanings[kind]).join('; '),
      group.map(([kind]) => `\`${kind}\``).join(', '),
    ]),
  ]
}
