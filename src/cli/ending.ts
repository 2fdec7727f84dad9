import { type Command, CommanderError } from 'commander'
import { exitStatus, Failure, missing, renderFailure, usage } from '../base/failure.ts'
import { phrase } from '../base/words/phrase.ts'
import type { App } from './app.ts'
import { commandPath } from './commands/shared/options.ts'
import { writeText } from './terminal/sentences.ts'
import { UsageMistake } from './usage-mistakes.ts'

/** A command line that did not run to its end, with the text that commander would have printed and the command whose help it would be. */
interface Stopped {
  readonly app: App
  /** The command that was running, if any. */
  readonly acting: Command | undefined
  readonly text: string
  readonly helped: Command
  readonly wholeTree: () => Command
}

/**
 * Prints the version or help that commander stopped for, or says why the command line failed. Returns its exit status, or, if somebody at a
 * terminal has said what an ambiguous value means, the words to run instead.
 */
export async function endingOf(stopped: Stopped, error: unknown): Promise<number | string[]> {
  try {
    await printAsked(stopped, error)
    return stopped.app.status
  } catch (failure) {
    // A question about the failure can be interrupted.
    return afterFailure(stopped, failure).catch(later => afterFailure(stopped, later))
  }
}

/** Prints the version or help if commander stopped for that; throws any other error. */
async function printAsked({ app, text, helped, wholeTree }: Stopped, error: unknown): Promise<void> {
  if (!(error instanceof CommanderError)) throw error
  if (error.code === 'commander.version') return app.world.stdout.write(text)
  // A noun without a verb prints its help, too, but that is an error.
  const isHelp = error.code === 'commander.helpDisplayed' || error.code === 'commander.help'
  if (!isHelp || error.exitCode !== 0) throw error
  const { showHelpOf } = await import('./commands/help/show-help.ts')
  await showHelpOf(app, helped, wholeTree)
}

async function afterFailure({ app, acting, helped }: Stopped, error: unknown): Promise<number | string[]> {
  if (error instanceof CommanderError && error.code === 'commander.help') return helpInstead(app, helped)
  const failure = error instanceof UsageMistake ? await usageFailure(app, error) : await withLine(app, acting, error)
  if (!(failure instanceof Failure)) throw failure
  const args = await clearArgs(app, failure)
  if (args) return args
  app.world.fail?.(failure)
  const isJson = app.globals.json === true || app.globals.output === 'json'
  if (isJson) await app.world.stderr.write(renderFailure(failure, true), 'json')
  else await writeText(app, renderFailure(failure, false), app.world.stderr)
  return exitStatus[failure.kind]
}

/** The help of a noun without a verb; without any words, the greeting. */
async function helpInstead(app: App, helped: Command): Promise<number> {
  if (helped.parent === null) {
    const { greet } = await import('./commands/help/greeting.ts')
    await greet(app)
    return app.status
  }
  const { stderr } = app.world
  const { helpOn } = await import('./commands/help/show-help.ts')
  await stderr.write(await helpOn(app, helped, stderr), 'painted')
  return exitStatus.usage
}

/** The command line with one reading of an ambiguous value, if somebody can be asked which is meant; nothing has been done yet. */
async function clearArgs({ world, canAsk }: App, { details }: Failure): Promise<string[] | undefined> {
  const { option, text = '', readings = [] } = details.doubt ?? {}
  const at = world.args.findIndex((word, index) =>
    word.startsWith(`${option}=`) ? word.includes(text) : world.args[index - 1] === option && word.includes(text),
  )
  if (option === undefined || at < 0 || !canAsk) return undefined
  const { askReading } = await import('./terminal/prompts.ts')
  const reading = await askReading(world, text, readings)
  return world.args.map((word, index) => (index === at ? word.replace(text, () => reading) : word))
}

/** A mistake as a failure, whose hint is the line that was probably meant, or the name that was probably mistyped. */
async function usageFailure({ world }: App, { command, message, similar, words }: UsageMistake): Promise<Failure> {
  const { meantLine } = await import('./meant-line.ts')
  const line = meantLine(command, words, world.args)
  if (line !== undefined) return usage(message, phrase('use: {command}', { command: line }))
  if (similar !== undefined) return usage(message, phrase('did you mean {similar}?', { similar }))
  return usage(message, phrase('see the usage with: {command} --help', { command: commandPath(command) }))
}

/** An error, with the line that was probably meant if days were typed in place of records: `events publish december`. */
async function withLine({ world }: App, command: Command | undefined, error: unknown): Promise<unknown> {
  const isMissing = error instanceof Failure && error.kind === 'missing' && !error.details.hasSuggestion
  if (!isMissing || command?.registeredArguments[0]?.name() !== 'ref') return error
  const { meantLine } = await import('./meant-line.ts')
  const line = meantLine(command, command.args, world.args)
  return line === undefined ? error : missing(error.message, phrase('use: {command}', { command: line }))
}
