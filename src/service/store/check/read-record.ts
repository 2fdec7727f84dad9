import { isObject } from '../../../base/text/json.ts'
import { nearest } from '../../../base/text/similarity.ts'
import { readDate } from '../../../base/time/dates.ts'
import type { Field } from '../../../contract/field.ts'
import { checkValue } from '../../../contract/kinds/kind-values.ts'
import { type Mistakes, quoted } from './columns.ts'

/** Reads one record of the file; columns that it leaves out are those of `blank`. A required column may not be empty. */
export function readRecord<R extends object>(
  record: unknown,
  blank: R,
  columns: Readonly<Record<string, Field>>,
  required: readonly string[],
  path: string,
  mistakes: Mistakes,
): R {
  if (!isObject(record)) {
    mistakes.add(path, `expected a record, found ${quoted(record)}`)
    return blank
  }
  const read = { ...blank } as Record<string, unknown>
  for (const name in record) {
    const value = record[name]
    const field = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (!field) mistakes.add(`${path}.${name}`, unknownFieldMessage(name, Object.keys(columns)))
    else if (!isBlank(value) || (value === '' && checkValue(field, value).ok))
      read[name] = readValue(value, field, `${path}.${name}`, mistakes)
  }
  for (const name of required) if (isBlank(record[name] ?? null)) mistakes.add(`${path}.${name}`, 'is missing')
  return read as R
}

/** The message for an unknown name, with the most similar known one. */
export function unknownFieldMessage(name: string, known: readonly string[]): string {
  const suggestion = nearest(name, known)
  return `there is no such field${suggestion ? `; did you mean ${suggestion}?` : ''}`
}

const isBlank = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

function readValue(value: unknown, field: Field, path: string, mistakes: Mistakes): unknown {
  const checked = checkValue(field, value)
  if (!checked.ok) {
    if (typeof value !== 'string' || !field.kind.isStoredBySite?.(value))
      mistakes.add(path, `expected ${checked.expected}, such as ${checked.example}; found ${quoted(value)}`)
    return value
  }
  return field.kind.shape === 'moment' ? readWall(String(checked.value), path, mistakes) : checked.value
}

function readWall(text: string, path: string, mistakes: Mistakes): string {
  const date = readDate(text)
  if (!date || date.offset !== undefined)
    mistakes.add(path, `expected a local date and time without offset, such as 2026-12-05 19:00; found "${text}"`)
  return date?.wall ?? text
}
