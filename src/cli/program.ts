import { type Command, CommanderError } from 'commander'
import { exitStatus, Failure, renderFailure, usage } from '../base/failure.ts'
import { phrase } from '../base/words/phrase.ts'
import { resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { type App, createApp } from './app.ts'
import { agenda, month } from './commands/agenda-and-month.ts'
import { api, doc, printRoutes } from './commands/api.ts'
import { apply, diff } from './commands/apply.ts'
import { languageCommands, lint, stats } from './commands/care.ts'
import { changes } from './commands/changes.ts'
import { create } from './commands/create.ts'
import { edit } from './commands/edit.ts'
import { cancel, duplicate, move, postpone, publish, uncancel, unpostpone, unpublish } from './commands/event-verbs.ts'
import { exportCommand } from './commands/export.ts'
import { find } from './commands/find.ts'
import { get } from './commands/get.ts'
import { completion, help, tabWord } from './commands/help.ts'
import { list } from './commands/list.ts'
import { dedupe, merge } from './commands/merge.ts'
import { open } from './commands/open.ts'
import { preview } from './commands/preview.ts'
import { remove, restore } from './commands/remove.ts'
import { history, historyOfRecord, redo, runs, undo } from './commands/runs.ts'
import { serve } from './commands/serve.ts'
import { globalOptions } from './commands/shared/global-options.ts'
import { commandPath, type Verb } from './commands/shared/options.ts'
import { doctor, login, logout, media, profiles, trust, whoami } from './commands/sites.ts'
import { sources } from './commands/sources.ts'
import { update } from './commands/update.ts'
import { chooseInterfaceLanguage } from './interface-language.ts'
import { SpeakingCommand, UsageMistake } from './usage-mistakes.ts'
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
  ['uncancel', uncancel],
  ['postpone', postpone],
  ['unpostpone', unpostpone],
  ['move', move],
  ['publish', publish],
  ['unpublish', unpublish],
  ['duplicate', duplicate],
  ['history', historyOfRecord],
])

type Define = (command: Command, app: App, wholeTree: () => Command) => void

interface Definition {
  readonly name: string
  readonly description: () => string
  readonly define: Define
  readonly group: string
}

const inGroup = (
  group: string,
  definitions: readonly (readonly [name: string, description: () => string, define: Define])[],
): Definition[] => definitions.map(([name, description, define]) => ({ name, description, define, group }))

const commands: readonly Definition[] = [
  ...inGroup('Calendar:', [
    ['find', () => phrase('Find a text in records of all kinds'), find],
    ['agenda', () => phrase('Show events by day (default: the next seven days)'), agenda],
    ['month', () => phrase('Show a month as a calendar, with the events on each day'), month],
    ['open', () => phrase('Show the calendar in a browser'), open],
    ['lint', () => phrase('Find problems and suggest fixes (exit status 1 if any)'), lint],
    ['changes', () => phrase('Show what others changed since the last time'), changes],
    ['stats', () => phrase('Count events by month, place, category and more'), stats],
    ['languages', () => phrase('Find missing translations, and create them by copying'), languageCommands],
    ['dedupe', () => phrase('Find and merge duplicates (exit status 1 if any)'), dedupe],
  ]),
  ...inGroup('Files:', [
    ['apply', () => phrase('Create and update records to match files'), apply],
    ['diff', () => phrase('Show what apply would change'), diff],
    ['preview', () => phrase('Show a saved plan in a calendar in the browser'), preview],
    ['sources', () => phrase('Keep a calendar up to date from feeds, sheets, pages and open data'), sources],
    ['export', () => phrase('Write records to a file that can be applied here or elsewhere'), exportCommand],
  ]),
  ...inGroup('Undo:', [
    ['undo', () => phrase('Undo a run, but keep later changes'), undo],
    ['redo', () => phrase('Redo undone runs'), redo],
    ['history', () => phrase('Show the history of writes'), history],
    ['runs', () => phrase('List, show, resume and undo runs, and remove their journals'), runs],
  ]),
  ...inGroup('Sites:', [
    ['login', () => phrase('Connect to a site, by the address of any of its pages, and store the password'), login],
    ['logout', () => phrase('Remove the stored password of a profile'), logout],
    ['whoami', () => phrase('Show the current user and their permissions'), whoami],
    ['profiles', () => phrase('Manage the calendars that calctl connects to'), profiles],
    ['media', () => phrase('List and upload the images of a site'), media],
    ['doctor', () => phrase('Check the connection to a site step by step, and suggest fixes'), doctor],
    [
      'trust',
      () => phrase('Trust the files of this folder: .calctl.json to choose the calendar, sources.yaml to change it'),
      trust,
    ],
  ]),
  ...inGroup('API:', [
    ['doc', () => phrase('Print the OpenAPI document of the service'), doc],
    ['routes', () => phrase('Print the routes of the service with their methods and arguments'), printRoutes],
    ['api', () => phrase('Send any request to the site, for features that calctl does not cover'), api],
    ['serve', () => phrase('Serve a calendar over HTTP in place of the real site'), serve],
  ]),
  ...inGroup('Help:', [
    ['help', () => phrase('Show help for a command or topic'), help],
    ['completion', () => phrase('Complete commands, options and records with the Tab key'), completion],
  ]),
]

