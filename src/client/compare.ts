import type { Field } from '../contract/field.ts'
import { type Answer, isObject, type Resource, writableFields } from '../contract/resource.ts'
import { shownValue } from '../contract/round-trip.ts'
import { normalizeText } from '../text/normalize.ts'
import { momentOf, readDate, wallMs } from '../time/dates.ts'

/** A field as it was and as it is. */
export interface Difference {
  readonly before: unknown
  readonly after: unknown
  /** What was asked for, where it did not take. */
  readonly asked?: unknown
}

export type Differences = Readonly<Record<string, Difference>>

/** The writable fields in which two answers of one record differ: links by id, the rest as answered. */
export function differences(resource: Resource, before: Answer, after: Answer): Differences {
  const found = writableFields(resource)
    .map(([name, field]): [string, Difference] => [
      name,
      { before: comparableValue(name, field, before), after: comparableValue(name, field, after) },
    ])
    .filter(([, pair]) => !equal(pair.before, pair.after))
  return Object.fromEntries(found)
}

/** A field of an answer in the shape in which it would be written, whatever a site shows in place of an empty one. */
export const comparableValue = (name: string, field: Field, answer: Answer): unknown =>
  writableValue(field, shownValue(name, field, answer))

/** What an answer holds, in the shape in which it would be written: embedded records as their IDs, terms in no order. */
export function writableValue(field: Field, value: unknown): unknown {
  if (field.kind === 'image') return isObject(value) ? (value.id ?? null) : null
  if (field.kind !== 'posts' && field.kind !== 'terms') return value ?? ''
  const ids = [value]
    .flat()
    .filter(isObject)
    .map(({ id }) => Number(id))
  if (field.multiple === false) return ids[0] ?? null
  return field.kind === 'terms' ? ids.toSorted((a, b) => a - b) : ids
}

/** Whether what was asked of a field is what an answer shows, allowing for how a site renders it. */
export function wasApplied(name: string, field: Field, asked: unknown, answer: Answer): boolean {
  const shown = answer[name]
  if (name === 'slug') return asked === '' || asSlug(String(asked)) === asSlug(String(shown))
  if (asked === null || asked === '' || (Array.isArray(asked) && asked.length === 0))
    return isEmpty(name, field, answer)
  if (field.kind === 'posts' || field.kind === 'terms') return linksTook(field, asked, shown)
  if (field.kind === 'image') return isObject(shown) && (String(shown.id) === String(asked) || shown.url === asked)
  if (field.kind === 'dateTime') return dateTook(name, String(asked), answer)
  if (field.kind === 'cost') return sameCost(asked, String(shown ?? ''))
  return equal(normalizeText(String(asked)), normalizeText(String(shown ?? '')))
}

/** Services make of a text what can stand in a URL; of an empty one what the title gives. */
const asSlug = (text: string): string =>
  unescaped(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isEmpty(name: string, field: Field, answer: Answer): boolean {
  const value = comparableValue(name, field, answer)
  return value === '' || value === null || value === false || (Array.isArray(value) && value.length === 0)
}

function linksTook(field: Field, asked: unknown, shown: unknown): boolean {
  const records = [shown].flat().filter(isObject)
  const wanted = field.kind === 'terms' && typeof asked === 'string' ? asked.split(',') : [asked].flat()
  return records.length === wanted.length && wanted.every(one => records.some(record => names(record, one)))
}

/** Whether this is the record that an ID, a slug, a name or inline data speak of. */
function names(record: Record<string, unknown>, asked: unknown): boolean {
  if (isObject(asked))
    return asked.id === undefined ? names(record, asked.venue ?? asked.organizer) : names(record, asked.id)
  const known = [record.id, record.slug, record.name, record.venue, record.organizer]
  return known.some(value => value !== undefined && sameText(String(value), String(asked)))
}

const sameText = (one: string, other: string) => normalizeText(one).toLowerCase() === normalizeText(other).toLowerCase()

/** An event of whole days begins and ends when its days do. */
const isEnd = (name: string) => name === 'start_date' || name === 'end_date'

/** A draft has no publication date in UTC, and does not show one that it was given. */
const noDate = '0000-00-00 00:00:00'

function dateTook(name: string, asked: string, answer: Answer): boolean {
  if (answer[name] === noDate) return true
  const date = readDate(asked)
  if (answer.all_day === true && isEnd(name)) return String(answer[name]).startsWith(asked.slice(0, 10))
  if (date?.offset === undefined) return equal(date?.wall ?? asked, answer[name])
  const utc = answer[`utc_${name}`] ?? answer[`${name}_utc`]
  return momentOf(date) === wallMs(String(utc))
}

/** `20 €`, `20€` and a drawn `$20` for `20` are the same cost: the same numbers, or the same words. */
function sameCost(asked: unknown, shown: string): boolean {
  const text = [asked].flat().join(' - ')
  const numbers = (cost: string) =>
    [...normalizeText(cost).matchAll(/\d+(?:[.,]\d+)?/g)].map(([number]) => Number(number.replace(',', '.')))
  return numbers(text).length > 0
    ? equal(numbers(text), numbers(shown)) || equal([0], numbers(text))
    : sameText(text, shown)
}

/** Equality of plain data; object keys in any order. */
export function equal(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => equal(value, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => equal(one[key], other[key]))
}
