import type { Command } from 'commander'
import type { App } from '../app.ts'
import { checkShape, declareOutput, rowsOutput } from './shared/output-forms.ts'

export const doctorDescription = 'Check the connection to a site step by step, and say how to fix what fails'

/** calctl doctor: looks at everything between calctl and the records of a site. */
export function doctor(command: Command, app: App): void {
  declareOutput(command, rowsOutput(checkShape))
    .argument('[address]', 'Address of any page of the site: example.org (default: the calendar in use)')
    .option('--write', 'Also test an update on a temporary draft')
    .addHelpText('after', examples)
    .action(async (address: string | undefined, options: { write?: true }) => {
      const { examine } = await import('./doctor/examine.ts')
      await examine(app, address, options.write ?? false)
    })
}

const examples = `
Each line is a check: passed, failed (with what to do next), or skipped. The exit status is 1 if one failed.
Without --write, nothing is written.

Examples:
  calctl doctor
  calctl doctor example.org
  calctl doctor -p site --write -o json`
