import { Command, CommanderError } from 'commander'
import { createApp, writeMessage } from './app.ts'
import { exitStatus, Failure, renderFailure } from './failure.ts'
import { program } from './program.ts'
import type { World } from './world.ts'

/** One command line from its words to its exit status. What is not a `Failure` is a bug and passes through. */
export async function run(world: World): Promise<number> {
  const root = new Command('calctl')
  let command = ''
  const app = createApp(
    world,
    () => root.opts(),
    () => command,
  )
  let help = ''
  const keepHelp = (text: string) => {
    help += text
  }
  root.configureOutput({ writeOut: keepHelp, writeErr: keepHelp, outputError: () => {} }).exitOverride()
  root.hook('preAction', (_, action) => {
    command = pathTo(action).slice(1).join(' ')
  })
  program(root, app, world.args)
  try {
    await root.parseAsync([...world.args], { from: 'user' }).catch(async error => {
      if (!(error instanceof CommanderError && shown.has(error.code))) throw error
      await world.stdout.write(help)
    })
    return app.status
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.help') {
      await world.stderr.write(help)
      return exitStatus.usage
    }
    const failure = error instanceof CommanderError ? usageFailure(error, commandOf(root, world.args)) : error
    if (!(failure instanceof Failure)) throw failure
    const isJson = app.globals.json === true || app.globals.output === 'json'
    const { escapeControls } = await import('./text/sanitize.ts')
    const text = renderFailure(failure, isJson)
    await writeMessage(world.stderr, isJson ? escapeControls(text) : text)
    return exitStatus[failure.kind]
  } finally {
    await app.close()
  }
}

/** What was asked for and is no error, although commander throws it. */
const shown = new Set(['commander.helpDisplayed', 'commander.version'])

/** Commander says what is wrong in the first line and its suggestion in the second. */
function usageFailure(error: CommanderError, command: string): Failure {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  const meant = suggestion?.match(/^\(Did you mean (?:one of )?(.+)\?\)$/)?.[1]
  const hint = meant ? `did you mean ${meant}?` : `see what there is with: ${command} --help`
  return new Failure('usage', first.replace(/\.$/, ''), { hint })
}

/** The names of a command and those above it. */
const pathTo = (command: Command): string[] =>
  command.parent ? [...pathTo(command.parent), command.name()] : [command.name()]

/** The command that was meant, as far as the words name one. */
function commandOf(root: Command, words: readonly string[]): string {
  const path = [root]
  for (const word of words) {
    const next = path.at(-1)?.commands.find(command => command.name() === word)
    if (next) path.push(next)
  }
  return path.map(command => command.name()).join(' ')
}
