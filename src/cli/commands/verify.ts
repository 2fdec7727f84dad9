import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import { declareOutput, parityShape, rowsOutput } from './shared/output-forms.ts'
import type { VerifyOptions } from './verify/verify-site.ts'

/** calctl verify: plays recorded exchanges against the current calendar, and reports how its answers differ. */
export function verify(command: Command, app: App): void {
  const { forms, shape } = rowsOutput(parityShape)
  declareOutput(command, { forms: [...forms, 'junit'], ...(shape && { shape }) })
    .argument('[recordings...]', phrase('Recordings to play: files, or folders of them'))
    .option('--record <folder>', phrase('Record what the calendar in use answers, without secrets'))
    .option('--write', phrase('Also write: records of its own, which it removes again'))
    .addHelpText('after', notes())
    .action(async (files: string[], options: VerifyOptions) => {
      const { verifySite } = await import('./verify/verify-site.ts')
      await verifySite(app, files, options)
    })
}

const notes = () => `
${phrase('Without --write, only reads are played. The table has a row for each kind of request, and counts the answers that differ in status, error code, keys or values; each difference is below it. The exit status is 1 if there is one.')}

Examples:
  calctl verify --record answers -p site
  calctl verify answers --base-url http://127.0.0.1:8787/wp-json
  calctl verify answers -p site -o junit > parity.xml`
