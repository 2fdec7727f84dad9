import {
  commandGroups,
  describe,
  type Group,
  meaningOf,
  notesOf,
  optionGroups,
  optionRows,
  placeholder,
  usageOf,
} from './tree-description.ts'
/**
 * Help: what `--help` and `calctl help` print. Input: the tree of commands, as commander has it, and the pages of docs/. Output: text for
 * people, JSON for programs, and manual pages. Nothing here knows a command by name.
 */

import type { Command, Option } from 'commander'
import { type Failure, usage } from '../../../base/failure.ts'
import { nearest } from '../../../base/text/similarity.ts'
import { indent, wrapCommand, wrapPlain } from '../../../base/text/wrapping.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { App } from '../../app.ts'
import { languageNote } from '../../interface-language.ts'
import { useColor } from '../../terminal/colors.ts'
import { spokenName } from '../../terminal/spoken-name.ts'
import type { Sink } from '../../world.ts'
import { commandPath, rootOf } from '../shared/options.ts'
import { sectionsOf, spokenTopic, topicFor, topicName, topicNames, topicPage } from './topics.ts'

/** Prints the help of a command: text or, with -o json, data, which a tree with all options has. */
export async function showHelpOf(app: App, command: Command, wholeTree: () => Command): Promise<void> {
  if (app.output !== 'json')
    return app.page(async stdout => stdout.write(await helpOn(app, command, stdout), 'painted'))
  const [, ...words] = commandPath(command).split(' ')
  await app.printValue(describe(commandAt(wholeTree(), words) ?? command, isWhole(app)))
}

/** The help of a command as text for a stream. */
export const helpOn = async (app: App, command: Command, stream: Sink): Promise<string> =>
  (command.parent ? '' : await languageNote(app.world)) + helpText(command, await helpPageOf(app, stream))

/** Prints the help of the command or topic that these words name. If a topic is also a command, it follows the help of the command. */
export async function showHelp(app: App, root: Command, typed: readonly string[]): Promise<void> {
  const meant = commandAt(root, typed) ? undefined : topicFor(typed)
  const words = meant === undefined ? typed : [meant]
  const command = commandAt(root, words)
  const topic = words.length === 1 ? topicNames(root).find(name => name === words[0]) : undefined
  if (!command && topic === undefined) throw unknownWords(root, words)
  if (topic === undefined || (command && app.output === 'json')) return showHelpOf(app, command ?? root, () => root)
  if (app.output === 'json') {
    const text = await topicText(topic, root, { columns: undefined, isWhole: true, heading: asItIs })
    return app.printValue({ topic, text })
  }
  await app.page(async stdout => {
    const help = command ? `${await helpOn(app, command, stdout)}\n` : ''
    const text = await topicText(topic, root, await helpPageOf(app, stdout), longestTopic - linesIn(help))
    await stdout.write(`${help}${text}`, 'painted')
  })
}

async function helpPageOf({ world, globals }: App, { isTTY, columns }: Sink): Promise<HelpPage> {
  const isPainted = useColor(globals.color, world.env, isTTY)
  // Chalk is loaded only where there are colours.
  const { heading } = isPainted ? (await import('../../terminal/colors.ts')).painter(true) : { heading: asItIs }
  return { columns: isTTY ? columns : undefined, isWhole: isWhole({ world }), heading }
}

/** Whether what long help leaves out is wanted, too. */
const isWhole = ({ world }: Pick<App, 'world'>): boolean => world.args.includes('--all')

const asItIs = (text: string): string => text

/** The command that these words name; undefined if one of them names no command. */
function commandAt(root: Command, words: readonly string[]): Command | undefined {
  let command: Command | undefined = root
  for (const word of words) command = command?.commands.find(child => child.name() === word)
  return command
}

function unknownWords(root: Command, words: readonly string[]): Failure {
  const known = [...root.commands.map(command => command.name()), ...topicNames(root).map(spokenTopic)]
  const [word = '', ...others] = words
  const suggestion = others.length === 0 ? nearest(word, known) : undefined
  return usage(
    phrase('no command or topic "{words}"', { words: words.join(' ') }),
    suggestion
      ? phrase('did you mean calctl help {suggestion}?', { suggestion })
      : phrase('list commands and topics with: calctl help'),
  )
}

