import { createHash } from 'node:crypto'
import type { Values } from '../client/client.ts'
import { comparableValue } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { type Answer, affected, type Resource, writableFields } from '../contract/resource.ts'
import { preservedFields } from '../contract/round-trip.ts'
import { decodeEntities } from '../text/normalize.ts'
import type { Step } from './plan.ts'

/** What a safe update and an undo need to know of a record beside its fields. */
const besides = ['lang_code', 'status', 'slug', 'url', 'cost_details', 'utc_start_date', 'utc_end_date', 'count']

/** A record with nothing in it that a plan does not need: a third of its size, or less. */
export function trimRecord(resource: Resource, record: Answer): Answer {
  const essential: Answer = { id: record.id }
  for (const name of besides) if (record[name] !== undefined) essential[name] = record[name]
  for (const [name, field] of Object.entries(resource.fields))
    if (record[name] !== undefined) essential[name] = trimLink(field, record[name])
  return essential
}

/** Of a linked record, what names it. */
function trimLink(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(one => trimLink(field, one))
  if (typeof value !== 'object' || value === null) return value
  const title = field.of && resourceNamed(field.of).title
  const names = field.kind === 'image' ? ['id', 'url'] : ['id', 'slug', title]
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

/** Tells whether a record is still as it was: the same for the same writable fields. */
export function recordFingerprint(resource: Resource, record: Answer): string {
  const values = writableFields(resource).map(([name, field]) => comparableValue(name, field, record))
  return createHash('sha256')
    .update(JSON.stringify([record.status, values]))
    .digest('base64url')
    .slice(0, 22)
}

/** Whether what a record shows of a field is what one shows that was not given it. */
export const isBlank = (shown: unknown): boolean =>
  [null, '', false, 0].some(nothing => shown === nothing) || (Array.isArray(shown) && shown.length === 0)

/** Fields as a record shows them. */
const comparableValues = (resource: Resource, record: Answer, names: readonly string[]): Values =>
  Object.fromEntries(
    names.flatMap(name => {
      const field = resource.fields[name]
      return field && !field.queryOnly ? [[name, comparableValue(name, field, record)]] : []
    }),
  )

/**
 * The fields that a step asks for, and those that change with them, as it left them; where it brings a record, the others that
 * are not empty, too. Tells later whether somebody changed them since.
 */
export function valuesAfterStep(
  { action, resource, values }: Pick<Step, 'action' | 'resource' | 'values'>,
  record: Answer,
): Values {
  const of = resourceNamed(resource)
  const asked = Object.keys(values).flatMap(name => affected(of, name))
  if (action !== 'create' && action !== 'restore') return comparableValues(of, record, asked)
  const all = Object.entries(comparableValues(of, record, Object.keys(of.fields)))
  return Object.fromEntries(all.filter(([name, value]) => asked.includes(name) || !isBlank(value)))
}

/** The fields of a record as they have to be written to come back the same. */
export function writableValues(
  resource: Resource,
  record: Answer,
  names = writableFields(resource).map(([name]) => name),
): Values {
  const surviving = preservedFields(resource, record, {})
  const values = Object.entries(comparableValues(resource, record, names)).map(([name, value]): [string, unknown] => {
    if (name in surviving) return [name, surviving[name]]
    if (resource.fields[name]?.kind === 'integer') return [name, Number(value) || null]
    return [name, typeof value === 'string' ? decodeEntities(value) : value]
  })
  return Object.fromEntries(values.filter(([name, value]) => !isUnwritable(name, value)))
}

/** A draft has no slug and no moment of publication yet, and neither can be written. */
const isUnwritable = (name: string, value: unknown): boolean =>
  (name === 'slug' && value === '') || (typeof value === 'string' && value.startsWith('0000-'))
