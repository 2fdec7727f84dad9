import { type Command, Option } from 'commander'
import { version } from '../../package.json'
import { languages } from '../contract/words.ts'
import { Failure } from '../failure.ts'
import { readDuration } from '../time/duration.ts'
import { type Globals, outputs } from '../world.ts'

/** The options that hold everywhere, before and after the subcommand. */
export function globalOptions(root: Command): void {
  root
    .optionsGroup('Global options:')
    .option('-p, --profile <name>', 'the profile to talk to')
    .option('--base-url <url>', 'where the API is: https://…, http://… or file:…')
    .addOption(
      new Option('--lang <language>', 'language of the content; all, for an export').choices([...languages, 'all']),
    )
    .option('--namespace <path>', 'namespace of the API, such as tribe/events/v1')
    .option('--demo', 'a calendar of its own in memory, filled with events')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(outputs))
    .option('--json', 'the same as -o json')
    .option('--fields <paths>', 'only these fields: id,title,venue.city', commaSeparated)
    .option('--plain', 'names in JSON without HTML entities')
    .option('-q, --quiet', 'no notices on stderr')
    .option('-y, --yes', 'do not ask, act')
    .option('--no-input', 'never ask')
    .option('--confirm <profile>', 'allow writes to this protected profile')
    .option('--timeout <duration>', 'how long to wait for an answer (30s)', duration)
    .option('--retries <number>', 'how often to try again what may pass (3); 0: never', retries)
    .option('--header <header>', "send this to the service: 'X-Key: env:NAME'; repeatable", repeatable)
    .option('--ca-file <path>', 'trust the certificates in this PEM file too')
    .option('--color', 'colours even where they are not shown by default')
    .option('--no-color', 'no colours')
    .version(version, '-V, --version', 'the version of calctl')
    .hook('preAction', (_, command) => checkLanguage(root, command))
}

function checkLanguage(root: Command, command: Command): void {
  if (root.opts<Globals>().lang === 'all' && command.name() !== 'export')
    throw new Failure('usage', '--lang all is for calctl export only', { hint: `name one of ${languages.join(', ')}` })
}

/** `a, b,c` in one occurrence of an option or in several. */
export const commaSeparated = (text: string, before: readonly string[] = []) => [
  ...before,
  ...text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== ''),
]

/** Every occurrence of an option, as typed. */
export const repeatable = (text: string, before: readonly string[] = []) => [...before, text]

function retries(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new Failure('usage', `--retries: expected a whole number, got ${text}`, { hint: 'for example: --retries 5' })
}

function duration(text: string): number {
  const ms = readDuration(text)
  if (ms === undefined || ms === 0)
    throw new Failure('usage', `--timeout: expected a duration, got ${text}`, { hint: 'for example: --timeout 30s' })
  return ms
}
