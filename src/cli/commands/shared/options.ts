import { Argument, type Command, Option } from 'commander'
import { excluding, type Failure, forExample, misread, usage, wrongValue } from '../../../base/failure.ts'
import { shellWord } from '../../../base/text/escaping.ts'
import { asOption } from '../../../base/text/sentence-parts.ts'
import { readJsonAt } from '../../../base/text/strict-json.ts'
import { readDuration } from '../../../base/time/durations.ts'
import { interfaceLanguage, phrase } from '../../../base/words/phrase.ts'
import type { Client, Values } from '../../../client/client.ts'
import { resources } from '../../../contract/contract.ts'
import type { Field } from '../../../contract/field.ts'
import { isFilter } from '../../../contract/filter.ts'
import { isImagePath } from '../../../contract/kinds/image-kind.ts'
import { checkTyped } from '../../../contract/kinds/kind-values.ts'
import { choiceList, choiceNamed, statusLabel } from '../../../contract/post-status.ts'
import type { Resource, VerbName } from '../../../contract/resource.ts'
import { exampleLines } from '../../../contract/resource-words.ts'
import { readReference, readReferences } from '../../../files/records/file-record.ts'
import type { App } from '../../app.ts'

/** The words that name a command: `calctl events list`. */
export const commandPath = (command: Command): string =>
  command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name()

/** The option under whose name commander keeps a value: `--date-order` for `dateOrder`. */
export const optionName = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** The value of the option of a field or filter, as commander read it. */
export const optionValue = (options: Values, name: string): unknown => options[attribute(name)]

/** Where commander keeps the value of an option: `start_date` under `startDate`. */
const attribute = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** An option with an opposite, `--featured` and `--no-featured`; its description explains only the first. */
export class SwitchOption extends Option {
  constructor(
    flags: string,
    readonly meaning: string,
    opposite: string,
  ) {
    super(flags, `${meaning} (${phrase('opposite: {option}', { option: opposite })})`)
  }
}

/** One option for a field or filter, two for a boolean; none has a default, because defaults belong to the API. */
export function addFieldOption(
  command: Command,
  name: string,
  field: Field,
  description = field.words[interfaceLanguage()],
): void {
  const flag = asOption(name)
  const help = `${description}${field.choices ? `: ${field.choices.join(', ')}` : ''}`
  if (field.kind.shape === 'flag') {
    const not = `--no-${flag.slice(2)}`
    command.addOption(new SwitchOption(flag, help, not)).addOption(new Option(not).hideHelp())
    excludeEachOther(command, flag, not)
    return
  }
  const option = new Option(`${flag} <${placeholderOf(field)}>`, help)
  // An event has one venue: the last one counts, as with other options that take one value.
  if (field.kind.isRepeatable) option.argParser(field.multiple === false ? text => [text] : repeatable)
  command.addOption(option)
}

/**
 * Refuses options that contradict each other. Commander would use the last one, but a script may build a command line with both by mistake.
 */
function excludeEachOther(command: Command, one: string, other: string): void {
  const typed = new Set<string>()
  for (const flag of [one, other])
    command.on(`option:${flag.slice(2)}`, () => {
      if (typed.add(flag).size > 1) throw excluding(one, other)
    })
}

/**
 * Reads the options for these fields or filters: checks and normalizes their values, and throws one `usage` failure that names all invalid
 * ones. Dates of fields stay as they were typed, because they depend on the time zone of each record.
 */
export async function typedValues(
  fields: readonly [string, Field][],
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const typed = fields.filter(([name]) => options[attribute(name)] !== undefined)
  if (typed.length === 0) return {}
  const values: Record<string, unknown> = {}
  const mistakes: Failure[] = []
  for (const [name, field] of typed) {
    const input = options[attribute(name)]
    const text = [input].flat().join(', ')
    const later = readLater(field, input)
    const checked =
      later === undefined ? checkTyped(field, parseOption(name, field, input)) : { ok: true as const, value: later }
    if (checked.ok) values[name] = checked.value
    else if (checked.mistake) throw misread(asOption(name), text, checked.mistake)
    else mistakes.push(wrongValue(asOption(name), checked.expected, text, shellWord(checked.example)))
  }
  const [first] = mistakes
  if (first) throw usage(mistakes.map(({ message }) => message).join('; '), first.details.hint)
  return values
}

/** Whether a filter is by records, which the API takes by ID, and calctl also by slug or name. */
const namesRecords = (field: Field): boolean => isFilter(field) && field.of !== undefined && !field.kind.isTerms

function placeholderOf(field: Field): string {
  if (!namesRecords(field)) return field.kind.placeholder
  return field.kind.isRepeatable ? 'ids|names' : 'id|name'
}

/** A value that depends on the clock of the site, on names of its records, or on a file; undefined for others. */
function readLater(field: Field, input: unknown): unknown {
  if (field.kind.shape === 'moment' || (field.kind.shape === 'picture' && isImagePath(input))) return input
  if (!namesRecords(field)) return undefined
  const references = [input].flat().flatMap(text => readReferences(String(text)))
  if (references.length === 0 || references.some(reference => typeof reference === 'object')) return undefined
  return field.kind.isRepeatable ? references : references[0]
}

/** Repeated options and commas make one list; a link to a post may be a record as JSON. */
function parseOption(name: string, field: Field, input: unknown): unknown {
  const { choices } = field
  if (choices) {
    const word = (text: string) => choiceNamed(text, choices) ?? text
    return Array.isArray(input) ? input.flatMap((text: string) => commaSeparated(text)).map(word) : word(String(input))
  }
  if (!Array.isArray(input)) return input
  if (field.kind.shape === 'links' && !field.kind.isTerms) {
    const links = input.flatMap((text: string) => parseLinks(name, field, text))
    return field.multiple === false && links.length === 1 ? links[0] : links
  }
  return input.flatMap((text: string) => (field.kind.isTerms ? readReferences(text) : commaSeparated(text)))
}

