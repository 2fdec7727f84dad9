/**
 * What somebody changed in a record after a run wrote it: the base of an undo, and of taking back what was created twice. Input: a
 * step with what it left, from the journal or from the answer. Output: how a field compares with that.
 */
import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import { comparedWith, knownValue } from '../../contract/record.ts'
import { type Answer, type Resource, shownFields } from '../../contract/resource.ts'
import { type Base, isApplied } from '../../contract/three-way-merge.ts'
import { identityOf, type Step } from '../plan/plan.ts'

/** A step that was written. */
export interface WrittenStep {
  readonly step: Step
  /** The values that were written, with IDs instead of references. */
  readonly values: Values
  /** The fields that it wrote, and those that change with them, as the answer showed them; empty if the answer was lost. */
  readonly after: Values
}

/**
 * The fields of a record that somebody changed after the run created or restored it. `ownRecords` are those that the run created,
 * trashed, restored or deleted, by `recordKey`.
 */
export function fieldsChangedSince(done: WrittenStep, current: Answer, ownRecords?: ReadonlySet<string>): string[] {
  const resource = resourceNamed(done.step.resource)
  const base = asLeftBy(done, ownRecords)
  return shownFields(resource).flatMap(([name, field]) => (base(name, field, current) === 'changed' ? name : []))
}

/** The base that is a record as a step left it. Links to records of the run itself do not count: they go with the undo. */
export function asLeftBy(done: WrittenStep, ownRecords?: ReadonlySet<string>): Base {
  const { step, after, values } = done
  const isAnswerLost = Object.keys(after).length === 0
  return (name, field, current) => {
    if (name in values && !(name in after)) return isApplied(name, field, values[name], current) ? 'same' : 'changed'
    // A run that was killed may have given its record a slug that was taken when it created it, and not have written that down.
    const asked = name === 'slug' ? (identityOf(step) ?? values).slug : undefined
    if (asked !== undefined && isApplied(name, field, asked, current)) return 'same'
    // The service publishes a scheduled record when its moment has come.
    if (name === 'status' && after.status === 'future' && current.status === 'publish') return 'same'
    // Journals leave out what is blank; if the answer was lost, the field is taken to be as before.
    const left = isAnswerLost && step.before ? knownValue(name, field, step.before) : (after[name] ?? '')
    const comparison = comparedWith(name, field, left, current, ownRecords)
    return comparison === 'changed' && isServiceDefault(done, name, field) ? 'unknown' : comparison
  }
}

/**
 * Whether the value of a field that a step did not write comes from the service and is not known here: if the answer was lost, the
 * slug and every field of a kind that is never empty; for a draft, what publishing sets, such as its slug and date; for a hidden
 * event that was restored, the flags that are not in the stored record.
 */
function isServiceDefault({ step, after, values }: WrittenStep, name: string, field: Field): boolean {
  if (name in values) return false
  // A site gives every venue and organizer a slug: a journal without it is from a version that did not write slugs.
  if (field.site?.onlyBy === 'patch' && !(name in after)) return true
  if (step.before && !(name in step.before) && !(name in after)) return true
  if (Object.keys(after).length === 0) return name === 'slug' || (field.kind.isFilledIn === true && !field.of)
  const { status }: Resource['fields'] = resourceNamed(step.resource).fields
  return (after.status === 'draft' || after.status === 'pending') && (status?.affects ?? []).includes(name)
}
