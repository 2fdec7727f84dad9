import type { ScalarTag } from 'yaml'
import { Failure } from '../base/failure.ts'
import { isObject, jsonProblem, parseStrictJson, tooDeep } from '../base/text/json.ts'
import { nearest } from '../base/text/similarity.ts'
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
  yield* readObjects(parseJson(json, options.name), options, '', 'item 1')
}

/** Reads one record a line, or one object with lists of records a line, as services answer a page. */
export async function* readNdjson(text: AsyncIterable<string>, options: ObjectFileOptions): AsyncGenerator<FileRecord> {
  let number = 0
  for await (const line of linesOf(text)) {
    number += 1
    if (line.trim() === '') continue
    const place = `line ${number}`
    yield* readObjects(parseJson(line, `${options.name}: ${place}`), options, `${place}, `, place)
  }
}

/** Reads YAML documents, each of which can be what a JSON file can be. */
export async function* readYaml(text: AsyncIterable<string>, options: ObjectFileOptions): AsyncGenerator<FileRecord> {
  const documents = await parseYaml(await joinText(text), options.name)
  for (const [index, document] of documents.entries()) {
    const place = `document ${index + 1}`
    if (document !== null) yield* readObjects(document, options, documents.length > 1 ? `${place}, ` : '', place)
  }
}

/** `prefix` begins the places of several records, `place` is that of a single one. */
function* readObjects(
  value: unknown,
  options: ObjectFileOptions,
  prefix: string,
  place: string,
): Generator<FileRecord> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield readObject(item, options, `${prefix}item ${index + 1}`)
    return
  }
  if (!isObject(value) || !hasListsOfRecords(value)) {
    yield readObject(value, options, place)
    return
  }
  for (const { name } of resources)
    for (const [index, item] of [value[name] ?? []].flat().entries())
      yield readObject(item, { ...options, resource: name }, `${prefix}${name} item ${index + 1}`)
}

/** Whether an object is a calendar. An event has lists of categories and tags too, but also an id or a title. */
const hasListsOfRecords = (value: Readonly<Record<string, unknown>>): boolean =>
  resources.some(({ name }) => isListOfObjects(value[name])) &&
  value.id === undefined &&
  value.resource === undefined &&
  !resources.some(({ title }) => value[title] !== undefined)

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isObject)

function readObject(value: unknown, options: ObjectFileOptions, place: string): FileRecord {
  if (!isObject(value))
    throw new Failure('usage', `${options.name}: ${place} is not a record: ${shorten(JSON.stringify(value))}`, {
      hint: 'a record is an object such as {"title": "Concert", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05 21:00"}',
    })
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
    throw new Failure('usage', `${options.name}: ${place} has no resource`, {
      hint: options.isOneOfSeveral
        ? `add "resource" to each record, or apply the file alone with: ${resourceOption}`
        : `set it with: ${resourceOption}, or add "resource" to each record`,
    })
  const suggestion = nearest(String(name), names)
  throw new Failure('usage', `${options.name}: ${place}: unknown resource "${name}"`, {
    hint: suggestion ? `did you mean ${suggestion}?` : `resources: ${names.join(', ')}`,
  })
}

function parseJson(text: string, place: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    throw new Failure('usage', `${place}: malformed JSON: ${(error as Error).message}`, {
      hint: 'the file may be cut off; if it is not JSON, give its format with --format',
    })
  }
}

const yamlNumberTags = ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float']

/** A number as JavaScript would write it. Others stay text, so that postal codes keep their zeros. */
const plainNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^(?:0|[1-9]\d{0,14})$/,
  resolve: Number,
}

async function parseYaml(text: string, name: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml')
  const { isTooDeepYaml } = await import('./yaml-depth.ts')
  if (isTooDeepYaml(text)) throw malformedYaml(name, new Error(tooDeep))
  const documents = parseAllDocuments(text, {
    customTags: tags => [
      ...tags.filter(tag => typeof tag === 'string' || !yamlNumberTags.includes(tag.tag)),
      plainNumber,
    ],
  })
  return [...documents].map(document => {
    const [error] = document.errors
    const line = error?.linePos?.[0].line
    if (error) throw malformedYaml(line === undefined ? name : `${name}: line ${line}`, error)
    try {
      const value = document.toJS()
      const problem = jsonProblem(value)
      if (problem !== undefined) throw new Error(problem)
      return value
    } catch (error) {
      throw malformedYaml(name, error as Error)
    }
  })
}

/** The library's messages end with the line, which is in ours already, and continue with an excerpt. */
const malformedYaml = (place: string, { message }: Error): Failure =>
  new Failure('usage', `${place}: malformed YAML: ${message.split('\n')[0]?.replace(/ at line.*$/, '')}`, {
    hint: 'check the indentation and the quotes of that line',
  })
