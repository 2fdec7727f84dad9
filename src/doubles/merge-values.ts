import type { Values } from '../client/client.ts'
import { comparableValues, equal, isEmptyIn } from '../client/compare.ts'
import type { Field, Kind } from '../contract/field.ts'
import { type Answer, type Resource, shownFields } from '../contract/resource.ts'
import { writableValues } from '../plan/record-state.ts'

/** Kinds of which a record can have none. Flags, dates and the like always have a value, which is the survivor's own. */
const fillable: ReadonlySet<Kind> = new Set(['text', 'url', 'email', 'image', 'cost', 'terms', 'posts'])

/** What names a record is its own: a slug is part of its address. */
const isOwn = ({ title }: Resource, name: string): boolean => name === title || name === 'slug'

/** The fields that a record can take over from its double. */
export const mergeableFields = (resource: Resource): [string, Field][] =>
  shownFields(resource).filter(([name, { kind }]) => fillable.has(kind) && !isOwn(resource, name))

/** The fields in which the survivor has nothing and one of the others has something, in the form in which they are written. */
export function missingValues(resource: Resource, survivor: Answer, others: readonly Answer[]): Values {
  const values: Record<string, unknown> = {}
  for (const [name, field] of mergeableFields(resource)) {
    // A state beside a province of its own would be a mixture.
    const related = (field.affects ?? []).filter(one => one in resource.fields)
    const isTaken = related.some(one => one in values || !isEmptyIn(one, resource.fields[one] as Field, survivor))
    if (isTaken || !isEmptyIn(name, field, survivor)) continue
    const source = others.find(other => !isEmptyIn(name, field, other))
    if (source) Object.assign(values, writableValues(resource, source, [name]))
  }
  return values
}

/** The fields of which two records both have a value, and not the same one. */
export const differingFields = (resource: Resource, one: Answer, other: Answer): string[] =>
  mergeableFields(resource)
    .filter(([name, field]) => !isEmptyIn(name, field, one) && !isEmptyIn(name, field, other))
    .filter(([name, field]) => !equal(...comparableValues(name, field, one, other)))
    .map(([name]) => name)
