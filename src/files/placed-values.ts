import { usage } from '../base/failure.ts'
import { isObject } from '../base/text/json.ts'
import { readJsonAt } from '../base/text/strict-json.ts'
import { phrase } from '../base/words/phrase.ts'
import { resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'

/** The text of a file that is parsed as a whole; `name` is that of the file, for messages. */
export interface ObjectText {
  readonly format: 'json' | 'yaml'
  readonly text: string
  readonly name: string
}

/** A value that should be a record, its place in the file, and the resource whose list it is in, if any. */
export interface PlacedValue {
  readonly value: unknown
  readonly place: string
  readonly list?: ResourceName
}

/** Parses a text. Nothing else runs meanwhile in the same thread. */
export async function* valuesIn({ format, text, name }: ObjectText): AsyncGenerator<PlacedValue> {
  if (format === 'json') {
    yield* placedValues(parseObject(text, name), '', itemPlace(0))
    return
  }
  const documents = await parseYaml(text, name)
  for (const [index, document] of documents.entries()) {
    const place = phrase('document {number}', { number: index + 1 })
    if (document !== null) yield* placedValues(document, documents.length > 1 ? `${place}, ` : '', place)
  }
}

const itemPlace = (index: number): string => phrase('item {number}', { number: index + 1 })

/** `prefix` comes before the places of several records, `place` is that of a single one. */
export function* placedValues(value: unknown, prefix: string, place: string): Generator<PlacedValue> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield { value: item, place: `${prefix}${itemPlace(index)}` }
  else if (!isObject(value) || !hasListsOfRecords(value)) yield { value, place }
  else
    for (const { name } of resources)
      for (const [index, item] of [value[name] ?? []].flat().entries())
        yield {
          value: item,
          place: `${prefix}${phrase('{list} item {number}', { list: name, number: index + 1 })}`,
          list: name,
        }
}

/** Whether an object has lists of records. An event has lists of categories and tags, too, but also an id or a title. */
const hasListsOfRecords = (value: Readonly<Record<string, unknown>>): boolean =>
  resources.some(({ name }) => isListOfObjects(value[name])) &&
  value.id === undefined &&
  value.resource === undefined &&
  !resources.some(({ title }) => value[title] !== undefined)

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isObject)

export const parseObject = (text: string, place: string): unknown =>
  readJsonAt(place, text, phrase('the file may be cut off; if it is not JSON, give its format with --format'))

async function parseYaml(text: string, name: string): Promise<unknown[]> {
  const { readYamlDocuments } = await import('./yaml-values.ts')
  const fail = (reason: string, line?: string) => {
    const place = line === undefined ? name : `${name}: ${line}`
    return usage(
      phrase('{place}: malformed YAML: {reason}', { place, reason }),
      phrase('check the indentation and the quotes of that line'),
    )
  }
  return readYamlDocuments(text, fail).map(({ value }) => value)
}
