import type { Command } from 'commander'
import type { App } from './app.ts'
import { apply } from './commands/apply.ts'
import { create } from './commands/create.ts'
import { diff } from './commands/diff.ts'
import { doc, routes } from './commands/discovery.ts'
import { edit } from './commands/edit.ts'
import { exportRecords } from './commands/export.ts'
import { get } from './commands/get.ts'
import { list } from './commands/list.ts'
import { profiles } from './commands/profiles.ts'
import { remove } from './commands/remove.ts'
import { restore } from './commands/restore.ts'
import { runs } from './commands/runs.ts'
import { serve } from './commands/serve.ts'
import { globalOptions } from './commands/shared/options.ts'
import { update } from './commands/update.ts'
import { resources } from './contract/contract.ts'

type Fill = (command: Command, app: App) => void

const commands: readonly (readonly [name: string, description: string, fill: Fill])[] = [
  ['apply', 'make the calendar have records as files have them', apply],
  ['diff', 'show what apply would do; ends with 0 if that is nothing, with 1 otherwise', diff],
  ['export', 'write records as a file that can be applied, here or elsewhere', exportRecords],
  ['doc', 'the OpenAPI document of the service', doc],
  ['routes', 'the routes of the service, with methods and arguments', routes],
  ['profiles', 'places to talk to: add, list, show, use, edit, remove', profiles],
  ['runs', 'what bulk writes did: go on with one, or take it back', runs],
  ['serve', 'serve a calendar over HTTP, in place of the real site', serve],
]

/** The command tree. Given the words of a command line, it fills in only the commands that are among them. */
export function program(root: Command, app: App, words?: readonly string[]): Command {
  const isMeant = (name: string) => words === undefined || words.includes(name)
  globalOptions(root)
  for (const resource of resources) {
    const noun = root
      .command(resource.name)
      .description(`${resource.words.en}: ${Object.keys(resource.examples).join(', ')}`)
    if (!isMeant(resource.name)) continue
    for (const verb of [list, get, create, update, edit, remove, restore]) verb(noun, resource, app)
  }
  for (const [name, description, fill] of commands) {
    const command = root.command(name).description(description)
    if (isMeant(name)) fill(command, app)
  }
  return root
}
