import { checkValue, expectation } from '../../contract/check-value.ts'
import { resourceNamed, resources } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { isImagePath } from '../../contract/pending-upload.ts'
import type { Resource } from '../../contract/resource.ts'
import { isObject } from '../../text/json.ts'
import { nearest } from '../../text/similarity.ts'
import { readDate } from '../../time/dates.ts'
import type { Mistake, Reference } from './file-record.ts'
import { readReferences } from './reference-text.ts'

/** The field with this name, if the resource has one. */
export const fieldNamed = (resource: Resource, name: string): Field | undefined =>
  Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined

/** Keys that services answer, or the calendar file stores, next to the fields, and that cannot be written. */
const readOnlyKeys = new Set([
  'global_id',
  'global_id_lineage',
  'modified',
  'modified_utc',
  'url',
  'urls',
  'rest_url',
  'timezone_abbr',
  'custom_fields',
  'json_ld',
  'count',
  'taxonomy',
  'term_group',
  'term_taxonomy_id',
  'filter',
  'geo_lat',
  'geo_lng',
  'trashed_from',
  'post_parent',
])

/** Whether a key that is not a field comes from a service, and is not a mistake. */
export const isReadOnlyKey = (key: string): boolean => readOnlyKeys.has(key) || /^utc_|_details$/.test(key)

/** The option that says which resource the records of all files are. */
export const resourceOption = `--resource ${resources.map(({ name }) => name).join('|')}`

/**
 * The resource whose records have fields with these names; undefined if several are possible. Events have fields with the names
 * of other resources' titles (`venue`, `organizer`), so a field that only one resource has decides.
 */
export function resourceOfNames(names: ReadonlySet<string>): ResourceName | undefined {
  const events = resourceNamed('events')
  const withTitle = resources.filter(({ title }) => names.has(title))
  const withOwnField = resources.filter(resource => hasOwnField(resource, names))
  const withBoth = withTitle.filter(resource => withOwnField.includes(resource))
  if (withTitle.includes(events) || (withOwnField.includes(events) && withBoth.length === 0)) return 'events'
  let candidates = withBoth
  if (withTitle.length === 0) candidates = withOwnField
  if (withTitle.length === 1) candidates = withTitle
  return candidates.length === 1 ? candidates[0]?.name : undefined
}

/** Whether one of the names is a field that no other resource has. */
const hasOwnField = (resource: Resource, names: ReadonlySet<string>): boolean =>
  Object.keys(resource.fields).some(
    field => names.has(field) && !resources.some(other => other !== resource && field in other.fields),
  )

/** A field's value from a file: normalized, a request to empty the field, nothing to write, or invalid. */
export type FieldValue =
  | { kind: 'value'; value: unknown }
  | { kind: 'cleared' | 'skipped' }
  | { kind: 'invalid'; mistakes: Mistake[] }

/** Checks a value for a field and normalizes it. */
export function readField(field: Field, value: unknown): FieldValue {
  if (isEmptying(field, value)) {
    if (field.nonEmpty) return invalidValue(field, '')
    return { kind: field.queryOnly ? 'skipped' : 'cleared' }
  }
  // Services answer this as the publication date of a draft.
  if (field.kind.shape === 'moment' && value === '0000-00-00 00:00:00') return { kind: 'skipped' }
  // Services answer 0 as the parent of a top-level category.
  if (field.kind.shape === 'number' && field.of && value === 0) return { kind: 'skipped' }
  if (isUnsafeInteger(field.kind.shape === 'number' ? Number(value) : value)) return invalidValue(field, asText(value))
  if (isReferenceByName(field, value)) return { kind: 'value', value: value.trim() }

  const mistakes: Mistake[] = []
  const normalized = normalizeValue(field, value, mistakes)
  if (mistakes.length > 0) return { kind: 'invalid', mistakes }
  // Whoever reads the file knows where it is, and looks for the image there.
  if (field.kind.shape === 'picture' && isImagePath(normalized)) return { kind: 'value', value: normalized.trim() }
  const checked = checkValue(field, normalized)
  if (!checked.ok) {
    const { expected, example } = checked
    const suggestion = field.choices && nearest(String(value), field.choices)
    const mistake = { column: '', expected, value: asText(value), example, ...(suggestion && { suggestion }) }
    return { kind: 'invalid', mistakes: [mistake] }
  }
  return { kind: 'value', value: field.kind.shape === 'moment' ? wallTimeOf(String(checked.value)) : checked.value }
}

