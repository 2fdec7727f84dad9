import { type Command, Option } from 'commander'
import type { Values } from '../../client/client.ts'
import { resources } from '../../contract/contract.ts'
import type { Field, Kind } from '../../contract/field.ts'
import { type Filter, isFilter } from '../../contract/filter.ts'
import { checkValue, wordsOfKind } from '../../contract/kinds.ts'
import type { Resource } from '../../contract/resource.ts'
import { excluding, Failure } from '../../failure.ts'
import { readReference, readReferences } from '../../files/records/reference-text.ts'
import { listOf } from '../../text/words.ts'
import { commaSeparated, repeatable } from './option-parsers.ts'

/** The option of a field or filter: `start_date` is `--start-date`. */
export const flagName = (name: string): string => `--${name.replaceAll('_', '-')}`

/** Where commander keeps the value of an option: `start_date` under `startDate`. */
const attribute = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const lists = new Set<Kind>(['ids', 'terms', 'posts', 'choices'])

/** One option for a field or filter, two for a boolean; none has a default, because defaults belong to the API. */
export function addFieldOption(command: Command, name: string, field: Field): void {
  const flag = flagName(name)
  const { placeholder } = wordsOfKind(field)
  const help = `${field.words.en}${field.choices ? `: ${field.choices.join(', ')}` : ''}`
  if (field.kind === 'boolean') {
    const not = `--no-${flag.slice(2)}`
    command.option(flag, `${help} (opposite: ${not})`).addOption(new Option(not).hideHelp())
    excludeEachOther(command, flag, not)
    return
  }
  const option = new Option(`${flag} <${placeholder}>`, help)
  if (lists.has(field.kind)) option.argParser(repeatable)
  command.addOption(option)
}

/** Commander lets the last one win, and a command line of two parts may say both without meaning it. */
function excludeEachOther(command: Command, one: string, other: string): void {
  const typed = new Set<string>()
  for (const flag of [one, other])
    command.on(`option:${flag.slice(2)}`, () => {
      if (typed.add(flag).size > 1) throw excluding(one, other)
    })
}

/**
 * The values that were typed for these fields or filters, checked and normalised; every wrong one is named in one failure.
 * Dates of fields stay as typed: what they mean is settled with the time zone of each record.
 */
export async function typedValues(
  fields: readonly [string, Field][],
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const typed = fields.filter(([name]) => options[attribute(name)] !== undefined)
  if (typed.length === 0) return {}
  const values: Record<string, unknown> = {}
  const mistakes: { flag: string; expected: string; example: string; given: string }[] = []
  for (const [name, field] of typed) {
    const given = options[attribute(name)]
    const checked = isTypedDate(field)
      ? { ok: true as const, value: given }
      : checkValue(field, readTyped(name, field, given))
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

const isTypedDate = (field: Field) => field.kind === 'dateTime' && !isFilter(field)

/** Several occurrences and commas make one list; JSON is read where records can be given inline. */
function readTyped(name: string, field: Field, given: unknown): unknown {
  if (!Array.isArray(given)) return given
  if (field.kind === 'posts') {
    const links = given.flatMap((text: string) =>
      /^\s*[[{]/.test(text)
        ? readInline(name, text)
        : field.multiple === false
          ? readReference(text)
          : readReferences(text),
    )
    return field.multiple === false && links.length === 1 ? links[0] : links
  }
  return given.flatMap((text: string) => (field.kind === 'terms' ? readReferences(text) : commaSeparated(text)))
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

/** The filters of all resources; what several have is one option. An order narrows nothing. */
const filters: readonly [string, Filter][] = [
  ...new Map(resources.toReversed().flatMap(resource => Object.entries(resource.filters))),
].filter(([name]) => name !== 'order' && name !== 'orderby')

/** Adds the filters of all resources; each narrows the lists of those that have it. */
export function filterOptions(command: Command): Command {
  command.optionsGroup('Filters:')
  for (const [name, filter] of filters) addFieldOption(command, name, filter)
  return command
}

/** The filters that were typed; throws `usage` for one that none of these resources has. */
export async function typedFilters(of: readonly Resource[], options: Values): Promise<Values> {
  const typed = await typedValues(filters, options)
  const idle = Object.keys(typed).find(name => !of.some(resource => name in resource.filters))
  if (idle)
    throw new Failure('usage', `${listOf(of.map(({ name }) => name))} cannot be filtered by ${flagName(idle)}`, {
      hint: 'leave it out, or name a resource that has this filter',
    })
  return typed
}
