import type { Command } from 'commander'
import type { App } from '../app.ts'
import { declareOutput } from './shared/output-forms.ts'

export const helpDescription = 'Show help for a command or topic'

/** calctl help: the help of a command, as --help prints it, or a topic. */
export function help(command: Command, app: App, wholeTree: () => Command): void {
  declareOutput(command, { forms: ['json'] })
    .argument('[words...]', 'A command, or a topic (default: all commands)')
    .option('--all', 'Also what is left out of long help')
    .option('--man', 'Print the manual page, for man -l -')
    .addHelpText('after', examples)
    .action(async (words: string[], { man }: { readonly man?: true }) =>
      (await import('./help/show-help.ts')).showHelp(app, wholeTree(), words, man ?? false),
    )
}

const examples = `
With -o json, or after --help -o json, the help is data: commands, arguments, options, choices and defaults.

Examples:
  calctl help events create
  calctl help dates
  calctl help -o json
  calctl help --man | man -l -`