const nounDescriptions: Readonly<Record<ResourceName, () => string>> = {
  events: () => phrase('Manage events'),
  venues: () => phrase('Manage venues'),
  organizers: () => phrase('Manage organizers'),
  categories: () => phrase('Manage categories'),
  tags: () => phrase('Manage tags'),
}

/**
 * Builds the command tree. To save time, given the words of a command line, only the commands among them get their options, and a
 * verb right after its noun is defined alone.
 */
export function program(root: Command, app: App, words?: readonly string[]): Command {
  const isNamed = (name: string) => words === undefined || words.includes(name)
  globalOptions(root)
  root.description(phrase('Administer an events calendar over its REST API'))
  for (const resource of resources) {
    const noun = root.command(resource.name).helpGroup('Records:').description(nounDescriptions[resource.name]())
    if (!isNamed(resource.name)) continue
    const verb = verbs.get(words?.[words.indexOf(resource.name) + 1] ?? '')
    for (const define of verb ? [verb] : verbs.values()) define(noun, resource, app)
  }
  for (const { name, description, define, group } of commands) {
    const command = root.command(name).description(description()).helpGroup(group)
    if (isNamed(name)) define(command, app, wholeTreeOf(app))
  }
  // `calctl events help list` works too.
  for (const noun of root.commands) if (noun.commands.length > 0) noun.helpCommand(true)
  return root
}

/** The command tree with the options of every command, for help and hints. */
const wholeTreeOf = (app: App) => () => program(new SpeakingCommand('calctl'), app)

/** Runs a command line and returns its exit status. Errors other than a `Failure` are bugs, and are thrown. */
export async function run(world: World): Promise<number> {
  await chooseInterfaceLanguage(world)
  if (world.args[0] === tabWord) return answerTab(world)
  const root = new SpeakingCommand('calctl')
  let command = ''
  const app = createApp(
    world,
    () => root.opts(),
    () => command,
  )
  const collected = collectOutput(root)
  root.hook('preAction', (_, action) => {
    command = commandPath(action).replace(/^\S+ /, '')
  })
  program(root, app, world.args)
  try {
    await root.parseAsync([...world.args], { from: 'user' }).catch(error => printAsked(app, collected, error))
    return app.status
  } catch (error) {
    return await statusAfter(world, app, collected.helped, error)
  } finally {
    await app.close()
  }
}

/** The text that commander would have printed: the version, and the help of a command. */
interface CollectedOutput {
  text: string
  helped: Command
}

/** Commander prints plain text only; the module that lays out help is loaded on demand. */
function collectOutput(root: Command): CollectedOutput {
  const collected: CollectedOutput = { text: '', helped: root }
  const collect = (text: string) => {
    collected.text += text
  }
  const formatHelp = (of: Command) => {
    collected.helped = of
    return ''
  }
  root.configureHelp({ formatHelp })
  root.configureOutput({ writeOut: collect, writeErr: collect, outputError: () => {} }).exitOverride()
  return collected
}

/** Prints the version or help if commander stopped for that; throws any other error. */
async function printAsked(app: App, { text, helped }: CollectedOutput, error: unknown): Promise<void> {
  if (!(error instanceof CommanderError)) throw error
  if (error.code === 'commander.version') return app.world.stdout.write(text)
  // A noun without a verb prints its help, too, but that is an error.
  const isHelp = error.code === 'commander.helpDisplayed' || error.code === 'commander.help'
  if (!isHelp || error.exitCode !== 0) throw error
  const { showHelpOf } = await import('./commands/help/show-help.ts')
  await showHelpOf(app, helped, wholeTreeOf(app))
}

/** Says why a command line failed, and returns its exit status. */
async function statusAfter(world: World, app: App, helped: Command, error: unknown): Promise<number> {
  if (error instanceof CommanderError && error.code === 'commander.help') return helpInstead(app, helped)
  const failure = error instanceof UsageMistake ? await usageFailure(error) : error
  if (!(failure instanceof Failure)) throw failure
  const args = await clearArgs(world, app, failure)
  if (args) return run(Object.create(world, { args: { value: args } }) as World)
  const isJson = app.globals.json === true || app.globals.output === 'json'
  if (isJson) await world.stderr.write(renderFailure(failure, true), 'json')
  else {
    const { writeText } = await import('./terminal/sentences.ts')
    await writeText(app, renderFailure(failure, false), world.stderr)
  }
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
  const { candidateLines } = await import('./commands/completion/complete-word.ts')
  const app = createApp(world, () => ({}))
  const treeOf = (words: readonly string[]) => program(new SpeakingCommand('calctl'), app, words)
  await world.stdout.write(await candidateLines(world, world.args.slice(1), treeOf))
  return 0
}

/** A mistake as a failure, whose hint names what was probably mistyped, or what took the place of something that was removed. */
async function usageFailure({ command, message, unknown }: UsageMistake): Promise<Failure> {
  const names = commandPath(command)
  const seeUsage = phrase('see the usage with: {command} --help', { command: names })
  if (!unknown) return usage(message, seeUsage)
  const { removed } = await import('./removed.ts')
  const name = `${names} ${unknown.word}`
  if (Object.hasOwn(removed, name))
    return usage(phrase('{name} was removed', { name }), phrase('use: {command}', { command: removed[name] ?? '' }))
  const { similar } = unknown
  return usage(message, similar ? phrase('did you mean {similar}?', { similar }) : seeUsage)
}
