import type { Command } from 'commander'
import { phrase } from '../base/words/phrase.ts'
import { resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import type { App } from './app.ts'
import { agenda, month } from './commands/agenda-and-month.ts'
import { api, doc } from './commands/api.ts'
import { apply, diff } from './commands/apply.ts'
import { approve } from './commands/approve.ts'
import { languageCommands, lint, queue, stats } from './commands/care.ts'
import { changes } from './commands/changes.ts'
import { create } from './commands/create.ts'
import { duplicate } from './commands/duplicate.ts'
import { cancel, move, postpone, publish, uncancel, unpostpone, unpublish } from './commands/event-verbs.ts'
import { exportCommand } from './commands/export.ts'
import { find } from './commands/find.ts'
import { get } from './commands/get.ts'
import { completion, help, tabWord } from './commands/help.ts'
import { list } from './commands/list.ts'
import { listSeries } from './commands/list-series.ts'
import { mcp } from './commands/mcp.ts'
import { dedupe, merge } from './commands/merge.ts'
import { open } from './commands/open.ts'
import { preview } from './commands/preview.ts'
import { remove, restore } from './commands/remove.ts'
import { history, historyOfRecord, redo, runs, undo } from './commands/runs.ts'
import { serve } from './commands/serve.ts'
import { globalOptions } from './commands/shared/global-options.ts'
import { commandPath, type Verb } from './commands/shared/options.ts'
import { doctor, login, logout, profiles, trust, whoami } from './commands/sites.ts'
import { sources } from './commands/sources.ts'
import { update } from './commands/update.ts'
import { createApp } from './create-app.ts'
import { chooseInterfaceLanguage } from './interface-language.ts'
import { SpeakingCommand } from './usage-mistakes.ts'
import type { World } from './world.ts'

const verbs: ReadonlyMap<string, Verb> = new Map([
  ['list', list],
  ['get', get],
  ['create', create],
  ['update', update],
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
  ['series', listSeries],
  ['history', historyOfRecord],
])

type Definition = readonly [
  name: string,
  description: () => string,
  define: (command: Command, app: App, wholeTree: () => Command) => void,
]

/** The commands without a noun, by the groups of the help. */
const commands: Readonly<Record<string, readonly Definition[]>> = {
  'Calendar:': [
    ['find', () => phrase('Find a text in records of all kinds'), find],
    ['agenda', () => phrase('Show events by day (default: the next seven days)'), agenda],
    ['month', () => phrase('Show a month as a calendar, with the events on each day'), month],
    ['open', () => phrase('Show the calendar in a browser'), open],
    ['lint', () => phrase('Find problems and suggest fixes (exit status 1 if any)'), lint],
    ['queue', () => phrase('Show drafts and pending events, the oldest first, and what they lack'), queue],
    ['changes', () => phrase('Show what others changed since the last time'), changes],
    ['stats', () => phrase('Count events by month, place, category and more'), stats],
    ['languages', () => phrase('Find missing translations, and create them by copying'), languageCommands],
    ['dedupe', () => phrase('Find and merge duplicates (exit status 1 if any)'), dedupe],
  ],
  'Files:': [
    ['apply', () => phrase('Create and update records to match files'), apply],
    ['diff', () => phrase('Show what apply would change'), diff],
    ['preview', () => phrase('Show a saved plan in a calendar in the browser'), preview],
    ['approve', () => phrase('Ask a person about saved plans, or about those of assistants'), approve],
    ['sources', () => phrase('Keep a calendar up to date from feeds, sheets, pages and open data'), sources],
    ['export', () => phrase('Write records to a file that can be applied here or elsewhere'), exportCommand],
  ],
  'Undo:': [
    ['undo', () => phrase('Undo a run, but keep later changes'), undo],
    ['redo', () => phrase('Redo undone runs'), redo],
    ['history', () => phrase('Show the history of writes'), history],
    ['runs', () => phrase('List, show, resume and undo runs, and remove their journals'), runs],
  ],
  'Sites:': [
    ['login', () => phrase('Connect to a site, by the address of any of its pages, and store the password'), login],
    ['logout', () => phrase('Remove the stored password of a profile'), logout],
    ['whoami', () => phrase('Show the current user and their permissions'), whoami],
    ['profiles', () => phrase('Manage the calendars that calctl connects to'), profiles],
    ['doctor', () => phrase('Check the connection to a site step by step, and suggest fixes'), doctor],
    [
      'trust',
      () => phrase('Trust the files of this folder: .calctl.json to choose the calendar, sources.yaml to change it'),
      trust,
    ],
  ],
  'API:': [
    ['doc', () => phrase('Print the OpenAPI document of the service'), doc],
    ['api', () => phrase('Send any request to the site, for features that calctl does not cover'), api],
    ['serve', () => phrase('Serve a calendar over HTTP in place of the real site'), serve],
    [
      'mcp',
      () => phrase('Let assistants read a calendar and plan changes, which a person approves'),
      (command, app) => mcp(command, app, run),
    ],
  ],
  'Help:': [
    ['help', () => phrase('Show help for a command or topic'), help],
    ['completion', () => phrase('Complete commands and options with the Tab key'), completion],
  ],
}

const nounDescription = (resource: ResourceName): string =>
  phrase(
    '{resource, select, events {Manage events} venues {Manage venues} organizers {Manage organizers} categories {Manage categories} other {Manage tags}}',
    { resource },
  )

/**
 * Builds the command tree. To save time, given the words of a command line, only the commands among them get their options, and a
 * verb right after its noun is defined alone.
 */
export function program(root: Command, app: App, words?: readonly string[]): Command {
  const isNamed = (name: string) => words === undefined || words.includes(name)
  const addCommand = ([name, description, define]: Definition, group: string) => {
    const command = root.command(name).description(description()).helpGroup(group)
    // `help` has other names, too.
    if (isNamed(name) || name === 'help') define(command, app, wholeTreeOf(app))
  }
  globalOptions(root)
  root.description(phrase('Administer an events calendar over its REST API'))
  for (const resource of resources) {
    const noun = root.command(resource.name).helpGroup('Records:').description(nounDescription(resource.name))
    if (!isNamed(resource.name)) continue
    const verb = verbs.get(words?.[words.indexOf(resource.name) + 1] ?? '')
    for (const define of verb ? [verb] : verbs.values()) define(noun, resource, app)
  }
  for (const [group, definitions] of Object.entries(commands))
    for (const definition of definitions) addCommand(definition, group)
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
  let acting: Command | undefined
  const app = createApp(
    world,
    () => root.opts(),
    () => (acting ? commandPath(acting).replace(/^\S+ /, '') : ''),
  )
  const collected = collectOutput(root)
  root.hook('preAction', (_, action) => {
    acting = action
  })
  program(root, app, world.args)
  try {
    await root.parseAsync([...world.args], { from: 'user' })
    return app.status
  } catch (error) {
    const { endingOf } = await import('./ending.ts')
    const ending = await endingOf({ app, acting, ...collected, wholeTree: wholeTreeOf(app) }, error)
    return typeof ending === 'number' ? ending : await run(Object.create(world, { args: { value: ending } }) as World)
  } finally {
    await app.close()
  }
}

/** Collects what commander would print: the version, and of which command it would print the help. It prints plain text only. */
function collectOutput(root: Command): { text: string; helped: Command } {
  const collected = { text: '', helped: root }
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

/** Answers Tab completion, without a network. If anything fails, there are fewer candidates or none. */
async function answerTab(world: World): Promise<number> {
  const { candidateLines } = await import('./commands/completion/complete-word.ts')
  const app = createApp(world, () => ({}))
  const treeOf = (words: readonly string[]) => program(new SpeakingCommand('calctl'), app, words)
  await world.stdout.write(await candidateLines(world, world.args.slice(1), treeOf))
  return 0
}
