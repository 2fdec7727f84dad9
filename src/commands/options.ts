import { type Command, Option } from 'commander'
import type { Field } from '../contract/field.ts'
import { wordsOfKind } from '../contract/kinds.ts'
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
    .addOption(new Option('--lang <language>', 'language of the content').choices(languages))
    .option('--namespace <path>', 'namespace of the API, such as tribe/events/v1')
    .option('--demo', 'a calendar of its own in memory, filled with events')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(outputs))
    .option('--json', 'the same as -o json')
    .option('--fields <paths>', 'only these fields: id,title,venue.city', commaSeparated)
    .option('-q, --quiet', 'no notices on stderr')
    .option('-y, --yes', 'do not ask, act')
    .option('--no-input', 'never ask')
    .option('--confirm <profile>', 'allow writes to this protected profile')
    .option('--timeout <duration>', 'how long to wait for an answer (30s)', duration)
    .option('--color', 'colours even where they are not shown by default')
    .option('--no-color', 'no colours')
    .option('-V, --version', 'the version of calctl')
}

/** The names of the global options as commander keeps them, for the law that no field or filter takes one. */
export type GlobalName = keyof Globals

const commaSeparated = (text: string, before: readonly string[] = []) => [
  ...before,
  ...text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== ''),
]

function duration(text: string): number {
  const ms = readDuration(text)
  if (ms === undefined || ms === 0)
    throw new Failure('usage', `--timeout: expected a duration, got ${text}`, { hint: 'for example: --timeout 30s' })
  return ms
}

export const flagName = (name: string): string => `--${name.replaceAll('_', '-')}`

/** Where commander keeps the value of an option: `start_date` under `startDate`. */
const attribute = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const repeatable = new Set<Field['kind']>(['ids', 'terms', 'posts', 'choices'])

/** One option for a field or filter, two for a boolean; none has a default, because defaults belong to the API. */
export function addFieldOption(command: Command, name: string, field: Field): void {
  const flag = flagName(name)
  const { placeholder } = wordsOfKind(field)
  const help = `${field.words.en}${field.choices ? `: ${field.choices.join(', ')}` : ''}`
  if (field.kind === 'boolean') {
    command.option(flag, help).addOption(new Option(`--no-${flag.slice(2)}`, 'not so'))
    return
  }
  const option = new Option(`${flag} <${placeholder}>`, help)
  if (repeatable.has(field.kind)) option.argParser((text: string, before: string[] = []) => [...before, text])
  command.addOption(option)
}

/** The values that were typed for these fields, checked and normalised; every wrong one is named in one failure. */
export async function typedValues(
  fields: readonly [string, Field][],
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const typed = fields.filter(([name]) => options[attribute(name)] !== undefined)
  if (typed.length === 0) return {}
  const { check } = await import('../contract/schema.ts')
  const values: Record<string, unknown> = {}
  const mistakes: { flag: string; expected: string; example: string; given: string }[] = []
  for (const [name, field] of typed) {
    const given = options[attribute(name)]
    const checked = check(field, readTyped(name, field, given))
    if (checked.ok) values[name] = checked.value
    else mistakes.push({ ...checked, flag: flagName(name), given: [given].flat().join(', ') })
  }
  const [first] = mistakes
  if (first)
    throw new Failure(
      'usage',
      mistakes.map(({ flag, expected, given }) => `${flag}: expected ${expected}, got "${given}"`).join('; '),
      { hint: `for example: ${first.flag} ${first.example.includes(' ') ? `"${first.example}"` : first.example}` },
    )
  return values
}

/** Several occurrences and commas make one list; JSON is read where records can be given inline. */
function readTyped(name: string, field: Field, given: unknown): unknown {
  if (!Array.isArray(given)) return given
  if (field.kind === 'posts') {
    const parts = given.flatMap((text: string) =>
      /^\s*[[{]/.test(text) ? readInline(name, text) : commaSeparated(text),
    )
    const links = parts.map(part => (typeof part === 'string' && /^\d+$/.test(part) ? Number(part) : part))
    return field.single && links.length === 1 ? links[0] : links
  }
  return given.flatMap((text: string) => commaSeparated(text))
}

function readInline(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('usage', `${flagName(name)}: malformed JSON: ${text}`, {
      hint: `for example: ${flagName(name)} '{"${name}":"Sala Gran"}'`,
    })
  }
}
