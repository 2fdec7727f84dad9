import type { EventEmitter } from 'node:events'
import type { Argument, Command, Option } from 'commander'
import { version } from '../../../../package.json'
import { exitStatus, type FailureKind } from '../../../base/failure.ts'
import { interfaceLanguage, phrase } from '../../../base/words/phrase.ts'
import type { Language } from '../../../contract/languages.ts'
import { spokenName } from '../../terminal/spoken-name.ts'
import { commandPath, SwitchOption } from '../shared/options.ts'
import { lastArguments } from '../shared/ref-arguments.ts'
import examplesByPath from './examples.json' with { type: 'json' }

/** A command as data, with the names of those below it, or all of them. The root has the global options, the environment and the exit statuses. */
export function describe(command: Command, isWhole: boolean): object {
  const { notes, examples } = notesOf(command)
  const isRoot = command.parent === null
  const below = commandGroups(command).flatMap(({ items }) => items)
  return {
    command: commandPath(command),
    ...(isRoot && { version }),
    description: command.description(),
    usage: usageOf(command),
    ...(notes && { notes }),
    examples,
    arguments: command.registeredArguments.map(describeArgument),
    options: optionGroups(command).flatMap(({ heading, items }) =>
      items.map(option => describeOption(option, heading.replace(/:$/, ''))),
    ),
    commands: below.map(child =>
      isWhole ? describe(child, true) : { command: commandPath(child), description: child.description() },
    ),
    ...(isRoot && {
      environment: Object.entries(environment()).map(([name, meaning]) => ({ name, description: plain(meaning) })),
      exitStatuses: statusMeanings().map(({ meaning, ...one }) => ({ ...one, description: plain(meaning) })),
    }),
  }
}

const plain = (text: string): string => text.replaceAll('`', '')

const describeArgument = (argument: Argument) => ({
  name: argument.name(),
  description: argument.description,
  required: argument.required,
  variadic: argument.variadic,
  choices: argument.argChoices ?? null,
  default: defaultIn(argument.description),
})

function describeOption({ flags, long, short, description, argChoices, defaultValue }: Option, group: string) {
  const [, value = null] = /<(.+)>/.exec(flags) ?? []
  return {
    flags,
    name: long ?? short,
    short: short ?? null,
    /** What the option takes; null for an option without a value. */
    value,
    description,
    group,
    choices: argChoices ?? null,
    default: defaultValue ?? defaultIn(description),
  }
}

/** The default value in a description. It belongs to the API or the code that uses it, so commander has none. */
function defaultIn(description: string): string | null {
  const [, text = null] = /\((?:default|per defecte|por defecto): ([^)]+)\)/.exec(description) ?? []
  return text
}

/** Every variable that the program reads, with its meaning; a test looks for them in the sources. */
export const environment = (): Readonly<Record<string, string>> => ({
  CALCTL_PROFILE: phrase('the profile, as `--profile`'),
  CALCTL_BASE_URL: phrase('the base URL, as `--base-url`; the credentials of a profile are not sent to another origin'),
  CALCTL_LANG: phrase('the language, as `--lang`'),
  CALCTL_UI: phrase('the language of messages and help, as `--ui`'),
  CALCTL_NAMESPACE: phrase('the namespace, as `--namespace`'),
  CALCTL_USER: phrase('the user name'),
  CALCTL_PASSWORD: phrase('the password (on a WordPress site: an application password)'),
  CALCTL_PASSWORD_FILE: phrase('a file with the password, readable by its owner only'),
  CALCTL_FRONT_USER: phrase('user of a password that the web server asks for, in front of the site'),
  CALCTL_FRONT_PASSWORD: phrase('that password'),
  CALCTL_SERVE_USERS: phrase('`serve`: users who may write, as `one:secret,two:secret`'),
  CALCTL_SERVE_TOKEN: phrase('`serve`: the token of the `/__calctl` routes, as `--token`'),
  HTTP_PROXY: phrase('proxy for `http` addresses; `http_proxy` takes precedence'),
  HTTPS_PROXY: phrase('proxy for `https` addresses; `https_proxy` takes precedence'),
  NO_PROXY: phrase('hosts that need no proxy, comma-separated; `no_proxy` takes precedence'),
  CALCTL_PAGER: phrase('the program for output that is longer than the terminal; none if empty'),
  PAGER: phrase('the same, if `CALCTL_PAGER` is not set (default: `less`)'),
  LC_ALL: phrase('the locale of the user: how `agenda` and `month` write days, if the content is in that language'),
  LC_TIME: phrase('the same for days, if `LC_ALL` is not set'),
  LC_MESSAGES: phrase('the same for texts, if `LC_ALL` is not set'),
  LANG: phrase('the same, if neither is set'),
  NO_COLOR: phrase('no colors, if not empty'),
  CLICOLOR: phrase('`0`: no colors'),
  FORCE_COLOR: phrase('colors even in a pipe; none if `0` or `false`'),
  CLICOLOR_FORCE: phrase('colors even in a pipe, if neither empty nor `0`'),
  TERM: phrase('`dumb`: no colors'),
  XDG_DATA_HOME: phrase('the local calendar is `calctl/calendar.json` in this folder (default: `~/.local/share`)'),
  XDG_CONFIG_HOME: phrase('profiles are in `calctl/config.json` in this folder (default: `~/.config`)'),
  XDG_CACHE_HOME: phrase(
    'notes about sites (for a day), and the records for Tab completion, are in `calctl` in this folder (default: `~/.cache`)',
  ),
  XDG_STATE_HOME: phrase('journals of runs are in `calctl/runs` in this folder (default: `~/.local/state`)'),
  TZ: phrase('the time zone, instead of that of the machine; a new calendar gets it'),
  SUDO_UID: phrase('the user who called `sudo`: root may `trust` the project files of that user'),
  HOME: phrase('the home folder'),
  USERPROFILE: phrase('the home folder on Windows'),
  APPDATA: phrase('the folder of the configuration on Windows'),
  LOCALAPPDATA: phrase('the folder of the local calendar and the journals on Windows'),
})

