import type { ScalarTag } from 'yaml'
import { Failure } from '../base/failure.ts'
import { isObject, parseStrictJson } from '../base/text/json.ts'
import { nearest } from '../base/text/similarity.ts'
import { phrase } from '../base/words/phrase.ts'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import type { FileRecord } from './records/file-record.ts'
import { type Build, resourceOfNames, resourceOption } from './records/record-builder.ts'
import { joinText, linesOf } from './text-streams.ts'

export interface ObjectFileOptions {
  readonly name: string
  readonly resource?: ResourceName
  readonly isOneOfSeveral?: boolean
  readonly build: Build
}

/** Reads a list of records, one record, or an object with lists of records: `{"venues": […], "events": […]}`. */
export async function* readJson(text: AsyncIterable<string>, options: ObjectFileOptions): AsyncGenerator<FileRecord> {
  const json = await joinText(text)
  yield* readObjects(parseJson(json, options.name), options, '', itemPlace(0))
}

/** Reads one record on each line, or one object with lists of records on each line, as services answer a page. */
export async function* readNdjson(text: AsyncIterable<string>, options: ObjectFileOptions): AsyncGenerator<FileRecord> {
  let number = 0
  for await (const line of linesOf(text)) {
    number += 1
    if (line.trim() === '') continue
    const place = phrase('line {line}', { line: number })
    yield* readObjects(parseJson(line, `${options.name}: ${place}`), options, `${place}, `, place)
  }
}

/** Reads YAML documents, each of which can have any form that a JSON file can have. */
export async function* readYaml(text: AsyncIterable<string>, options: ObjectFileOptions): AsyncGenerator<FileRecord> {
  const documents = await parseYaml(await joinText(text), options.name)
  for (const [index, document] of documents.entries()) {
    const place = phrase('document {number}', { number: index + 1 })
    if (document !== null) yield* readObjects(document, options, documents.length > 1 ? `${place}, ` : '', place)
  }
}

const itemPlace = (index: number): string => phrase('item {number}', { number: index + 1 })

/** `prefix` comes before the places of several records, `place` is that of a single one. */
function* readObjects(
  value: unknown,
  options: ObjectFileOptions,
  prefix: string,
  place: string,
): Generator<FileRecord> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield readObject(item, options, `${prefix}${itemPlace(index)}`)
    return
  }
  if (!isObject(value) || !hasListsOfRecords(value)) {
    yield readObject(value, options, place)
    return
  }
  for (const { name } of resources)
    for (const [index, item] of [value[name] ?? []].flat().entries())
      yield readObject(
        item,
        { ...options, resource: name },
        `${prefix}${phrase('{list} item {number}', { list: name, number: index + 1 })}`,
      )
}

/** Whether an object has lists of records. An event has lists of categories and tags, too, but also an id or a title. */
const hasListsOfRecords = (value: Readonly<Record<string, unknown>>): boolean =>
  resources.some(({ name }) => isListOfObjects(value[name])) &&
  value.id === undefined &&
  value.resource === undefined &&
  !resources.some(({ title }) => value[title] !== undefined)

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isObject)

function readObject(value: unknown, options: ObjectFileOptions, place: string): FileRecord {
  if (!isObject(value))
    throw new Failure(
      'usage',
      phrase('{file}: {place} is not a record: {value}', {
        file: options.name,
        place,
        value: shorten(JSON.stringify(value)),
      }),
      {
        hint: phrase('a record is an object such as {example}', {
          example: '{"title": "Concert", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05 21:00"}',
        }),
      },
    )
  const resource = resourceNamed(resourceOf(value, options, place))
  const entries = Object.entries(value).map(([name, value]) => ({ name, value, column: name }))
  return options.build(resource, entries, place)
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

function resourceOf(value: Readonly<Record<string, unknown>>, options: ObjectFileOptions, place: string): ResourceName {
  const name = value.resource ?? options.resource ?? resourceOfNames(new Set(Object.keys(value)))
  const resource = resources.find(resource => resource.name === name)
  if (resource) return resource.name
  const names = resources.map(({ name }) => name)
  if (name === undefined)
    throw new Failure('usage', phrase('{file}: {place} has no resource', { file: options.name, place }), {
      hint: options.isOneOfSeveral
        ? phrase('add "resource" to each record, or apply the file alone with: {option}', { option: resourceOption })
        : phrase('set it with: {option}, or add "resource" to each record', { option: resourceOption }),
    })
  const suggestion = nearest(String(name), names)
  throw new Failure(
    'usage',
    phrase('{file}: {place}: unknown resource "{name}"', { file: options.name, place, name: String(name) }),
    {
      hint: suggestion
        ? phrase('did you mean {suggestion}?', { suggestion })
        : phrase('resources: {names}', { names: names.join(', ') }),
    },
  )
}

function parseJson(text: string, place: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    throw new Failure(
      'usage',
      phrase('{place}: malformed JSON: {reason}', { place, reason: (error as Error).message }),
      {
        hint: phrase('the file may be cut off; if it is not JSON, give its format with --format'),
      },
    )
  }
}

const yamlNumberTags = ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float']

/** A number as JavaScript would write it. Others stay texts, so that postal codes keep their zeros. */
const plainNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^(?:0|[1-9]\d{0,14})$/,
  resolve: Number,
}

async function parseYaml(text: string, name: string): Promise<unknown[]> {
  const { readYamlDocuments } = await import('./yaml-values.ts')
  const fail = (reason: string, line?: string) => {
    const place = line === undefined ? name : `${name}: ${line}`
    return new Failure('usage', phrase('{place}: malformed YAML: {reason}', { place, reason }), {
      hint: phrase('check the indentation and the quotes of that line'),
    })
  }
  const documents = readYamlDocuments(text, fail, {
    customTags: tags => [
      ...tags.filter(tag => typeof tag === 'string' || !yamlNumberTags.includes(tag.tag)),
      plainNumber,
    ],
  })
  return documents.map(({ value }) => value)
}
