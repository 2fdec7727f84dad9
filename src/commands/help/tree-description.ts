import type { Argument, Command, Option } from 'commander'
import { version } from '../../../package.json'
import { commandGroups, notesOf, optionGroups, pathOf, usageOf } from './command-facts.ts'
import { environment } from './environment.ts'
import { statusMeanings } from './status-meanings.ts'

/** A command and all below it as data. The root has the global options, the environment and the exit statuses. */
export function describe(command: Command): object {
  const { notes, examples } = notesOf(command)
  const isRoot = command.parent === null
  return {
    command: pathOf(command),
    ...(isRoot && { version }),
    description: command.description(),
    usage: usageOf(command),
    ...(notes && { notes }),
    examples,
    arguments: command.registeredArguments.map(describeArgument),
    options: optionGroups(command).flatMap(({ heading, items }) =>
      items.map(option => describeOption(option, heading.replace(/:$/, ''))),
    ),
    commands: commandGroups(command).flatMap(({ items }) => items.map(describe)),
    ...(isRoot && {
      environment: Object.entries(environment).map(([name, meaning]) => ({ name, meaning: plain(meaning) })),
      exitStatuses: statusMeanings().map(({ meaning, ...status }) => ({ ...status, meaning: plain(meaning) })),
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
    name: long ?? short,
    short: short ?? null,
    /** What the option takes; null for one that takes nothing. */
    value,
    description,
    group,
    choices: argChoices ?? null,
    default: defaultValue ?? defaultIn(description),
  }
}

/** Defaults belong to the API or to the place that uses the option, so commander has none: all descriptions state them in one form. */
function defaultIn(description: string): string | null {
  const [, text = null] = /\(default: ([^)]+)\)/.exec(description) ?? []
  return text
}
