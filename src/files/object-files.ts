import { usage } from '../base/failure.ts'
import { isObject } from '../base/text/json.ts'
import { nearest } from '../base/text/similarity.ts'
import { phrase } from '../base/words/phrase.ts'
import { resourceNamed, resources } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { valuesApart } from './parsing-thread.ts'
import { type ObjectText, type PlacedValue, parseObject, placedValues } from './placed-values.ts'
import type { FileReading } from './records/file-reading.ts'
import type { FileRecord } from './records/file-record.ts'
import { resourceOfNames, resourceOption } from './records/record-builder.ts'
import { linesOf } from './text-streams.ts'

/**
 * Reads a list of records, one record, or an object with lists of records: `{"venues": […], "events": […]}`. A file of YAML can have
 * several documents of these forms.
 */
export async function* readObjects(
  text: string,
  format: ObjectText['format'],
  options: FileReading,
): AsyncGenerator<FileRecord> {
  const source = { format, text, name: options.name }
  for await (const one of valuesApart(source)) yield readObject(one, options)
}

/** Reads one record on each line, or one object with lists of records on each line, as services answer a page. */
export async function* readNdjson(text: AsyncIterable<string>, options: FileReading): AsyncGenerator<FileRecord> {
  let number = 0
  for await (const line of linesOf(text)) {
    number += 1
    if (line.trim() === '') continue
    const place = phrase('line {line}', { line: number })
    for (const one of placedValues(parseObject(line, `${options.name}: ${place}`), `${place}, `, place))
      yield readObject(one, options)
  }
}

function readObject({ value, place, list }: PlacedValue, given: FileReading): FileRecord {
  const options = list ? { ...given, resource: list } : given
  if (!isObject(value))
    throw usage(
      phrase('{file}: {place} is not a record: {value}', {
        file: options.name,
        place,
        value: shorten(JSON.stringify(value)),
      }),
      phrase('a record is an object such as {example}', {
        example: '{"title": "Concert", "start_date": "2026-12-05 19:00", "end_date": "2026-12-05 21:00"}',
      }),
    )
  const resource = resourceNamed(resourceOf(value, options, place))
  const entries = Object.entries(value).map(([name, value]) => ({ name, value, column: name }))
  return options.build(resource, entries, place)
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

function resourceOf(value: Readonly<Record<string, unknown>>, options: FileReading, place: string): ResourceName {
  const name = value.resource ?? options.resource ?? resourceOfNames(new Set(Object.keys(value)))
  const resource = resources.find(resource => resource.name === name)
  if (resource) return resource.name
  const names = resources.map(({ name }) => name)
  if (name === undefined)
    throw usage(
      phrase('{file}: {place} has no resource', { file: options.name, place }),
      options.isOneOfSeveral
        ? phrase('add "resource" to each record, or apply the file alone with: {option}', { option: resourceOption })
        : phrase('set it with: {option}, or add "resource" to each record', { option: resourceOption }),
    )
  const suggestion = nearest(String(name), names)
  throw usage(
    phrase('{file}: {place}: unknown resource "{name}"', { file: options.name, place, name: String(name) }),
    suggestion
      ? phrase('did you mean {suggestion}?', { suggestion })
      : phrase('resources: {names}', { names: names.join(', ') }),
  )
}
