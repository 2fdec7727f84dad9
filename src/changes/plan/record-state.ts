import { createHash } from 'node:crypto'
import { isObject } from '../../base/text/json.ts'
import { areStored } from '../../client/adapters/shown-stored-records.ts'
import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isNone } from '../../contract/kinds/kind-values.ts'
import { knownValue, storedValue, storedValues, withStored } from '../../contract/record.ts'
import { type Answer, type Resource, shownFields, withAffectedFields } from '../../contract/resource.ts'
import type { Step, UpdateStep } from './plan.ts'

/** The keys that a safe update and an undo need besides the fields that can be written. */
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

/** A record without the keys that no plan needs, at most a third of its size: plans contain a record for each step. */
export function trimRecord(resource: Resource, record: Answer): Answer {
  const trimmed: Answer = { id: record.id }
  for (const name of otherProperties) if (record[name] !== undefined) trimmed[name] = record[name]
  for (const [name, field] of Object.entries(resource.fields))
    if (record[name] !== undefined && !field.queryOnly) trimmed[name] = trimLink(field.kind.identity, record[name])
  return withStored(trimmed, withoutSecrets(resource, storedValues(record)))
}

/** Values without secrets. An empty one is kept: that a record has no password is not a secret. */
const withoutSecrets = ({ fields }: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !fields[name]?.secret || value === ''))

/** An embedded record is reduced to what identifies it; the site may publish one that is not public. */
function trimLink(keys: readonly string[] | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => trimLink(keys, item))
  if (!keys || !isObject(value)) return value
  const isPublic = value.status === undefined || value.status === 'publish'
  const kept = isPublic ? keys : [...keys, 'status']
  return Object.fromEntries(Object.entries(value).filter(([name]) => kept.includes(name)))
}

/** A hash of everything that a site shows of a stored record: its texts, its other fields, and when it was last saved. */
export function revisionOf(resource: Resource, row: Answer): string {
  const others = shownFields(resource).filter(([name]) => storedValue(name, row) === undefined)
  const values = others.map(([name, field]) => field.kind.canonical(row[name], field))
  return hashOf([row.status, row.modified_utc, storedValues(row), values])
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

/** The known values of these fields, without passwords. */
function knownValues(resource: Resource, record: Answer, names: readonly string[]): Values {
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const field = resource.fields[name]
    if (field && !field.queryOnly && !field.secret) values[name] = knownValue(name, field, record)
  }
  return values
}

/**
 * The fields that a step wrote, and those that change along with them, as the answer shows them; after a create or restore, also all others
 * that are not blank. An undo compares them with the record to see whether somebody has changed it since. A password is not kept; the time
 * at which the record was saved tells whether it is still the same.
 */
export function valuesAfterStep(
  { action, resource, values }: Pick<Step, 'action' | 'resource' | 'values'>,
  record: Answer,
): Values {
  const of = resourceNamed(resource)
  const written = Object.keys(values).flatMap(name => withAffectedFields(of, name))
  if (action !== 'create' && action !== 'restore') {
    const saved = written.some(name => of.fields[name]?.secret) ? record.modified_utc : undefined
    return { ...knownValues(of, record, written), ...(saved !== undefined && { modified_utc: saved }) }
  }
  const all = Object.entries(knownValues(of, record, Object.keys(of.fields)))
  return Object.fromEntries(all.filter(([name, value]) => written.includes(name) || !isNone(value ?? '')))
}

/**
 * Whether the stored record is enough to check a step: the plan was built on it, and the step changes no other values. A page of stored
 * records has twice as many records.
 */
export function isComparedByRevision(step: Step): step is UpdateStep {
  if (step.action !== 'update' || step.before === undefined || step.revision === undefined) return false
  return areStored(resourceNamed(step.resource), step.values)
}
