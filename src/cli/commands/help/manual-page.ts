import type { Command, Option } from 'commander'
import { version } from '../../../../package.json'
import { commandPath } from '../shared/options.ts'
import {
  commandGroups,
  environment,
  meaningOf,
  notesOf,
  optionGroups,
  statusMeanings,
  usageOf,
} from './tree-description.ts'

/** The name of the page of a command: `calctl-events`. */
const pageName = (command: Command): string => commandPath(command).replaceAll(' ', '-')

/**
 * The manual page of a command and everything below it, in the language of man(7). Manual pages are made when calctl is packed, in English.
 */
export function manualPage(command: Command): string {
  const isRoot = command.parent === null
  return `${[
    `.TH ${quoted(pageName(command).toUpperCase())} 1 "" ${quoted(`calctl ${version}`)} "calctl manual"`,
    '.SH NAME',
    `${escaped(pageName(command))} \\- ${escaped(command.description())}`,
    '.SH SYNOPSIS',
    `.B ${escaped(usageOf(command))}`,
    ...(isRoot ? partsOfRoot(command) : ['.SH DESCRIPTION', ...bodyOf(command), ...subcommands(command)]),
    '.SH EXIT STATUS',
    ...statusMeanings().flatMap(({ exitStatus, meaning }) => term(String(exitStatus), meaning)),
    ...examplesOf(command),
    '.SH SEE ALSO',
    escaped(
      isRoot ? 'calctl help, and calctl help followed by a topic or a command.' : 'calctl(1) for the global options.',
    ),
  ].join('\n')}\n`
}

/** What only the page of the root has. */
const partsOfRoot = (root: Command): string[] => [
  '.SH COMMANDS',
  ...commandLines(root),
  '.SH GLOBAL OPTIONS',
  'They stand before or after the command.',
  ...optionLines(root),
  '.SH ENVIRONMENT',
  ...Object.entries(environment()).flatMap(([name, meaning]) => term(name, meaning)),
]

/** The commands of the root in groups, each with the page that describes it. */
const commandLines = (root: Command): string[] =>
  commandGroups(root).flatMap(({ heading, items }) => [
    `.SS ${quoted(heading.replace(/:$/, ''))}`,
    ...items.flatMap(child => [
      ...term(usageOf(child).replace(/^calctl /, ''), child.description()),
      ...(child.commands.length > 0 ? ['.br', `See ${escaped(pageName(child))}(1).`] : relative([...bodyOf(child)])),
    ]),
  ])

/** Lines that belong to the term before them. */
const relative = (lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['.RS', ...lines, '.RE'])

const subcommands = (command: Command): string[] =>
  commandGroups(command).flatMap(({ items }) =>
    items.flatMap(child => [
      `.SH ${quoted(usageOf(child).toUpperCase().split(' ').slice(2, 3).join(' '))}`,
      `.B ${escaped(usageOf(child))}`,
      '.PP',
      `${escaped(child.description())}.`,
      ...bodyOf(child),
      ...examplesOf(child, '.SS'),
    ]),
  )

/** Notes, arguments and options of a command. */
const bodyOf = (command: Command): string[] => [
  ...(command.parent !== null && command.commands.length > 0 ? [`${escaped(command.description())}.`] : []),
  ...paragraphs(notesOf(command).notes),
  ...command.registeredArguments
    .filter(({ description }) => description !== '')
    .flatMap(argument => term(argument.name(), meaningOf(argument))),
  ...(command.parent === null ? [] : optionLines(command)),
]

const paragraphs = (text: string): string[] =>
  text === '' ? [] : text.split('\n\n').flatMap(part => ['.PP', escaped(part.replaceAll('\n', ' '))])

const optionLines = (command: Command): string[] =>
  optionGroups(command).flatMap(({ heading, items }) => [
    '.PP',
    `.B ${escaped(heading)}`,
    ...items.flatMap((option: Option) => term(option.flags, meaningOf(option))),
  ])

const term = (name: string, meaning: string): string[] => [
  '.TP',
  `.B ${escaped(name)}`,
  escaped(meaning.replaceAll('`', '')),
]

function examplesOf(command: Command, level = '.SH'): string[] {
  const { examples } = notesOf(command)
  return examples.length === 0 ? [] : [`${level} EXAMPLES`, '.nf', ...examples.map(escaped), '.fi']
}

/** Text without requests of man(7), and with hyphens that can be copied. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/gm, '\\&$1')

const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '""')}"`