/** If two kinds share a status, the description of the second one is shorter. */
const meanings = (): Record<FailureKind, string> => ({
  usage: phrase('usage: an unknown command or option, a wrong value, an invalid file; nothing was sent'),
  settings: phrase('configuration: no such profile, an unreadable file, a port in use'),
  denied: phrase('credentials: the service answered 401'),
  missing: phrase('the service has no such record'),
  refused: phrase('the service refused the request'),
  unreachable: phrase('unreachable, timed out, or the service failed (5xx): trying again may help'),
  partial: phrase('partial failure: some succeeded, some failed'),
  conflict: phrase(
    'conflict: the record changed in the meantime, or the service changed a field that was not in the request',
  ),
  declined: phrase('declined at a prompt, or stopped by a safety rule'),
  interrupted: phrase('interrupted'),
})

/** All exit statuses in ascending order, with their meanings and the kinds of errors that end with them. */
export function statusMeanings() {
  const kinds = Object.keys(exitStatus) as FailureKind[]
  return [
    { exitStatus: 0, meaning: phrase('success, even with an empty list'), kinds: [] },
    {
      exitStatus: 1,
      meaning: phrase(
        'a check found something: differences (`diff --exit-code`), problems (`lint`, `doctor`), duplicates (`dedupe`), missing translations (`languages status`)',
      ),
      kinds: [],
    },
    ...[...new Set(Object.values(exitStatus))].map(status => {
      const same = kinds.filter(kind => exitStatus[kind] === status)
      return { exitStatus: status, meaning: same.map(kind => meanings()[kind]).join('; '), kinds: same }
    }),
  ]
}

/** The options of a command under one heading, or the commands below it. */
export interface Group<Item> {
  readonly heading: string
  readonly items: readonly Item[]
}

/** The words for values in usage lines and options: `<fitxer>` for `<file>`; a name that is no word, such as `url`, stays as it is. */
export const placeholder = (name: string): string =>
  interfaceLanguage() === 'en' ? name : name.replace(/[a-z]+/g, spokenName)

/** The usage of a command: `calctl events get <ref...> [options]`. */
export function usageOf(command: Command): string {
  const words = command.registeredArguments.map(argument => {
    const name = `${placeholder(argument.name())}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  const below = command.commands.length > 0 ? [`<${phrase('command')}>`] : words
  const last = lastArguments.get(command)
  return [commandPath(command), ...below, ...(last ? [`<${placeholder(last)}>`] : []), `[${phrase('options')}]`].join(
    ' ',
  )
}

/** The text beside the options of a command, and its examples. */
export function notesOf(command: Command): { readonly notes: string; readonly examples: readonly string[] } {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  // Commander keeps the texts of addHelpText as listeners, but its types do not declare commands as emitters.
  ;(command as unknown as EventEmitter).emit('afterHelp', { command, error: false, write })
  const [notes = '', examples = ''] = text.trim().split(/^Examples:\n/m)
  return { notes: notes.trim(), examples: [...linesOf(examples), ...ownExamples(commandPath(command))] }
}

type Example = string | Readonly<Record<Language, string>>

const allExamples: Readonly<Record<string, readonly Example[]>> = examplesByPath

/** The examples of a command that is no verb of the contract; those with everyday words are in three languages. */
const ownExamples = (path: string): string[] =>
  (allExamples[path.slice('calctl '.length)] ?? []).map(line =>
    typeof line === 'string' ? line : line[interfaceLanguage()],
  )

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** The order of groups: the subject of a command first, its execution last, other groups in the order in which they were added. */
const first = ['Fields:', 'Filters:', 'Files:', 'Changes:', 'Selection:']
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

/** Commander's types do not declare that a command can be hidden. */
const isVisible = (command: Command): boolean => !(command as unknown as { _hidden: boolean })._hidden

function groupsOf<Item>(items: readonly Item[], headingOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(headingOf(item), [...(groups.get(headingOf(item)) ?? []), item])
  return [...groups].map(([heading, items]) => ({ heading, items }))
}

/** What an option does, with the words that it accepts. */
export function meaningOf({ description, argChoices }: Pick<Option, 'description' | 'argChoices'>): string {
  return argChoices ? `${description}: ${argChoices.join(', ')}` : description
}

/** An option with what it takes: `--file <file>`. */
const flagsOf = ({ flags }: Option): string => flags.replace(/(?<=[<[])(?!no-)[^>\]]+/, placeholder)

/** Options with their meanings, one row each; an option with an opposite is shown together with it: `--[no-]featured`. */
export const optionRows = (options: readonly Option[]): [flags: string, meaning: string][] =>
  options.map(option =>
    option instanceof SwitchOption
      ? [option.flags.replace('--', '--[no-]'), option.meaning]
      : [flagsOf(option), meaningOf(option)],
  )
