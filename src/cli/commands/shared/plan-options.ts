import type { Command } from 'commander'
import { phrase } from '../../../base/words/phrase.ts'
import { duration, wholeNumber } from './options.ts'

export const runOptions = (command: Command): Command =>
  command
    .optionsGroup('Run:')
    .option(
      '--jobs <number>',
      phrase('Number of parallel writes (default: 4; local calendar: 32)'),
      wholeNumber('--jobs', 1),
    )
    .option('--rate <rate>', phrase('Maximum rate of writes, for example 5/s or 100/m'))
    .option('--stop-after <number>', phrase('Stop after this many failures'), wholeNumber('--stop-after', 1))
    .option(
      '--max-wait <duration>',
      phrase(
        'Wait at most this long while the site refuses everything: maintenance, a captcha, too many requests, no connection (default: 10m)',
      ),
      duration('--max-wait', '5m'),
    )
    .option(
      '--wait <duration>',
      phrase('Wait this long for another run on the same calendar (default: 5s)'),
      duration('--wait', '10m'),
    )

/** The option that keeps a plan. */
export const saveOption = (command: Command): Command =>
  command.option('--save <file>', phrase('Save the plan to this file, to apply it later with calctl apply'))

export const planOptions = (command: Command): Command =>
  runOptions(
    saveOption(
      command.optionsGroup('Safety:').option('--dry-run', phrase('Show what would change, without changing it')),
    )
      .option('--skip-invalid', phrase('Skip invalid records instead of stopping'))
      .option(
        '--max-trash <number>',
        phrase('Maximum number of records to trash or delete (default: 20, and 30 % of a resource)'),
        wholeNumber('--max-trash'),
      ),
  )
