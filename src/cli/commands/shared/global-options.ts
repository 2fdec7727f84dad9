import { type Command, Option } from 'commander'
import { version } from '../../../../package.json'
import { excluding, usage, wrongValue } from '../../../base/failure.ts'
import { listOf } from '../../../base/text/sentence-parts.ts'
import { readDuration } from '../../../base/time/durations.ts'
import { interfaceLanguages, phrase } from '../../../base/words/phrase.ts'
import { resources } from '../../../contract/contract.ts'
import { languages } from '../../../contract/languages.ts'
import { apis, type Globals, outputs } from '../../world.ts'
import { choiceOption, commandPath, readOrigin, repeatable, wholeNumber } from './options.ts'
import { checkOutput } from './output-forms.ts'

/** Adds the options of every command, which can come before or after its name. */
export function globalOptions(root: Command): void {
  for (const addGroup of [addConnectionGroup, addOutputGroup, addSafetyGroup, addDebuggingGroup]) addGroup(root)
  root
    .optionsGroup('Options:')
    .version(version, '-V, --version', phrase('Print the version'))
    .helpOption('-h, --help', phrase('Print help'))
    .helpCommand(false)
    .hook('preAction', async (_, command) => {
      checkLanguage(root, command)
      root.setOptionValue('fields', await checkOutput(commandPath(command), command, root.opts()))
      await checkForm(root.opts())
    })
}

const addConnectionGroup = (root: Command): Command =>
  root
    .optionsGroup('Connection:')
    .option('-p, --profile <name>', phrase('Profile to use'), oneProfile)
    .option('--base-url <url>', phrase('Base URL of the API: https://…, http://… or file:…'))
    .addOption(
      choiceOption('--lang <language>', phrase('Language of the content; all for commands that list or compare'), [
        ...languages,
        'all',
      ]),
    )
    .option('--namespace <path>', phrase('Namespace of the API, for example tribe/events/v1'))
    .addOption(
      choiceOption(
        '--via <api>',
        phrase("API for updates: events, or WordPress's own, wp/v2 (default: wp where available)"),
        apis,
      ),
    )
    .addOption(
      choiceOption(
        '--ui <language>',
        phrase('Language of messages and help (default: that of your system)'),
        interfaceLanguages,
      ),
    )
    .option('--demo', phrase('Use a temporary calendar in memory, filled with sample events'))
    .option('--timeout <duration>', phrase('Time to wait for a response (default: 30s)'), duration)
    .option('--retries <number>', phrase('Retries for transient failures (default: 3)'), wholeNumber('--retries'))
    .option(
      '--header <header>',
      phrase("Extra request header: 'X-Key: env:NAME' for a secret, or 'X-Name: value'; repeatable"),
      repeatable,
    )
    .option('--follow <origin>', phrase('Accept redirects of reads to this origin; repeatable'), origins)
    .option('--ca-file <file>', phrase('Also trust the certificates in this PEM file'))

const addOutputGroup = (root: Command): Command =>
  root
    .optionsGroup('Output:')
    .addOption(
      new Option('-o, --output <format>', phrase('Output format'))
        .choices(outputs)
        // Checked before the action, because each command has its own output formats.
        .argParser(text => text),
    )
    .option('--json', phrase('Same as -o json'))
    .option('--jq <expression>', phrase('Filter the JSON output, for example by: .[].title'))
    .option('--fields <paths>', phrase('Print only these fields, for example id,title,venue.city'), fieldPaths)
    .option('--plain', phrase('Decode HTML entities in names, in JSON and YAML'))
    .option('-q, --quiet', phrase('Suppress notices on stderr'))
    .option('--no-pager', phrase('Never show long output in a pager'))
    .option('--color', phrase('Use colors even if the output is not a terminal'))
    .option('--no-color', phrase('Disable colors'))

const addSafetyGroup = (root: Command): Command =>
  root
    .optionsGroup('Safety:')
    .option('-y, --yes', phrase('Assume "yes" for every question'))
    .option('--no-input', phrase('Never prompt for input'))
    .option('--confirm <profile>', phrase('Allow writes to this protected profile'))

const addDebuggingGroup = (root: Command): Command =>
  root
    .optionsGroup('Debugging:')
    .option('--debug', phrase('Print each request and answer on stderr, without secrets'))
    .option('--print-curl', phrase('Print each request as a curl command on stderr, with variables for secrets'))

/** The commands that read several languages at once, as typed. */
const readingAllLanguages = ['agenda', 'month', 'export', 'lint', 'dedupe', 'languages status']

const readsAllLanguages = (path: string): boolean =>
  readingAllLanguages.includes(path) || resources.some(({ name }) => path === `${name} list`)

function checkLanguage(root: Command, command: Command): void {
  if (root.opts<Globals>().lang === 'all' && !readsAllLanguages(commandPath(command).replace(/^\S+ /, '')))
    throw usage(
      phrase('--lang all works only with lists of records, {list}', { list: listOf(readingAllLanguages) }),
      phrase('use one of {list}', { list: listOf(languages, 'or') }),
    )
}

async function checkForm({ json, output, jq }: Globals): Promise<void> {
  if (json && output && output !== 'json') throw excluding('--json', `-o ${output}`)
  if (jq === undefined) return
  if (output && output !== 'json') throw excluding('--jq', `-o ${output}`)
  await (await import('../../terminal/json-filter.ts')).checkExpression(jq)
}

function fieldPaths(text: string, before: readonly string[] = []): readonly string[] {
  const paths = text.split(',').map(path => path.trim())
  if (paths.every(path => /^[^.\s]+(\.[^.\s]+)*$/.test(path))) return [...before, ...paths]
  throw wrongValue('--fields', phrase('comma-separated names'), text, 'id,title,venue.city')
}

const origins = (text: string, before: readonly string[] = []) => [...before, readOrigin('--follow', text)]

function duration(text: string): number {
  const ms = readDuration(text)
  if (ms === undefined || ms === 0) throw wrongValue('--timeout', phrase('a duration'), text, '30s')
  return ms
}

/** Throws if --profile is given twice; commander would take the last one without saying so. */
function oneProfile(name: string, earlier: string | undefined): string {
  if (earlier === undefined) return name
  throw usage(
    phrase('--profile is given twice: {earlier} and {name}', { earlier, name }),
    phrase('run the command for each: for profile in {earlier} {name}; do calctl -p "$profile" …; done', {
      earlier,
      name,
    }),
  )
}
