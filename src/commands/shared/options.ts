import { type Command, Option } from 'commander'
import { version } from '../../../package.json'
import { languages } from '../../contract/words.ts'
import { excluding, Failure, wrongValue } from '../../failure.ts'
import { type Globals, outputs } from '../../globals.ts'
import { readDuration } from '../../time/typed-dates.ts'
import { checkAnswer } from './answers.ts'

/** The options that hold everywhere, before and after the subcommand. */
export function globalOptions(root: Command): void {
  root
    .optionsGroup('Global options:')
    .option('-p, --profile <name>', 'the profile to talk to')
    .option('--base-url <url>', 'where the API is: https://…, http://… or file:…')
    .addOption(choiceOption('--lang <language>', 'language of the content; all, for an export', [...languages, 'all']))
    .option('--namespace <path>', 'namespace of the API, such as tribe/events/v1')
    .option('--demo', 'a calendar of its own in memory, filled with events')
    .addOption(choiceOption('-o, --output <form>', 'form of the answer', outputs))
    .option('--json', 'the same as -o json')
    .option('--fields <paths>', 'only these fields: id,title,venue.city', fieldPaths)
    .option('--plain', 'names in JSON without HTML entities')
    .option('-q, --quiet', 'no notices on stderr')
    .option('-y, --yes', 'do not ask, act')
    .option('--no-input', 'never ask')
    .option('--confirm <profile>', 'allow writes to this protected profile')
    .option('--timeout <duration>', 'how long to wait for an answer (30s)', duration)
    .option('--retries <number>', 'how often to try again what may pass (3); 0: never', wholeNumber('--retries'))
    .option('--header <header>', "send this to the service: 'X-Key: env:NAME'; repeatable", repeatable)
    .option('--ca-file <path>', 'trust the certificates in this PEM file too')
    .option('--color', 'colours even where they are not shown by default')
    .option('--no-color', 'no colours')
    .version(version, '-V, --version', 'the version of calctl')
    .hook('preAction', async (_, command) => {
      checkLanguage(root, command)
      checkForm(root.opts())
      await checkAnswer(pathOf(command), command, root.opts())
    })
}

/** The words that lead to a command: `calctl events list`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

function checkLanguage(root: Command, command: Command): void {
  if (root.opts<Globals>().lang === 'all' && command.name() !== 'export')
    throw new Failure('usage', '--lang all is for calctl export only', { hint: `name one of ${languages.join(', ')}` })
}

function checkForm({ json, output }: Globals): void {
  if (json && output && output !== 'json') throw excluding('--json', `-o ${output}`)
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

function fieldPaths(text: string, before: readonly string[] = []): readonly string[] {
  const paths = text.split(',').map(path => path.trim())
  if (paths.every(path => /^[^.\s]+(\.[^.\s]+)*$/.test(path))) return [...before, ...paths]
  throw wrongValue('--fields', 'names, comma-separated', text, 'id,title,venue.city')
}

/** An option whose value is one of a few words. */
export function choiceOption(flags: string, description: string, words: readonly string[]): Option {
  const [example = ''] = words
  const option = new Option(flags, description).choices(words)
  return option.argParser(text => {
    if (words.includes(text)) return text
    throw wrongValue(`--${option.name()}`, `one of ${words.join(', ')}`, text, example)
  })
}

/** Reads the number of an option: 0 or more, unless it is said otherwise. */
export const wholeNumber =
  (flag: string, least: 0 | 1 = 0) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw wrongValue(flag, least === 0 ? 'a whole number' : 'a whole number above 0', text, '5')
  }

function duration(text: string): number {
  const ms = readDuration(text)
  if (ms === undefined || ms === 0) throw wrongValue('--timeout', 'a duration', text, '30s')
  return ms
}
