import { createHash } from 'node:crypto'
import type { Values } from '../client/client.ts'
import { comparableValue, renderedValue, withoutPageNumbers, writableValue } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { type Answer, type Resource, shownFields, withAffectedFields } from '../contract/resource.ts'
import { preservedFields } from '../contract/round-trip.ts'
import type { Step } from './plan.ts'

/** The keys that a safe update and an undo need besides the writable fields. */
const otherProperties = [
  'lang_code',
  'status',
  'slug',
  'url',
  'cost_details',
  'utc_start_date',
  'utc_end_date',
  'count',
  'modified_utc',
  'geo_lat',
  'geo_lng',
  'translations',
]

/** A record without the keys that no plan needs, a third of its size or less: plans hold a record for each step. */
export function trimRecord(resource: Resource, record: Answer): Answer {
  const trimmed: Answer = { id: record.id, ...(record.raw && { raw: withoutSecrets(resource, record.raw) }) }
  for (const name of otherProperties) if (record[name] !== undefined) trimmed[name] = record[name]
  for (const [name, field] of Object.entries(resource.fields))
    if (record[name] !== undefined && !field.queryOnly) trimmed[name] = trimLink(field, record[name])
  return trimmed
}

/** That there is none is no secret. */
const withoutSecrets = ({ fields }: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !fields[name]?.secret || value === ''))

/** An embedded record is reduced to what identifies it. */
function trimLink(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => trimLink(field, item))
  if (typeof value !== 'object' || value === null) return value
  const title = field.of && resourceNamed(field.of).title
  const names = field.kind.shape === 'picture' ? ['id', 'url'] : ['id', 'slug', title]
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

/**
 * A hash over the status and the writable fields: as long as it is the same, nobody changed the record. It is made of what is
 * shown, because stored texts are not read every time.
 */
export function recordFingerprint(resource: Resource, record: Answer): string {
  const values = shownFields(resource).map(([name, field]) => withoutPageNumbers(renderedValue(name, field, record)))
  return hashOf([record.status, values])
}

/** A hash over all that `wp/v2` shows of a record: its stored texts, its other fields, and when it was saved last. */
export function revisionOf(resource: Resource, row: Answer): string {
  const others = shownFields(resource).filter(([name]) => row.raw?.[name] === undefined)
  const values = others.map(([name, field]) => writableValue(field, row[name]))
  return hashOf([row.status, row.modified_utc, row.raw, values])
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

/** Whether a comparable value is the value of a field that was never set. */
export const isBlank = (value: unknown): boolean =>
  [null, '', false, 0].some(blank => value === blank) || (Array.isArray(value) && value.length === 0)

const comparableValues = (resource: Resource, record: Answer, names: readonly string[]): Values =>
  Object.fromEntries(
    names.flatMap(name => {
      const field = resource.fields[name]
      return field && !field.queryOnly && !field.secret ? [[name, comparableValue(name, field, record)]] : []
    }),
  )

/**
 * The fields that a step wrote, and those that change with them, as the answer shows them; after a create or restore also all
 * others that are not blank. An undo compares them with the record later, to see whether somebody changed it since. A password is
 * not kept; when the record was saved tells whether it is still the same.
 */
export function valuesAfterStep(
  { action, resource, values }: Pick<Step, 'action' | 'resource' | 'values'>,
  record: Answer,
): Values {
  const of = resourceNamed(resource)
  const written = Object.keys(values).flatMap(name => withAffectedFields(of, name))
  if (action !== 'create' && action !== 'restore') {
    const saved = written.some(name => of.fields[name]?.secret) ? record.modified_utc : undefined
    return { ...comparableValues(of, record, written), ...(saved !== undefined && { modified_utc: saved }) }
  }
  const all = Object.entries(comparableValues(of, record, Object.keys(of.fields)))
  return Object.fromEntries(all.filter(([name, value]) => written.includes(name) || !isBlank(value)))
}

/** The fields of a record in the form that must be sent to get the same record again. */
export function writableValues(
  resource: Resource,
  record: Answer,
  names = shownFields(resource).map(([name]) => name),
): Values {
  const preserved = preservedFields(resource, record, {})
  const values = Object.entries(comparableValues(resource, record, names)).map(([name, value]): [string, unknown] => {
    if (name in preserved) return [name, preserved[name]]
    if (record.raw?.[name] !== undefined) return [name, value]
    return [name, resource.fields[name]?.kind.written(value)]
  })
  return Object.fromEntries(values.filter(([, value]) => !isUnwritable(value)))
}

/** A draft has no publication date yet, and services accept no blank one. */
const isUnwritable = (value: unknown): boolean => typeof value === 'string' && value.startsWith('0000-')
