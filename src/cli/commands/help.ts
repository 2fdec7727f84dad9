import { Argument, type Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import { shellScripts, shells } from './completion/install.ts'
import { declareOutput, noOutput, textOutput } from './shared/output-forms.ts'

/** calctl help: the help of a command, as --help prints it, or a topic. */
export function help(command: Command, app: App, wholeTree: () => Command): void {
  declareOutput(command, { forms: ['json'] })
    .argument('[words...]', phrase('A command, or a topic (default: all commands)'))
    .option('--all', phrase('Include what long help leaves out'))
    .option('--man', phrase('Print the manual page, for man -l -'))
    .addHelpText('after', helpNotes())
    .action(async (words: string[], { man }: { readonly man?: true }) =>
      (await import('./help/show-help.ts')).showHelp(app, wholeTree(), words, man ?? false),
    )
}

const helpNotes = () => `
${phrase('With -o json, or after --help -o json, the help is data: commands, arguments, options, choices and defaults.')}

Examples:
  calctl help events create
  calctl help dates
  calctl help -o json
  calctl help --man | man -l -`

/** The first argument of the command line that a shell sends when Tab is pressed. */
export const tabWord = '__complete'

/** calctl completion: prints the script for a shell, or installs it where the shell looks for it. */
export function completion(noun: Command, app: App): void {
  for (const shell of shells)
    declareOutput(noun.command(shell), textOutput)
      .description(phrase('Print the script for {shell}', { shell }))
      .action(() => app.world.stdout.write(shellScripts[shell]))
  const shellArgument = () => new Argument('[shell]', phrase('The shell (default: the one in SHELL)')).choices(shells)
  declareOutput(noun.command('install'), noOutput)
    .description(phrase('Set up Tab completion, after showing the changes and asking'))
    .addArgument(shellArgument())
    .addHelpText('after', completionNotes())
    .action(async (shell?: (typeof shells)[number]) =>
      (await import('./completion/install.ts')).installCompletion(app, shell),
    )
  declareOutput(noun.command('uninstall'), noOutput)
    .description(phrase('Remove the script and the lines that install added'))
    .addArgument(shellArgument())
    .action(async (shell?: (typeof shells)[number]) =>
      (await import('./completion/install.ts')).uninstallCompletion(app, shell),
    )
}

const completionNotes = () => `
${phrase('Tab completes commands, options, their values, profiles, fields, runs, and the records that were listed or shown last, also by a word of their titles (not in fish). It sends nothing to the site.')}

Examples:
  calctl completion install
  calctl completion install fish
  source <(calctl completion bash)`