function invalidValue(field: Field, value: string): FieldValue {
  const { expected, example } = expectation(field)
  return { kind: 'invalid', mistakes: [{ column: '', expected, value, example }] }
}

/** Integers beyond 2^53 are rounded when they are parsed: an ID would become another record's. */
const isUnsafeInteger = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** A field for the ID of a record also takes its slug or name. */
const isReferenceByName = (field: Field, value: unknown): value is string =>
  field.kind.shape === 'number' && field.of !== undefined && typeof value === 'string' && !/^\s*\d*\s*$/.test(value)

const isEmptying = (field: Field, value: unknown): boolean =>
  value === null ||
  (field.kind.shape === 'picture' && value === false) ||
  (Array.isArray(value) && value.length === 0 && JSON.stringify(field.kind.empty) === '[]')

/** The form in which a field is written, of a value that a service answered or a person wrote. */
function normalizeValue(field: Field, value: unknown, mistakes: Mistake[]): unknown {
  if (field.kind.shape === 'picture' && isObject(value)) return normalizeValue(field, value.url ?? value.id, mistakes)
  if ((field.kind.shape === 'picture' || field.kind.shape === 'amount') && typeof value === 'number')
    return String(value)
  if (field.kind.shape !== 'links') return value
  const references = referencesIn(field, value).map(part =>
    isObject(part) ? referenceTo(field, part, mistakes) : (part as Reference),
  )
  for (const reference of references)
    if (isUnsafeInteger(reference)) mistakes.push({ column: '', expected: 'an ID', value: asText(value) })
  return field.multiple === false && references.length === 1 ? references[0] : references
}

function referencesIn(field: Field, value: unknown): unknown[] {
  if (typeof value !== 'string') return [value].flat()
  return field.multiple === false ? [value] : readReferences(value)
}

/**
 * The reference to a record that is given as an object. A record that a service answered has a slug, which other sites know too;
 * any other object is a record to create.
 */
function referenceTo(field: Field, object: Readonly<Record<string, unknown>>, mistakes: Mistake[]): Reference {
  if (typeof object.slug === 'string' && object.slug !== '') return object.slug
  if (typeof object.id === 'number') return object.id
  const resource = resourceNamed(field.of ?? 'venues')
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) {
    const inner = fieldNamed(resource, name)
    if (!inner) continue
    const read = readField(inner, value)
    if (read.kind === 'value') values[name] = read.value
    if (read.kind === 'invalid')
      mistakes.push(...read.mistakes.map(mistake => ({ ...mistake, column: `.${name}${mistake.column}` })))
  }
  return field.kind.isTerms && typeof values.name === 'string' ? values.name : values
}

function wallTimeOf(text: string): string {
  const date = readDate(text)
  return date && date.offset === undefined ? date.wall : text
}

/**
 * Services answer all-day events from the first to the last second of their days, whatever time was sent. Returns the times that are
 * left out.
 */
export function normalizeAllDayTimes(values: Record<string, unknown>): string[] {
  if (values.all_day !== true) return []
  const ends = { start_date: '00:00:00', end_date: '23:59:59' }
  const leftOut: string[] = []
  for (const [name, end] of Object.entries(ends)) {
    const wall = values[name]
    if (typeof wall !== 'string' || wall.length !== 19) continue
    const time = wall.slice(11)
    if (!Object.values(ends).includes(time)) leftOut.push(time.slice(0, 5))
    values[name] = `${wall.slice(0, 10)} ${end}`
  }
  return leftOut
}

/** A value as a message shows it. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
