import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import { declareOutput, rowsOutput } from './shared/output-forms.ts'
import { changeShape } from './shared/output-shapes.ts'
import type { ChangesOptions } from './show-changes.ts'

/** calctl changes: what others did to the calendar. */
export function changes(command: Command, app: App): void {
  declareOutput(command, rowsOutput(changeShape))
    .description(phrase('Show what is new, changed or gone in the calendar since the last time, and keep its state'))
    .option('--since <when>', phrase('Compare with the state before this run, of this name, or of this time'))
    .option('--name <name>', phrase('Give the state that is kept a name'))
    .addHelpText('after', notes())
    .action(async (options: ChangesOptions) => (await import('./show-changes.ts')).showChanges(app, options))
}

const notes = () => `
${phrase('The last thirty states are kept. A state in which nothing changed is not kept again.')}`
