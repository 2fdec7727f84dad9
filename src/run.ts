import { Command, CommanderError } from 'commander'
import { createApp } from './app.ts'
import { tabWord } from './commands/completion.ts'
import { exitStatus, Failure, renderFailure } from './failure.ts'
import { program } from './program.ts'
import type { World } from './world.ts'

/** Runs a command line and returns its exit status. Errors other than a `Failure` are bugs, and are thrown. */
export async function run(world: World): Promise<number> {
  if (world.args[0] === tabWord) return answerTab(world)
  const root = new Command('calctl')
  let command = ''
  const app = createApp(
    world,
    () => root.opts(),
    () => command,
  )
  let printed = ''
  const collect = (text: string) => {
    printed += text
  }
  let helped = root
  // What commander would print is text only; how help looks is loaded when it is asked for.
  const formatHelp = (of: Command) => {
    helped = of
    return ''
  }
  root.configureHelp({ formatHelp })
  root.configureOutput({ writeOut: collect, writeErr: collect, outputError: () => {} }).exitOverride()
  root.hook('preAction', (_, action) => {
    command = pathTo(action).slice(1).join(' ')
  })
  program(root, app, world.args)
  const wholeTree = () => program(new Command('calctl'), app)
  try {
    await root.parseAsync([...world.args], { from: 'user' }).catch(async error => {
      if (!(error instanceof CommanderError)) throw error
      if (error.code === 'commander.version') return world.stdout.write(printed)
      // A noun without a verb prints its help, too, but that is an error.
      const isHelp = error.code === 'commander.helpDisplayed' || error.code === 'commander.help'
      if (!isHelp || error.exitCode !== 0) throw error
      const { showHelpOf } = await import('./commands/help/show-help.ts')
      await showHelpOf(app, helped, wholeTree)
    })
    return app.status
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.help') {
      const { helpOn } = await import('./commands/help/show-help.ts')
      await world.stderr.write(await helpOn(app, helped, world.stderr), 'painted')
      return exitStatus.usage
    }
    const failure = error instanceof CommanderError ? await usageFailure(error, root, world.args, wholeTree) : error
    if (!(failure instanceof Failure)) throw failure
    const isJson = app.globals.json === true || app.globals.output === 'json'
    if (isJson) await world.stderr.write(renderFailure(failure, true), 'json')
    else {
      const { writeLines } = await import('./terminal/colors.ts')
      await writeLines(world, app.globals, world.stderr, renderFailure(failure, false))
    }
    return exitStatus[failure.kind]
  } finally {
    await app.close()
  }
}

/** Answers Tab completion, without a network. If anything fails, there are fewer candidates or none. */
async function answerTab(world: World): Promise<number> {
  const { candidateLines } = await import('./commands/completion/answer-tab.ts')
  const app = createApp(world, () => ({}))
  const treeOf = (words: readonly string[]) => program(new Command('calctl'), app, words)
  await world.stdout.write(await candidateLines(world, world.args.slice(1), treeOf))
  return 0
}

/** The first line of commander's message is the error, the second one a suggestion. */
async function usageFailure(
  error: CommanderError,
  root: Command,
  args: readonly string[],
  wholeTree: () => Command,
): Promise<Failure> {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  const command = commandOf(root, args)
  const meant = await lineMeant(error, first, command, args, wholeTree())
  const names = suggestion?.match(/^\(Did you mean (?:one of )?(.+)\?\)$/)?.[1]
  const usage = `see the usage with: ${pathTo(command).join(' ')} --help`
  const hint = names ? `did you mean ${names}?` : usage
  return new Failure('usage', first.replace(/\.$/, ''), { hint: meant ? `did you mean: ${meant}` : hint })
}

/** The command line that was probably meant, if its words are known from other programs. */
async function lineMeant(
  error: CommanderError,
  message: string,
  command: Command,
  args: readonly string[],
  tree: Command,
) {
  const isKnown = /^commander\.(unknownCommand|unknownOption|excessArguments)$/.test(error.code)
  if (!isKnown) return undefined
  const { argumentMeant, commandMeant, optionMeant } = await import('./commands/help/meant-commands.ts')
  if (error.code === 'commander.unknownCommand') return commandMeant(tree, args)
  if (error.code === 'commander.excessArguments')
    return argumentMeant(command, args, command.args.slice(command.registeredArguments.length))
  return optionMeant(commandOf(tree, args), args, /'(.+)'/.exec(message)?.[1] ?? '')
}

/** The names of a command and its parents. */
const pathTo = (command: Command): string[] =>
  command.parent ? [...pathTo(command.parent), command.name()] : [command.name()]

/** The innermost command that the words name. */
function commandOf(root: Command, words: readonly string[]): Command {
  let command = root
  for (const word of words) command = command.commands.find(child => child.name() === word) ?? command
  return command
}
