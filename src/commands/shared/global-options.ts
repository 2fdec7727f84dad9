import type { Command } from 'commander'
import { version } from '../../../package.json'
import { languages } from '../../contract/words.ts'
import { excluding, Failure, wrongValue } from '../../failure.ts'
import { type Globals, outputs } from '../../globals.ts'
import { listOf } from '../../text/words.ts'
import { readDuration } from '../../time/typed-dates.ts'
import { checkAnswer } from './answers.ts'
import { choiceOption, repeatable, wholeNumber } from './option-parsers.ts'

/** The options of every command, before and after its name. */
export function globalOptions(root: Command): void {
  root
    .optionsGroup('Global options:')
    .option('-p, --profile <name>', 'profile to use')
    .option('--base-url <url>', 'base URL of the API: https://…, http://… or file:…')
    .addOption(choiceOption('--lang <language>', 'language of the content; all is for export', [...languages, 'all']))
    .option('--namespace <path>', 'namespace of the API, for example tribe/events/v1')
    .option('--demo', 'use a temporary calendar in memory, filled with sample events')
    .addOption(choiceOption('-o, --output <format>', 'output format', outputs))
    .option('--json', 'same as -o json')
    .option('--fields <paths>', 'print only these fields, for example id,title,venue.city', fieldPaths)
    .option('--plain', 'decode HTML entities in the names in JSON and YAML')
    .option('-q, --quiet', 'suppress notices on stderr')
    .option('-y, --yes', 'assume "yes" for every question')
    .option('--no-input', 'never prompt for input')
    .option('--confirm <profile>', 'allow writes to this protected profile')
    .option('--timeout <duration>', 'time to wait for an answer (default: 30s)', duration)
    .option('--retries <number>', 'retries for transient failures (default: 3)', wholeNumber('--retries'))
    .option('--header <header>', "extra request header, for example 'X-Key: env:NAME'; repeatable", repeatable)
    .option('--ca-file <file>', 'also trust the certificates in this PEM file')
    .option('--color', 'use colors even if the output is not a terminal')
    .option('--no-color', 'disable colors')
    .version(version, '-V, --version', 'print the version')
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
    throw new Failure('usage', '--lang all is for calctl export only', {
      hint: `use one of ${listOf(languages, 'or')}`,
    })
}

function checkForm({ json, output }: Globals): void {
  if (json && output && output !== 'json') throw excluding('--json', `-o ${output}`)
}

function fieldPaths(text: string, before: readonly string[] = []): readonly string[] {
  const paths = text.split(',').map(path => path.trim())
  if (paths.every(path => /^[^.\s]+(\.[^.\s]+)*$/.test(path))) return [...before, ...paths]
  throw wrongValue('--fields', 'names, comma-separated', text, 'id,title,venue.city')
}

function duration(text: string): number {
  const ms = readDuration(text)
  if (ms === undefined || ms === 0) throw wrongValue('--timeout', 'a duration', text, '30s')
  return ms
}
