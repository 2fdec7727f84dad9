import { Command, CommanderError } from 'commander'
import { exitStatus, Failure, renderFailure } from '../base/failure.ts'
import { resources } from '../contract/contract.ts'
import { type App, createApp } from './app.ts'
import { agenda, agendaDescription, month, monthDescription } from './commands/agenda-and-month.ts'
import { api, doc, routes } from './commands/api.ts'
import { apply, diff } from './commands/apply.ts'
import { languages, languagesDescription, lint, lintDescription } from './commands/care.ts'
import { create } from './commands/create.ts'
import { edit } from './commands/edit.ts'
import { cancel, duplicate, move, postpone, publish } from './commands/event-verbs.ts'
import { exportRecords } from './commands/export.ts'
import { get } from './commands/get.ts'
import { completion, completionDescription, help, helpDescription, tabWord } from './commands/help.ts'
import { list } from './commands/list.ts'
import { dedupe, dedupeDescription, merge } from './commands/merge.ts'
import { remove, restore } from './commands/remove.ts'
import { history, historyOfRecord, redo, redoDescription, runs, undo, undoDescription } from './commands/runs.ts'
import { serve } from './commands/serve.ts'
import { globalOptions } from './commands/shared/global-options.ts'
import type { Verb } from './commands/shared/options.ts'
import {
  doctor,
  doctorDescription,
  login,
  loginDescription,
  logout,
  logoutDescription,
  media,
  mediaDescription,
  profiles,
  trust,
  whoami,
  whoamiDescription,
} from './commands/sites.ts'
import { update } from './commands/update.ts'
import { chooseInterfaceLanguage } from './interface-language.ts'
import type { World } from './world.ts'

const verbs: ReadonlyMap<string, Verb> = new Map([
  ['list', list],
  ['get', get],
  ['create', create],
  ['update', update],
  ['edit', edit],
  ['merge', merge],
  ['delete', remove],
  ['restore', restore],
  ['cancel', cancel],
  ['postpone', postpone],
  ['move', move],
  ['publish', publish],
  ['duplicate', duplicate],
  ['history', historyOfRecord],
])

type Define = (command: Command, app: App, wholeTree: () => Command) => void

const commands: readonly (readonly [name: string, description: string, define: Define, group: string])[] = [
  ['agenda', agendaDescription, agenda, 'Calendar:'],
  ['month', monthDescription, month, 'Calendar:'],
  ['lint', lintDescription, lint, 'Calendar:'],
  ['languages', languagesDescription, languages, 'Calendar:'],
  ['dedupe', dedupeDescription, dedupe, 'Calendar:'],
  ['apply', 'Create and update records to match files', apply, 'Files:'],
  ['diff', 'Show what apply would change', diff, 'Files:'],
  ['export', 'Write records to a file that can be applied here or elsewhere', exportRecords, 'Files:'],
  ['undo', undoDescription, undo, 'Undo:'],
  ['redo', redoDescription, redo, 'Undo:'],
  ['history', 'Show the history of writes', history, 'Undo:'],
  ['runs', 'List, show, resume and undo runs, and remove their journals', runs, 'Undo:'],
  ['login', loginDescription, login, 'Sites:'],
  ['logout', logoutDescription, logout, 'Sites:'],
  ['whoami', whoamiDescription, whoami, 'Sites:'],
  ['profiles', 'Manage the calendars that calctl connects to', profiles, 'Sites:'],
  ['media', mediaDescription, media, 'Sites:'],
  ['doctor', doctorDescription, doctor, 'Sites:'],
  ['trust', 'Trust the .calctl.json of this folder to say where credentials are sent', trust, 'Sites:'],
  ['doc', 'Print the OpenAPI document of the service', doc, 'API:'],
  ['routes', 'Print the routes of the service with their methods and arguments', routes, 'API:'],
  ['api', 'Send any request to the site, for what calctl does not cover', api, 'API:'],
  ['serve', 'Serve a calendar over HTTP in place of the real site', serve, 'API:'],
  ['help', helpDescription, help, 'Help:'],
  ['completion', completionDescription, completion, 'Help:'],
]