/** A topic as text: the group of global options with that name, and the page or section, in about that many lines. */
async function topicText(name: string, root: Command, page: HelpPage, room = longestTopic): Promise<string> {
  const { markdownText } = await import('../../terminal/markdown-text.ts')
  const group = optionGroups(root).find(({ heading }) => topicName(heading) === name)
  const { heading } = page
  const width = widthOfPage(page)
  const options =
    group && `${heading(spokenName(group.heading))}\n${definitions(optionRows(group.items), width).join('\n')}\n`
  const { markdown = '', isForeign = false } = topicPage(name) ?? {}
  const sections = sectionsOf(markdown)
  const texts = sections.map(part => markdownText(part, { columns: width, heading }))
  const lines = options ? linesIn(options) : 0
  const count = page.isWhole ? texts.length : countFitting(texts, room - lines - (isForeign ? 2 : 0))
  const left = sections.slice(count)
  const more = `${heading(phrase('More, with calctl help {topic} --all:', { topic: spokenTopic(name) }))}\n${left.map(part => `  ${titleOf(part)}\n`).join('')}`
  const foreign = isForeign ? [`${phrase('This page is in English only.')}\n`] : []
  const shown = [options ?? [], foreign, texts.slice(0, count), left.length > 0 ? more : []]
  return shown.flat().join('\n')
}

const titleOf = (section: string): string => /^#+ (.*)/.exec(section)?.[1] ?? ''

/** How many of these texts fit into a number of lines; at least one. */
function countFitting(texts: readonly string[], room: number): number {
  const lines = texts.map(text => linesIn(text) + 1)
  const titles = (count: number) => (count < texts.length ? texts.length - count + 2 : 0)
  let count = 1
  let sum = lines[0] ?? 0
  while (count < texts.length && sum + (lines[count] ?? 0) + titles(count + 1) <= room) sum += lines[count++] ?? 0
  return count
}

/** The properties of the terminal that help depends on. */
export interface HelpPage {
  /** The width of the terminal; undefined for a pipe. */
  readonly columns: number | undefined
  /** Whether everything is explained, at any length. */
  readonly isWhole?: boolean
  /** Bold if there are colours. */
  heading(text: string): string
}

/** In columns: longer lines are hard to read, and do not fit where help is pasted. */
const widest = 80
/** In columns: on a narrower terminal, a meaning is below its term. */
const narrowest = 50
const isNarrow = (width: number): boolean => width < narrowest

/** A longer term has its meaning on the next line. */
const longestTerm = 28

export const widthOfPage = ({ columns }: Pick<HelpPage, 'columns'>): number => Math.min(columns || widest, widest)

/** Terms with their meanings beside them, or below if there is no room. */
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

/** In lines: longer help only names the options of its last groups, and `--help --all` explains them. */
const longestHelp = 60
/** In lines: for a longer topic, its last sections are only named. */
const longestTopic = 120

/** The help of a command: what it does, its usage, examples, commands, and options in groups. */
export function helpText(command: Command, page: HelpPage): string {
  const whole = helpWith(command, page, new Set())
  if (page.isWhole || command.parent === null || linesIn(whole) <= longestHelp) return whole
  const options = leastAsked(optionGroups(command))
  let text = whole
  // As few unexplained options as needed, by binary search, because each try lays out the help.
  for (let [low, high] = [1, options.length]; low <= high; ) {
    const count = (low + high) >> 1
    const shorter = helpWith(command, page, new Set(options.slice(0, count)))
    if (linesIn(shorter) <= longestHelp || low === options.length) text = shorter
    if (linesIn(shorter) <= longestHelp) high = count - 1
    else low = count + 1
  }
  return text
}

/** The options that may stay unexplained, in this order. Options for trying a command safely, and for series, are always explained. */
function leastAsked(groups: readonly Group<Option>[]): Option[] {
  const early = ['Run:', 'Selection:', 'Filters:']
  const rank = ({ heading }: Group<Option>) => (early.includes(heading) ? early.indexOf(heading) : early.length)
  return groups
    .filter(({ heading }) => heading !== 'Safety:' && heading !== 'Series:')
    .toReversed()
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap(({ items }) => items.toReversed())
}

const linesIn = (text: string): number => text.trimEnd().split('\n').length

