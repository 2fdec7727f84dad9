import { Argument, type Command } from 'commander'
import { wrongValue } from '../../base/failure.ts'
import { resources } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { App } from '../app.ts'
import type { DedupeOptions } from './dedupe/find-doubles.ts'
import { wholeNumber } from './shared/options.ts'
import { declareOutput, pairShape, planOutput, rowsOutput } from './shared/output-forms.ts'
import { planOptions } from './shared/plan-options.ts'

export const dedupeDescription = 'Find duplicates, and merge them; exit status 1 if there are any'

/** calctl dedupe [resource...]: pairs of records that may be one thing, asked about or merged. */
export function dedupe(command: Command, app: App): void {
  command
    .addArgument(
      new Argument('[resource...]', 'Resources to compare (default: all)').choices(resources.map(({ name }) => name)),
    )
    .optionsGroup('Pairs:')
    .option('--review', 'Show each pair of one resource side by side, ask about it, and merge those that are the same')
    .option('--threshold <score>', 'Minimum score of a pair, from 0 to 1 (default: 0.7; with --yes 0.98)', readScore)
    .option('--limit <number>', 'Maximum number of pairs', wholeNumber('--limit', 1))
    .addHelpText('after', examples)
  planOptions(command)
  declareOutput(command, (args, options) =>
    options.review || options.dryRun || app.globals.yes ? planOutput(args, options) : rowsOutput(pairShape),
  ).action(async (names: ResourceName[], options: DedupeOptions) =>
    (await import('./dedupe/find-doubles.ts')).findDoubles(app, names, options),
  )
}

function readScore(text: string): number {
  const score = Number(text)
  if (text.trim() === '' || !(score >= 0 && score <= 1))
    throw wrongValue('--threshold', 'a number from 0 to 1', text, '0.9')
  return score
}

const examples = `
Without --review, --yes or --dry-run, pairs are only listed. --yes merges the certain ones; --dry-run shows what --yes would do. These
three take one resource.

--review asks for one letter: l keeps the left record, r the right one, m fills in the left one from the right one, n says that they
are not the same, s skips the pair, q stops.

Examples:
  calctl dedupe
  calctl dedupe venues -o csv > duplicates.csv
  calctl dedupe venues --review
  calctl dedupe tags --yes
  calctl dedupe organizers --threshold 0.99 --dry-run`
