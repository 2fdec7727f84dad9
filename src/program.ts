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
import { globalOptions } from './commands/options.ts'
import { profiles } from './commands/profiles.ts'
import { remove } from './commands/remove.ts'
import { restore } from './commands/restore.ts'
import { runs } from './commands/runs.ts'
import { serve } from './commands/serve.ts'
import { update } from './commands/update.ts'
import { resources } from './contract/contract.ts'

/** The command tree. Given the words of a command line, it leaves out the verbs of nouns that are not among them. */
export function program(root: Command, app: App, words?: readonly string[]): Command {
  globalOptions(root)
  for (const resource of resources) {
    const noun = root
      .command(resource.name)
      .description(`${resource.words.en}: ${Object.keys(resource.examples).join(', ')}`)
    if (words && !words.includes(resource.name)) continue
    for (const verb of [list, get, create, update, edit, remove, restore]) verb(noun, resource, app)
  }
  apply(root, app)
  diff(root, app)
  exportRecords(root, app)
  doc(root, app)
  routes(root, app)
  profiles(root, app)
  runs(root, app)
  serve(root, app)
  return root
}
