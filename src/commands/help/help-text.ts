import type { Command } from 'commander'
import { indent, wrapPlain } from '../../text/words.ts'
import {
  commandGroups,
  meaningOf,
  notesOf,
  optionGroups,
  optionRows,
  pathOf,
  rootOf,
  usageOf,
} from './command-facts.ts'
import { definitions, isNarrow, type Page, widthOfPage } from './definitions.ts'
import { nameOf, topicNames } from './topics.ts'

/** The help of a command: what it does, how it is typed, examples, commands, options by what they are for. */
export function helpText(command: Command, page: Page): string {
  const { notes, examples } = notesOf(command)
  const { heading } = page
  const width = widthOfPage(page)
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${heading(title)}\n${lines.join('\n')}`]
  const isRoot = command.parent === null
  return `${[
    wrapPlain(command.description(), width),
    `${heading('Usage:')} ${usageOf(command)}`,
    ...section(
      'Examples:',
      examples.map(example => `  ${example}`),
    ),
    ...(notes
      ? [
          notes
            .split('\n\n')
            .map(text => wrapPlain(text.replaceAll('\n', ' '), width))
            .join('\n\n'),
        ]
      : []),
    ...commandGroups(command).flatMap(({ heading: title, items }) =>
      section(
        title,
        definitions(
          items.map(child => [child.name(), child.description()]),
          width,
        ),
      ),
    ),
    ...section('Arguments:', definitions(argumentsOf(command), width)),
    ...(isRoot ? [] : optionGroups(command)).flatMap(({ heading: title, items }) =>
      section(title, definitions(optionRows(items), width)),
    ),
    ...section(isRoot ? 'Options:' : 'Global options:', globalLines(rootOf(command), width)),
    ...(isRoot ? section('Topics:', [indent(wrapPlain(topicNames(command).join(', '), width - 2), 2)]) : []),
    ...(command.commands.length > 0 ? [closing(command)] : []),
  ].join('\n\n')}\n`
}

const argumentsOf = (command: Command): [string, string][] =>
  command.registeredArguments
    .filter(({ description, argChoices }) => description || argChoices)
    .map(argument => [argument.name(), meaningOf(argument)])

const closing = (command: Command): string =>
  command.parent === null
    ? 'More: calctl help <command>, or calctl help <topic>\nManual: man calctl, or calctl help --man | man -l -'
    : `More: calctl help ${pathOf(command).replace(/^calctl /, '')} <command>`

/** The groups of global options, a line each, and the topic that has them whole. */
function globalLines(root: Command, width: number): string[] {
  const groups = optionGroups(root).filter(({ heading }) => nameOf(heading) !== 'options')
  const column = Math.max(...groups.map(({ heading }) => heading.length)) + 3
  const room = width - column - column - 'calctl help '.length
  const lines = groups.map(({ heading, items }) => {
    const name = nameOf(heading)
    const flags = items.map(({ short, long, flags }) => short ?? long ?? flags)
    if (isNarrow(width)) return `  calctl help ${name}`
    return `  ${name.padEnd(column - 2)}${fittingFlags(flags, room).padEnd(room)}  calctl help ${name}`
  })
  return [...lines, `  ${isNarrow(width) ? '' : 'help'.padEnd(column - 2)}-h, --help, -V, --version`]
}

/** As many flags as have room. */
function fittingFlags(flags: readonly string[], room: number): string {
  let text = flags.join(', ')
  for (let count = flags.length - 1; text.length > room && count > 0; count--)
    text = `${flags.slice(0, count).join(', ')}, …`
  return text
}
