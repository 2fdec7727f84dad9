import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import { shellScripts, shells } from './completion/shell-scripts.ts'
import { declareOutput, textOutput } from './shared/output-forms.ts'

/** calctl help: the help of a command, as --help prints it, or a topic. */
export function help(command: Command, app: App, wholeTree: () => Command): void {
  declareOutput(command, { forms: ['json'] })
    .aliases(['ajuda', 'ayuda'])
    .argument('[words...]', phrase('A command, or a topic (default: all commands)'))
    .option('--all', phrase('Include what long help leaves out'))
    .addHelpText('after', helpNotes())
    .action(async (words: string[]) => (await import('./help/show-help.ts')).showHelp(app, wholeTree(), words))
}

const helpNotes = () => `
${phrase('With -o json, or after --help -o json, the help is data: arguments, options, choices and defaults. With --all it has those of the commands below, too.')}`

/** The first argument of the command line that a shell sends when Tab is pressed. */
export const tabWord = '__complete'

/** calctl completion: prints the script for a shell. */
export function completion(noun: Command, app: App): void {
  noun.addHelpText('after', completionNotes())
  for (const shell of shells)
    declareOutput(noun.command(shell), textOutput)
      .description(phrase('Print the script for {shell}', { shell }))
      .action(() => app.world.stdout.write(shellScripts[shell]))
}

const completionNotes = () => `
${phrase('Tab completes commands, options, their values, profiles, fields and runs. It sends nothing to the site.')}`