/** The help of a command that only names these options. */
function helpWith(command: Command, page: HelpPage, named: ReadonlySet<Option>): string {
  const { notes, examples } = notesOf(command)
  const { heading } = page
  const width = widthOfPage(page)
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${heading(title)}\n${lines.join('\n')}`]
  const table = (title: string, rows: readonly [string, string][]) => section(title, definitions(rows, width))
  const isRoot = command.parent === null
  const groups = isRoot ? [] : optionGroups(command)
  const unwrapped = (text: string) => wrapPlain(text.replaceAll('\n', ' '), width)
  const unexplained = groups.map(group => ({ ...group, items: group.items.filter(option => named.has(option)) }))
  return `${[
    wrapPlain(command.description(), width),
    `${heading(phrase('Usage:'))} ${usageOf(command)}`,
    ...section(
      phrase('Examples:'),
      examples.map(
        example => `  ${page.columns ? wrapCommand(example, width - 4).replaceAll('\n', '\n    ') : example}`,
      ),
    ),
    ...(notes ? [notes.split('\n\n').map(unwrapped).join('\n\n')] : []),
    ...commandGroups(command).flatMap(({ heading: title, items }) =>
      table(
        spokenName(title),
        items.map(child => [child.name(), child.description()]),
      ),
    ),
    ...table(phrase('Arguments:'), argumentsOf(command)),
    ...groups.flatMap(({ heading: title, items }) =>
      table(spokenName(title), optionRows(items.filter(option => !named.has(option)))),
    ),
    ...table(
      phrase('More options, explained by {command} --help --all:', { command: commandPath(command) }),
      unexplained.filter(({ items }) => items.length > 0).map(namesOf),
    ),
    ...section(isRoot ? phrase('Options:') : phrase('Global options:'), globalLines(rootOf(command), width)),
    ...(isRoot ? topicLists(command) : []).flatMap(([title, topics]) =>
      section(title, topics.length > 0 ? [indent(wrapPlain(topics.join(', '), width - 2), 2)] : []),
    ),
    ...(command.commands.length > 0 ? [closing(command)] : []),
  ].join('\n\n')}\n`
}

/** The names of topics, with those apart that only English explains. */
function topicLists(root: Command): [title: string, topics: string[]][] {
  const foreign = topicNames(root).filter(name => topicPage(name)?.isForeign)
  const own = topicNames(root).filter(name => !foreign.includes(name))
  return [
    [phrase('Topics:'), own.map(spokenTopic).toSorted()],
    [phrase('Topics in English only:'), foreign],
  ]
}

/** How many characters of unexplained option names are shown: about two lines. */
const longestNames = 115

/** The options of a group as a row of their names. */
const namesOf = ({ heading, items }: Group<Option>): [string, string] => [
  spokenName(heading).replace(/:$/, '').toLowerCase(),
  fittingFlags(
    items.map(({ long, flags }) => long ?? flags),
    longestNames,
  ),
]

const argumentsOf = (command: Command): [string, string][] =>
  command.registeredArguments
    .filter(({ description, argChoices }) => description || argChoices)
    .map(argument => [placeholder(argument.name()), meaningOf(argument)])

const closing = (command: Command): string =>
  command.parent === null
    ? `${phrase('More: calctl help <command>, or calctl help <topic>')}\n${phrase('Manual: man calctl')}`
    : phrase('More: calctl help {noun} <command>', { noun: commandPath(command).replace(/^calctl /, '') })

/** The groups of global options, one line each, with the topics that explain them. */
function globalLines(root: Command, width: number): string[] {
  const groups = optionGroups(root).filter(({ heading }) => topicName(heading) !== 'options')
  const column = Math.max(...groups.map(({ heading }) => spokenTopic(topicName(heading)).length)) + 4
  const room = width - column - column - 'calctl help '.length
  const lines = groups.map(({ heading, items }) => {
    const name = spokenTopic(topicName(heading))
    const flags = items.map(({ short, long, flags }) => short ?? long ?? flags)
    if (isNarrow(width)) return `  calctl help ${name}`
    return `  ${name.padEnd(column - 2)}${fittingFlags(flags, room).padEnd(room)}  calctl help ${name}`
  })
  return [...lines, `  ${isNarrow(width) ? '' : 'help'.padEnd(column - 2)}-h, --help, -V, --version`]
}

/** As many flags as fit. */
function fittingFlags(flags: readonly string[], room: number): string {
  let text = flags.join(', ')
  for (let count = flags.length - 1; text.length > room && count > 0; count--)
    text = `${flags.slice(0, count).join(', ')}, …`
  return text
}
