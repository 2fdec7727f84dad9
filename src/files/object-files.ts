import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { isObject } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { nearest } from '../text/nearest.ts'
import { resourceOfNames } from './recognise.ts'
import type { FileRecord } from './records/file-record.ts'
import type { Build } from './records/record-builder.ts'
import { joined, linesOf } from './text-streams.ts'

/** How objects are to be read. */
export interface ObjectOptions {
  readonly name: string
  readonly resource?: ResourceName
  readonly build: Build
}

/** Reads a list of records, one record, or an object with lists of them: `{"venues": […], "events": […]}`. */
export async function* readJson(text: AsyncIterable<string>, options: ObjectOptions): AsyncGenerator<FileRecord> {
  const whole = await joined(text)
  yield* recordsIn(parsed(whole, options.name), options, '', 'item 1')
}

/** Reads a record a line, or an object with lists of them, as services answer a page in one line. */
export async function* readNdjson(text: AsyncIterable<string>, options: ObjectOptions): AsyncGenerator<FileRecord> {
  let number = 0
  for await (const line of linesOf(text)) {
    number += 1
    if (line.trim() === '') continue
    const place = `line ${number}`
    yield* recordsIn(parsed(line, `${options.name}: ${place}`), options, `${place}, `, place)
  }
}

/** Reads YAML documents, each of which is what a JSON file can be. */
export async function* readYaml(text: AsyncIterable<string>, options: ObjectOptions): AsyncGenerator<FileRecord> {
  const { documentsIn } = await import('./yaml.ts')
  const documents = documentsIn(await joined(text), options.name)
  for (const [index, document] of documents.entries()) {
    const place = `document ${index + 1}`
    if (document !== null) yield* recordsIn(document, options, documents.length > 1 ? `${place}, ` : '', place)
  }
}

function* recordsIn(value: unknown, options: ObjectOptions, within: string, place: string): Generator<FileRecord> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield recordIn(item, options, `${within}item ${index + 1}`)
    return
  }
  if (!isObject(value) || !isCalendar(value)) {
    yield recordIn(value, options, place)
    return
  }
  for (const { name } of resources)
    for (const [index, item] of [value[name] ?? []].flat().entries())
      yield recordIn(item, { ...options, resource: name }, `${within}${name} item ${index + 1}`)
}

/** An event has lists of categories and tags, too; but a calendar has neither an id nor a title. */
const isCalendar = (value: Readonly<Record<string, unknown>>): boolean =>
  resources.some(({ name }) => isListOfRecords(value[name])) &&
  value.id === undefined &&
  value.resource === undefined &&
  !resources.some(({ title }) => value[title] !== undefined)

const isListOfRecords = (value: unknown): boolean => Array.isArray(value) && value.every(isObject)

function recordIn(value: unknown, options: ObjectOptions, place: string): FileRecord {
  if (!isObject(value))
    throw new Failure('usage', `${options.name}: ${place} is no record: ${shown(value)}`, {
      hint: 'a record is an object such as {"title": "Concert", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05 21:00"}',
    })
  const resource = resourceNamed(resourceOf(value, options, place))
  const entries = Object.entries(value).map(([name, value]) => ({ name, value, column: name }))
  return options.build(resource, entries, place)
}

/** So much of a value tells which it is. */
function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function resourceOf(value: Readonly<Record<string, unknown>>, options: ObjectOptions, place: string): ResourceName {
  const given = value.resource ?? options.resource ?? resourceOfNames(new Set(Object.keys(value)))
  const resource = resources.find(({ name }) => name === given)
  if (resource) return resource.name
  const names = resources.map(({ name }) => name)
  if (given === undefined)
    throw new Failure('usage', `${options.name}: ${place} does not say what it is`, {
      hint: `say it with: --resource ${names.join('|')}, or with "resource" in each record`,
    })
  const meant = nearest(String(given), names)
  throw new Failure('usage', `${options.name}: ${place}: there is no resource "${given}"`, {
    hint: meant ? `did you mean ${meant}?` : `resources: ${names.join(', ')}`,
  })
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('usage', `${place}: malformed JSON: ${(error as Error).message}`, {
      hint: 'the file may have been cut off, or be of another kind: --format says which',
    })
  }
}
