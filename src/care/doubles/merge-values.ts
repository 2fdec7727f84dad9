import { phoneDigits } from '../../base/text/contact-details.ts'
import { foldText } from '../../base/text/similarity.ts'
import type { Values } from '../../client/client.ts'
import type { Field } from '../../contract/field.ts'
import { equal } from '../../contract/kinds/kind-values.ts'
import { comparableValues, isEmptyIn, writableValues } from '../../contract/record.ts'
import { type Answer, type Resource, shownFields } from '../../contract/resource.ts'

/** The fields that a survivor takes over, each with the ID of the duplicate that it is from. */
export type FieldSources = Readonly<Record<string, number>>

/** What names a record is its own: a slug is part of its address. */
const isOwn = ({ title }: Resource, name: string): boolean => name === title || name === 'slug'

/** The fields that a record can take over from its duplicate. Flags, dates and the like always have a value, which is its own. */
export function mergeableFields(resource: Resource): readonly [string, Field][] {
  const known = mergeable.get(resource)
  if (known) return known
  const fields = shownFields(resource).filter(([name, { kind }]) => !kind.isFilledIn && !isOwn(resource, name))
  mergeable.set(resource, fields)
  return fields
}

const mergeable = new WeakMap<Resource, readonly [string, Field][]>()

/** The fields in which the survivor has nothing and one of the others has something. */
export function missingFields(resource: Resource, survivor: Answer, others: readonly Answer[]): FieldSources {
  const sources: Record<string, number> = {}
  for (const [name, field] of mergeableFields(resource)) {
    // A state beside a province of its own would be a mixture.
    const related = (field.affects ?? []).filter(one => one in resource.fields)
    const isMixed = related.some(one => one in sources || !isEmptyIn(one, resource.fields[one] as Field, survivor))
    if (isMixed || !isEmptyIn(name, field, survivor)) continue
    const duplicate = others.find(other => !isEmptyIn(name, field, other))
    if (duplicate) sources[name] = duplicate.id
  }
  return sources
}

/** The values that a survivor takes over, in the form in which they are written. */
export function valuesFromSources(resource: Resource, others: readonly Answer[], sources: FieldSources): Values {
  const values: Record<string, unknown> = {}
  for (const [name, id] of Object.entries(sources)) {
    const duplicate = others.find(other => other.id === id)
    if (duplicate) Object.assign(values, writableValues(resource, duplicate, [name]))
  }
  return values
}

/** The fields of which two records both have a value, and not the same one in another spelling. */
export const differingFields = (resource: Resource, one: Answer, other: Answer): string[] =>
  mergeableFields(resource)
    .filter(([name, field]) => !isEmptyIn(name, field, one) && !isEmptyIn(name, field, other))
    .filter(([name, field]) => {
      const values = comparableValues(name, field, [one, other])
      const [text, otherText] = values.map(value => (name === 'phone' ? phoneDigits(String(value)) : folded(value)))
      return !equal(text, otherText)
    })
    .map(([name]) => name)

const folded = (value: unknown): unknown => (typeof value === 'string' ? foldText(value) : value)

/** Records with the one first that should stay: the preferred one, or of several the oldest. */
export const preferredFirst = (resource: Resource, records: readonly Answer[]): Answer[] =>
  records.toSorted((one, other) => preferenceOf(resource, other) - preferenceOf(resource, one) || one.id - other.id)

/** More than any record has fields. */
const ofPublic = 1000

/** How much speaks for keeping a record of several: that the public sees it, then how many of its fields have a value. */
export function preferenceOf(resource: Resource, record: Answer): number {
  const filled = mergeableFields(resource).filter(([name, field]) => !isEmptyIn(name, field, record)).length
  return filled + (record.status === undefined || record.status === 'publish' ? ofPublic : 0)
}
