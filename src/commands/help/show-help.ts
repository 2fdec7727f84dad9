/**
 * Help: what `--help` and `calctl help` print. In come the tree of commands, as commander has it, and the pages of docs/; out go
 * text for people, JSON for programs, and manual pages. Nothing here knows a command by name, except where people's words for
 * commands are listed (other-words.ts).
 */
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { Failure } from '../../failure.ts'
import { useColor } from '../../terminal/colors.ts'
import { nearest } from '../../text/similarity.ts'
import type { Sink } from '../../world.ts'
import { pathOf } from './command-facts.ts'
import type { Page } from './definitions.ts'
import { helpText } from './help-text.ts'
import { topicNames, topicText } from './topics.ts'

/** Prints the help of a command: text, or with -o json data, for which the commands below it need their options, too. */
export async function showHelpOf(app: App, command: Command, root: Command): Promise<void> {
  const { stdout } = app.world
  if (app.output !== 'json') return stdout.write(helpOn(app, command, stdout), 'painted')
  const { describe } = await import('./tree-description.ts')
  const [, ...words] = pathOf(command).split(' ')
  await app.printValue(describe(commandAt(root, words) ?? root))
}

/** The help of a command as text for this stream. */
export const helpOn = (app: App, command: Command, stream: Sink): string => helpText(command, pageOf(app, stream))

/** Prints the help of the command or the topic that these words name. A topic that is a command, too, follows its help. */
export async function showHelp(app: App, root: Command, words: readonly string[], asManual: boolean): Promise<void> {
  const command = commandAt(root, words)
  const topic = words.length === 1 && topicNames(root).find(name => name === words[0])
  if (!command && !topic) throw unknownWords(root, words)
  if (asManual) {
    const { manualPage } = await import('./manual-page.ts')
    return app.world.stdout.write(manualPage(command ?? root))
  }
  if (command) await showHelpOf(app, command, root)
  if (!topic || app.output === 'json') return
  if (command) await app.world.stdout.write('\n')
  await app.world.stdout.write(topicText(topic, root, pageOf(app, app.world.stdout)), 'painted')
}

const pageOf = ({ world, globals }: App, { isTTY, columns }: Sink): Page => ({
  columns: isTTY ? columns : undefined,
  color: useColor(globals.color, world.env, isTTY),
})

/** The command that these words name; undefined if one of them names none. */
function commandAt(root: Command, words: readonly string[]): Command | undefined {
  let command: Command | undefined = root
  for (const word of words) command = command?.commands.find(child => child.name() === word)
  return command
}

function unknownWords(root: Command, words: readonly string[]): Failure {
  const known = [...root.commands.map(command => command.name()), ...topicNames(root)]
  const suggestion = words.length === 1 ? nearest(words[0] ?? '', known) : undefined
  return new Failure('usage', `no command or topic "${words.join(' ')}"`, {
    hint: suggestion ? `did you mean calctl help ${suggestion}?` : 'list commands and topics with: calctl help',
  })
}