function parseLinks(name: string, field: Field, text: string): unknown {
  const option = asOption(name)
  if (/^\s*[[{]/.test(text)) return readJsonAt(option, text, forExample(`${option} '{"${name}":"Sala Gran"}'`))
  return field.multiple === false ? readReference(text) : readReferences(text)
}

/** Parses `a, b,c`, possibly from several occurrences of an option. */
export const commaSeparated = (text: string, before: readonly string[] = []) => [
  ...before,
  ...text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== ''),
]

/** Every occurrence of an option, as typed. */
export const repeatable = (text: string, before: readonly string[] = []) => [...before, text]

/** An option whose value is one of a few words, or its label. */
export function choiceOption(flags: string, description: string, words: readonly string[], label = statusLabel) {
  const [example = ''] = words
  const option = new Option(flags, description).choices(words)
  return option.argParser(text => {
    const word = words.includes(text) ? text : choiceNamed(text, words, label)
    if (word !== undefined) return word
    throw wrongValue(`--${option.name()}`, phrase('one of {list}', { list: choiceList(words, label) }), text, example)
  })
}

/** Parses the number in an option: at least 0, or at least `least`. */
export const wholeNumber =
  (flag: string, least: 0 | 1 = 0) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw wrongValue(flag, least === 0 ? phrase('a whole number') : phrase('a whole number above 0'), text, '5')
  }

/** The origin of an option: `https://example.org`. */
export function readOrigin(flag: string, text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text.replace(/\/$/, ''))
    throw wrongValue(flag, phrase('an origin: scheme, host and port'), text, 'https://app.example')
  return new URL(text).origin
}

/** The description of `--limit` if a terminal shows fewer by default. */
export const limitDescription = (): string => phrase('Maximum number to list (default: all; 50 on a terminal)')

/** Parses the duration of an option, in ms. */
export const duration =
  (flag: string, example: string) =>
  (text: string): number => {
    const ms = readDuration(text)
    if (ms === undefined) throw wrongValue(flag, phrase('a duration'), text, example)
    return ms
  }

/** Names of fields, joined by plus signs or commas: `start_date+venue`. */
export const fieldNames = (text: string): string[] =>
  commaSeparated(text.replaceAll('+', ',')).map(name => name.replaceAll('-', '_'))

/** A command of a resource: adds itself below the resource's noun, unless the resource does not have it. */
export type Verb = (parent: Command, resource: Resource, app: App) => void

/** What a verb works on: a resource in the calendar of a command. */
export interface VerbContext {
  readonly app: App
  readonly client: Client
  readonly resource: Resource
}

/** The verb's command under its noun, with the contract's examples in its help. */
export function verbCommand(parent: Command, resource: Resource, name: VerbName, description: string): Command {
  const examples = exampleLines(resource, name)
  const command = parent.command(name).description(description)
  return examples.length === 0
    ? command
    : command.addHelpText('after', `\nExamples:\n${examples.map(line => `  ${line}`).join('\n')}`)
}

/** The argument for resources by their names: `[resource...]`. */
export const resourceArgument = (name: string, description: string): Argument =>
  new Argument(name, description).choices(resources.map(resource => resource.name))

/** The options that select events by whole days. */
export interface DayOptions {
  readonly on?: string
  readonly from?: string
  readonly to?: string
  /** True without a value, which means this week. */
  readonly week?: string | true
  readonly month?: string | true
  readonly weekend?: string | true
  readonly today?: true
}

const dayNames = ['on', 'from', 'to', 'week', 'month', 'weekend', 'today'] as const

const dayOption = (): Readonly<Record<keyof DayOptions, readonly [value: string, description: string]>> => ({
  on: [' <day>', phrase('Events on this day, including those that began earlier')],
  from: [' <day>', phrase('Events on this day or later')],
  to: [' <day>', phrase('Events on this day or earlier')],
  week: [' [day]', phrase('Events in this week, or in the week of a day')],
  month: [' [month]', phrase('Events in this month, or in another: 2026-12, december')],
  weekend: [' [day]', phrase('Events on Saturday and Sunday of this week, or of the week of a day')],
  today: ['', phrase('Events today')],
})

/** Adds the options that select events by days, except those in `without`. `readDays` reads them. */
export function dayOptions(command: Command, without: readonly (keyof DayOptions)[] = []): Command {
  for (const name of dayNames.filter(name => !without.includes(name))) {
    const [value, description] = dayOption()[name]
    command.option(`--${name}${value}`, description)
  }
  return command
}

/** The given ones. */
export const daysGiven = (options: DayOptions): (keyof DayOptions)[] =>
  dayNames.filter(name => options[name] !== undefined)

/** The options with the days in the arguments of a command that takes them. */
export function withDays<Options extends DayOptions>(options: Options, words: readonly string[]): Options {
  const [other] = daysGiven(options)
  if (words.length > 0 && other !== undefined) throw excluding(words.join(' '), `--${other}`)
  return words.length > 0 ? { ...options, on: words.join(' ') } : options
}

/** The same days as words of a command line. */
export const daysWords = (options: DayOptions, words: readonly string[]): string[] =>
  Object.entries(words.length > 0 ? { on: words.join(' ') } : options).flatMap(([name, value]) =>
    dayNames.some(one => one === name) ? [`--${name}`, ...(value === true ? [] : [shellWord(String(value))])] : [],
  )

export const daysArgument = (command: Command): Command =>
  command.argument('[day...]', phrase('A day or several: saturday, "this weekend", december (same as --on)'))

/** The root of the tree of a command, which has the global options. */
export const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)