/**
 * Builds the command tree. To save time, given the words of a command line, only the commands among them get their options, and a
 * verb right after its noun is defined alone.
 */
export function program(root: Command, app: App, words?: readonly string[]): Command {
  const isNamed = (name: string) => words === undefined || words.includes(name)
  globalOptions(root)
  root.description('Administer an events calendar over its REST API')
  const wholeTree = () => program(new Command('calctl'), app)
  for (const resource of resources) {
    const noun = root.command(resource.name).helpGroup('Records:').description(`Manage ${resource.name}`)
    if (!isNamed(resource.name)) continue
    const verb = verbs.get(words?.[words.indexOf(resource.name) + 1] ?? '')
    for (const define of verb ? [verb] : verbs.values()) define(noun, resource, app)
  }
  for (const [name, description, define, group] of commands) {
    const command = root.command(name).description(description).helpGroup(group)
    if (isNamed(name)) define(command, app, wholeTree)
  }
  // `calctl events help list` works too.
  for (const noun of root.commands) if (noun.commands.length > 0) noun.helpCommand(true)
  return root
}

/** Runs a command line and returns its exit status. Errors other than a `Failure` are bugs, and are thrown. */
export async function run(world: World): Promise<number> {
  await chooseInterfaceLanguage(world)
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
    const args = await clearArgs(world, app, failure)
    if (args) return await run(Object.create(world, { args: { value: args } }) as World)
    const isJson = app.globals.json === true || app.globals.output === 'json'
    if (isJson) await world.stderr.write(renderFailure(failure, true), 'json')
    else {
      const { writeLines } = await import('./terminal/streams.ts')
      await writeLines(world, app.globals, world.stderr, renderFailure(failure, false))
    }
    return exitStatus[failure.kind]
  } finally {
    await app.close()
  }
}

/** The command line with one reading of a value that has several, if somebody can be asked which; nothing has been done yet. */
async function clearArgs(world: World, app: App, { details }: Failure): Promise<string[] | undefined> {
  const { option, text = '', readings = [] } = details.doubt ?? {}
  const at = world.args.findIndex((word, index) =>
    word.startsWith(`${option}=`) ? word.includes(text) : world.args[index - 1] === option && word.includes(text),
  )
  if (option === undefined || at < 0 || !app.canAsk) return undefined
  const { askReading } = await import('./terminal/prompts.ts')
  const reading = await askReading(world, text, readings)
  return world.args.map((word, index) => (index === at ? word.replace(text, () => reading) : word))
}

/** Answers Tab completion, without a network. If anything fails, there are fewer candidates or none. */
async function answerTab(world: World): Promise<number> {
  const { candidateLines } = await import('./commands/completion/candidates.ts')
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
  const meant = await hintFor(error, args, { command, tree: wholeTree() })
  const names = suggestion?.match(/^\(Did you mean (?:one of )?(.+)\?\)$/)?.[1]
  const usage = `see the usage with: ${pathTo(command).join(' ')} --help`
  const hint = names ? `did you mean ${names}?` : usage
  return new Failure('usage', first.replace(/\.$/, ''), { hint: meant ?? hint })
}

/** What to type instead, if the words are known from other programs. */
async function hintFor(
  error: CommanderError,
  args: readonly string[],
  { command, tree }: { readonly command: Command; readonly tree: Command },
): Promise<string | undefined> {
  const isKnown = /^commander\.(unknownCommand|unknownOption|excessArguments)$/.test(error.code)
  if (!isKnown) return undefined
  const { argumentMeant, commandMeant, optionMeant } = await import('./commands/help/meant-commands.ts')
  if (error.code === 'commander.unknownCommand') return commandMeant(tree, args)
  if (error.code === 'commander.excessArguments')
    return argumentMeant(command, args, command.args.slice(command.registeredArguments.length))
  return optionMeant(commandOf(tree, args), args, /'(.+)'/.exec(error.message)?.[1] ?? '')
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
