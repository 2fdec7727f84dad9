import { Command } from 'commander'
import type { App } from './app.ts'
import { agenda, agendaDescription } from './commands/agenda.ts'
import { api } from './commands/api.ts'
import { apply } from './commands/apply.ts'
import { completion, completionDescription } from './commands/completion.ts'
import { create } from './commands/create.ts'
import { dedupe, dedupeDescription } from './commands/dedupe.ts'
import { diff } from './commands/diff.ts'
import { doc, routes } from './commands/discovery.ts'
import { doctor, doctorDescription } from './commands/doctor.ts'
import { edit } from './commands/edit.ts'
import { exportRecords } from './commands/export.ts'
import { get } from './commands/get.ts'
import { help, helpDescription } from './commands/help.ts'
import { history, historyOfRecord } from './commands/history.ts'
import { languages, languagesDescription } from './commands/languages.ts'
import { lint, lintDescription } from './commands/lint.ts'
import { list } from './commands/list.ts'
import { login, loginDescription, logout, logoutDescription, whoami, whoamiDescription } from './commands/login.ts'
import { media, mediaDescription } from './commands/media.ts'
import { merge } from './commands/merge.ts'
import { month, monthDescription } from './commands/month.ts'
import { profiles } from './commands/profiles.ts'
import { remove } from './commands/remove.ts'
import { restore } from './commands/restore.ts'
import { runs } from './commands/runs.ts'
import { serve } from './commands/serve.ts'
import { globalOptions } from './commands/shared/global-options.ts'
import type { Verb } from './commands/shared/verb-command.ts'
import { trust } from './commands/trust.ts'
import { redo, redoDescription, undo, undoDescription } from './commands/undo.ts'
import { update } from './commands/update.ts'
import { resources } from './contract/contract.ts'

const verbs: ReadonlyMap<string, Verb> = new Map([
  ['list', list],
  ['get', get],
  ['create', create],
  ['update', update],
  ['edit', edit],
  ['merge', merge],
  ['delete', remove],
  ['restore', restore],
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
  ['diff', 'Show what apply would change; exit status 1 if there are changes', diff, 'Files:'],
  ['export', 'Write records to a file that can be applied here or elsewhere', exportRecords, 'Files:'],
  ['undo', undoDescription, undo, 'Undo:'],
  ['redo', redoDescription, redo, 'Undo:'],
  ['history', 'Show what calctl wrote, when, and to what', history, 'Undo:'],
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
    const noun = root
      .command(resource.name)
      .helpGroup('Records:')
      .description(`Manage ${resource.words.en.toLowerCase()}`)
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
