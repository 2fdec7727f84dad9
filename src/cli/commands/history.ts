import type { Command } from 'commander'
import { Failure } from '../../base/failure.ts'
import { resources } from '../../contract/contract.ts'
import type { App } from '../app.ts'
import type { HistoryOf } from './runs/show-history.ts'
import { limitDescription, wholeNumber } from './shared/options.ts'
import { declareOutput, historyShape, rowsOutput } from './shared/output-forms.ts'
import { type Verb, verbCommand } from './shared/verb-command.ts'

/** calctl history: what calctl wrote, when, and to what; of this calendar, or of one record. */
export function history(command: Command, app: App): void {
  declareOutput(command, rowsOutput(historyShape))
    .argument('[record...]', 'A record: 12, events/12, events 12 or a slug (default: everything)')
    .option('--limit <number>', limitDescription, wholeNumber('--limit', 1))
    .addHelpText('after', '\nExamples:\n  calctl history\n  calctl history events/12\n  calctl events history 12')
    .action(async (words: string[], { limit }: { readonly limit?: number }) =>
      (await import('./runs/show-history.ts')).showHistory(
        app,
        limit,
        words.length > 0 ? readRecord(words) : undefined,
      ),
    )
}

function readRecord(words: readonly string[]): HistoryOf {
  const [first = '', ref, ...others] = words.flatMap(word => word.split('/'))
  const resource = resources.find(({ name, singular }) => name === first || singular === first)?.name
  if (others.length === 0 && resource && ref) return { resource, ref }
  if (ref === undefined && !resource && first !== '') return { ref: first }
  throw new Failure('usage', `expected one record, got "${words.join(' ')}"`, {
    hint: 'for example: calctl history events/12',
  })
}

/** calctl <resource> history <ref>: what calctl wrote to one record. */
export const historyOfRecord: Verb = (parent, resource, app) => {
  declareOutput(
    verbCommand(parent, resource, 'history', `Show what calctl wrote to ${resource.name}`),
    rowsOutput(historyShape),
  )
    .argument('<ref>', resource.keys.includes('slug') ? 'ID or slug' : 'ID')
    .option('--limit <number>', limitDescription, wholeNumber('--limit', 1))
    .action(async (ref: string, { limit }: { readonly limit?: number }) =>
      (await import('./runs/show-history.ts')).showHistory(app, limit, { resource: resource.name, ref }),
    )
}
