import { Argument, type Command } from 'commander'
import type { App } from '../app.ts'
import { shellScripts, shells } from './completion/install.ts'
import { declareOutput, noOutput, textOutput } from './shared/output-forms.ts'

export const completionDescription = 'Complete commands, options and records with the Tab key'

/** The first word of the question that a shell asks when Tab is pressed. */
export const tabWord = '__complete'

/** calctl completion: prints the script for a shell, or installs it where the shell finds it. */
export function completion(noun: Command, app: App): void {
  for (const shell of shells)
    declareOutput(noun.command(shell), textOutput)
      .description(`Print the script for ${shell}`)
      .action(() => app.world.stdout.write(shellScripts[shell]))
  const shellArgument = () => new Argument('[shell]', 'The shell (default: the one in SHELL)').choices(shells)
  declareOutput(noun.command('install'), noOutput)
    .description('Set up Tab completion: show what is written and where, and ask')
    .addArgument(shellArgument())
    .addHelpText('after', examples)
    .action(async (shell?: (typeof shells)[number]) =>
      (await import('./completion/install.ts')).installCompletion(app, shell),
    )
  declareOutput(noun.command('uninstall'), noOutput)
    .description('Remove what install wrote')
    .addArgument(shellArgument())
    .action(async (shell?: (typeof shells)[number]) =>
      (await import('./completion/install.ts')).uninstallCompletion(app, shell),
    )
}

const examples = `
Tab completes commands, options, their values, profiles, fields, runs, and the records that were listed or shown last, also
by a word of their titles (not in fish). It sends nothing to the site.

Examples:
  calctl completion install
  calctl completion install fish
  source <(calctl completion bash)`
