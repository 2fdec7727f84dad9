import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import { comparedWith, knownValue } from '../../contract/record.ts'
import { type Answer, type Resource, shownFields } from '../../contract/resource.ts'
import { type Base, isApplied } from '../../contract/three-way-merge.ts'
import type { Step } from '../plan/plan.ts'
import { identityOf } from '../plan/steps.ts'

/**
 * What somebody has changed in a record after a run wrote it, which decides what an undo reverts and what a run takes back. Input: a step
 * with the values that it left, from the journal or the answer. Output: how a field compares with them.
 */

/** A step that was carried out. */
export interface WrittenStep {
  readonly step: Step
  /** The values that were written, with IDs instead of references. */
  readonly values: Values
  /** The fields that it wrote, and those that change along with them, as the answer showed them; empty if the answer was lost. */
  readonly after: Values
}

/**
 * The fields of a record that somebody has changed after the run created or restored it. `ownRecords` are the records that the run created,
 * trashed, restored or deleted, by `recordKey`.
 */
export function fieldsChangedSince(done: WrittenStep, current: Answer, ownRecords?: ReadonlySet<string>): string[] {
  const resource = resourceNamed(done.step.resource)
  const base = asLeftBy(done, ownRecords)
  return shownFields(resource).flatMap(([name, field]) => (base(name, field, current) === 'changed' ? name : []))
}

/** The record as the step left it, for comparing. Links to records of the run itself do not count, because the undo removes them. */
export function asLeftBy(done: WrittenStep, ownRecords?: ReadonlySet<string>): Base {
  const { step, after, values } = done
  const isAnswerLost = Object.keys(after).length === 0
  // A run that was killed may have changed the slug of a new record that was taken, and not have written that down.
  const askedSlug = (identityOf(step) ?? values).slug
  /** Whether a value is what was asked for, where the answer does not show that, or what the service makes of it. */
  const isExpected = (name: string, field: Field, current: Answer): boolean => {
    if (name === 'slug') return askedSlug !== undefined && isApplied(name, field, askedSlug, current)
    // The answer to a write does not show a cost as the site does, because its currency is stored beside it.
    if (field.kind.beside && name in values) return isApplied(name, field, values[name], current)
    // The service publishes a scheduled record when its time comes.
    return name === 'status' && after.status === 'future' && current.status === 'publish'
  }
  return (name, field, current) => {
    if (name in values && !(name in after)) return isApplied(name, field, values[name], current) ? 'same' : 'changed'
    if (isExpected(name, field, current)) return 'same'
    // Journals leave out blank values; if the answer was lost, the field counts as unchanged.
    const left = isAnswerLost && step.before ? knownValue(name, field, step.before) : (after[name] ?? '')
    const comparison = comparedWith({ name, field, record: current }, left, ownRecords)
    return comparison === 'changed' && isServiceDefault(done, name, field) ? 'unknown' : comparison
  }
}

/**
 * Whether the value of a field that a step did not write comes from the service and is not known here: if the answer was lost, the slug and
 * every field that is never empty; for a draft, what publishing sets, such as slug and date; for a hidden event that was restored, the
 * flags that are not in the stored record.
 */
function isServiceDefault({ step, after, values }: WrittenStep, name: string, field: Field): boolean {
  if (name in values) return false
  // A site gives every venue and organizer a slug: a journal without one is from a version that did not write slugs.
  if (field.site?.onlyBy === 'patch' && !(name in after)) return true
  if (step.before && !(name in step.before) && !(name in after)) return true
  if (Object.keys(after).length === 0) return name === 'slug' || (field.kind.isFilledIn === true && !field.of)
  const { status }: Resource['fields'] = resourceNamed(step.resource).fields
  return (after.status === 'draft' || after.status === 'pending') && (status?.affects ?? []).includes(name)
}
