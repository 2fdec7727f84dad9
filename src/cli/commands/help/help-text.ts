import type { Command } from 'commander'
import { indent, wrapPlain } from '../../../base/text/words.ts'
import {
  commandGroups,
  commandPath,
  meaningOf,
  notesOf,
  optionGroups,
  optionRows,
  rootOf,
  usageOf,
} from './command-facts.ts'
import { topicName, topicNames } from './topics.ts'

/** What help is fitted to. */
export interface HelpPage {
  /** Of the terminal; undefined for a pipe. */
  readonly columns: number | undefined
  /** Bold where there are colors. */
  heading(text: string): string
}

/** Longer lines are hard to read, and do not fit where help is pasted. */
const widest = 80
/** On a narrower terminal a meaning stands below its term. */
const narrowest = 50
const isNarrow = (width: number): boolean => width < narrowest

/** A term that is longer has its meaning on the next line. */
const longestTerm = 28

export const widthOfPage = ({ columns }: HelpPage): number => Math.min(columns || widest, widest)

/** Terms with their meanings beside them, or below where there is no room. */
export function definitions(rows: readonly (readonly [term: string, meaning: string])[], width: number): string[] {
  const isBelow = isNarrow(width)
  const terms = rows.map(([term]) => term.length).filter(length => length <= longestTerm)
  const column = isBelow ? 4 : Math.max(...terms, 0) + 4
  return rows.map(([term, meaning]) => {
    const text = indent(wrapPlain(meaning, width - column), column)
    if (isBelow || term.length + 4 > column) return meaning === '' ? `  ${term}` : `  ${term}\n${text}`
    return `  ${term}${text.slice(term.length + 2)}`.trimEnd()
  })
}

/** The help of a command: what it does, how it is typed, examples, commands, options by what they are for. */
export function helpText(command: Command, page: HelpPage): string {
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
    : `More: calctl help ${commandPath(command).replace(/^calctl /, '')} <command>`

/** The groups of global options, a line each, and the topic that has them whole. */
function globalLines(root: Command, width: number): string[] {
  const groups = optionGroups(root).filter(({ heading }) => topicName(heading) !== 'options')
  const column = Math.max(...groups.map(({ heading }) => heading.length)) + 3
  const room = width - column - column - 'calctl help '.length
  const lines = groups.map(({ heading, items }) => {
    const name = topicName(heading)
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
