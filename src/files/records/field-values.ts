import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import { checkValue, emptyValue, wordsOfKind } from '../../contract/kinds.ts'
import { isObject, type Resource } from '../../contract/resource.ts'
import { nearest } from '../../text/nearest.ts'
import { readDate } from '../../time/dates.ts'
import type { Mistake, Reference } from './file-record.ts'
import { readReferences } from './references.ts'

/** The field of that name, if the resource has one. */
export const fieldNamed = (resource: Resource, name: string): Field | undefined =>
  Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined

/** What became of a value: kept, a wish to empty the field, nothing to say, or wrong. */
export type Read =
  | { kind: 'value'; value: unknown }
  | { kind: 'cleared' | 'left' }
  | { kind: 'wrong'; mistakes: Mistake[] }

/** Checks a value that is given for a field, and brings it into the form the field is written in. */
export function readField(field: Field, given: unknown): Read {
  if (isEmptied(field, given)) {
    if (!field.nonEmpty) return { kind: field.queryOnly ? 'left' : 'cleared' }
    const { expected, example } = wordsOfKind(field)
    return { kind: 'wrong', mistakes: [{ column: '', expected, given: '', example }] }
  }
  // A draft has no publication date, which services answer so.
  if (field.kind === 'dateTime' && given === '0000-00-00 00:00:00') return { kind: 'left' }
  // A category at the top has the parent 0.
  if (field.kind === 'integer' && field.of && given === 0) return { kind: 'left' }
  if (isRounded(field.kind === 'integer' ? Number(given) : given)) {
    const { expected, example } = wordsOfKind(field)
    return { kind: 'wrong', mistakes: [{ column: '', expected, given: textOf(given), example }] }
  }
  if (isName(field, given)) return { kind: 'value', value: given.trim() }
  const mistakes: Mistake[] = []
  const value = normalised(field, given, mistakes)
  if (mistakes.length > 0) return { kind: 'wrong', mistakes }
  const checked = checkValue(field, value)
  if (checked.ok)
    return { kind: 'value', value: field.kind === 'dateTime' ? wallOf(String(checked.value)) : checked.value }
  const { expected, example } = checked
  const meant = field.choices && nearest(String(given), field.choices)
  return {
    kind: 'wrong',
    mistakes: [{ column: '', expected, given: textOf(given), example, ...(meant && { meant }) }],
  }
}

/** Of what is larger, nobody knows any more which number it was. */
const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** What takes the ID of a record takes its slug or name too. */
const isName = (field: Field, value: unknown): value is string =>
  field.kind === 'integer' && field.of !== undefined && typeof value === 'string' && !/^\s*\d*\s*$/.test(value)

const isEmptied = (field: Field, value: unknown): boolean =>
  value === null ||
  (field.kind === 'image' && value === false) ||
  (Array.isArray(value) && value.length === 0 && JSON.stringify(emptyValue(field)) === '[]')

/** In the form that the field is written in, whether a service answered it or a person wrote it. */
function normalised(field: Field, value: unknown, mistakes: Mistake[]): unknown {
  if (field.kind === 'image' && isObject(value)) return normalised(field, value.url ?? value.id, mistakes)
  if ((field.kind === 'image' || field.kind === 'cost') && typeof value === 'number') return String(value)
  if (field.kind !== 'terms' && field.kind !== 'posts') return value
  const parts = typeof value !== 'string' ? [value].flat() : field.multiple === false ? [value] : readReferences(value)
  const references = parts.map(part => (isObject(part) ? referenceTo(field, part, mistakes) : (part as Reference)))
  for (const reference of references)
    if (isRounded(reference)) mistakes.push({ column: '', expected: 'an ID', given: textOf(value) })
  return field.multiple === false && references.length === 1 ? references[0] : references
}

/** What a service answered is named by its slug, which holds at other sites too; anything else is a record to be made. */
function referenceTo(field: Field, object: Readonly<Record<string, unknown>>, mistakes: Mistake[]): Reference {
  if (typeof object.slug === 'string' && object.slug !== '') return object.slug
  if (typeof object.id === 'number') return object.id
  const resource = resourceNamed(field.of ?? 'venues')
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) {
    const inner = fieldNamed(resource, name)
    const read = inner && readField(inner, value)
    if (read?.kind === 'value') values[name] = read.value
    if (read?.kind === 'wrong')
      mistakes.push(...read.mistakes.map(mistake => ({ ...mistake, column: `.${name}${mistake.column}` })))
  }
  return field.kind === 'terms' && typeof values.name === 'string' ? values.name : values
}

const wallOf = (text: string): string => {
  const date = readDate(text)
  return date && date.offset === undefined ? date.wall : text
}

/** A day that is given for an event of whole days begins and ends as services answer it. */
export function stretchDays(values: Record<string, unknown>): void {
  if (values.all_day !== true) return
  for (const [name, time] of [
    ['start_date', '00:00:00'],
    ['end_date', '23:59:59'],
  ] as const) {
    const wall = values[name]
    if (typeof wall === 'string' && wall.length === 19) values[name] = `${wall.slice(0, 10)} ${time}`
  }
}

/** A value as a message shows it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
