/**
 * Help: what `--help` and `calctl help` print. In come the tree of commands, as commander has it, and the pages of docs/; out go
 * text for people, JSON for programs, and manual pages. Nothing here knows a command by name, except where people's words for
 * commands are listed (meant-commands.ts).
 */
import type { Command } from 'commander'
import { Failure } from '../../../base/failure.ts'
import { nearest } from '../../../base/text/similarity.ts'
import type { App } from '../../app.ts'
import { useColor } from '../../terminal/streams.ts'
import type { Sink } from '../../world.ts'
import { commandPath, optionGroups, optionRows } from './command-facts.ts'
import { definitions, type HelpPage, helpText, widthOfPage } from './help-text.ts'
import { markdownOf, topicFor, topicName, topicNames } from './topics.ts'

/** Prints the help of a command: text, or with -o json data, for which the commands below it need their options, too. */
export async function showHelpOf(app: App, command: Command, wholeTree: () => Command): Promise<void> {
  if (app.output === 'json') return describeCommand(app, command, wholeTree())
  await app.page(async stdout => stdout.write(await helpOn(app, command, stdout), 'painted'))
}

async function describeCommand(app: App, command: Command, root: Command): Promise<void> {
  const { describe } = await import('./tree-description.ts')
  const [, ...words] = commandPath(command).split(' ')
  await app.printValue(describe(commandAt(root, words) ?? root))
}

/** The help of a command as text for this stream. */
export const helpOn = async (app: App, command: Command, stream: Sink): Promise<string> =>
  helpText(command, await pageOf(app, stream))

/** Prints the help of the command or the topic that these words name. A topic that is a command, too, follows its help. */
export async function showHelp(app: App, root: Command, words: readonly string[], asManual: boolean): Promise<void> {
  const command = commandAt(root, words)
  const topic = words.length === 1 ? topicNames(root).find(name => name === words[0]) : undefined
  if (!command && topic === undefined) throw unknownWords(root, words)
  if (asManual) {
    const { manualPage } = await import('./manual-page.ts')
    return app.world.stdout.write(manualPage(command ?? root))
  }
  if (topic === undefined || (command && app.output === 'json')) return showHelpOf(app, command ?? root, () => root)
  if (app.output === 'json') {
    return app.printValue({ topic, text: await topicText(topic, root, { columns: undefined, heading: asItIs }) })
  }
  await app.page(async stdout => {
    const help = command ? [await helpOn(app, command, stdout)] : []
    await stdout.write([...help, await topicText(topic, root, await pageOf(app, stdout))].join('\n'), 'painted')
  })
}

async function pageOf({ world, globals }: App, { isTTY, columns }: Sink): Promise<HelpPage> {
  const isPainted = useColor(globals.color, world.env, isTTY)
  // Chalk is loaded only where it paints.
  const { heading } = isPainted ? (await import('../../terminal/colors.ts')).painter(true) : { heading: asItIs }
  return { columns: isTTY ? columns : undefined, heading }
}

const asItIs = (text: string): string => text

/** The command that these words name; undefined if one of them names none. */
function commandAt(root: Command, words: readonly string[]): Command | undefined {
  let command: Command | undefined = root
  for (const word of words) command = command?.commands.find(child => child.name() === word)
  return command
}

function unknownWords(root: Command, words: readonly string[]): Failure {
  const known = [...root.commands.map(command => command.name()), ...topicNames(root)]
  const [word = '', ...others] = words
  const suggestion = others.length === 0 ? (topicFor(word) ?? nearest(word, known)) : undefined
  return new Failure('usage', `no command or topic "${words.join(' ')}"`, {
    hint: suggestion ? `did you mean calctl help ${suggestion}?` : 'list commands and topics with: calctl help',
  })
}

/** A topic as text: the global options of that name, and the page or section. */
async function topicText(name: string, root: Command, page: HelpPage): Promise<string> {
  const { markdownText } = await import('../../terminal/markdown-text.ts')
  const group = optionGroups(root).find(({ heading }) => topicName(heading) === name)
  const markdown = markdownOf(name)
  const { heading } = page
  const width = widthOfPage(page)
  return [
    ...(group ? [`${heading(group.heading)}\n${definitions(optionRows(group.items), width).join('\n')}\n`] : []),
    ...(markdown === undefined ? [] : [markdownText(markdown, { columns: width, heading })]),
  ].join('\n')
}
