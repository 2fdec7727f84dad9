import type { Values } from '../client/client.ts'
import { comparableValue, renderedValue, wasApplied, withoutPageNumbers } from '../client/compare.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { equal } from '../contract/kinds/kind-values.ts'
import { type Answer, recordKey } from '../contract/resource.ts'
import { roundTrip } from '../contract/round-trip.ts'
import { identityOf, type Step } from '../plan/plan.ts'
import { isBlank } from '../plan/record-state.ts'

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
export const fieldsChangedSince = (done: WrittenStep, current: Answer, ownRecords?: ReadonlySet<string>): string[] =>
  Object.keys(resourceNamed(done.step.resource).fields).filter(
    name => !isUnchanged(done, name, current, ownRecords) && !isServiceDefault(done, name),
  )

/** The fields after a step; if its answer was lost, the fields that it wrote. */
export const knownValuesAfter = ({ after, values }: WrittenStep): Values =>
  Object.keys(after).length > 0 ? after : values

/** Whether a field still is as the step left it. Links to records of the run itself are not compared: they go with the undo. */
export function isUnchanged(
  done: WrittenStep,
  name: string,
  current: Answer,
  ownRecords: ReadonlySet<string> = new Set(),
): boolean {
  const { step, after, values } = done
  const field = resourceNamed(step.resource).fields[name]
  if (!field || field.queryOnly || field.secret) return true
  if (name in values && !(name in after)) return wasApplied(name, field, values[name], current)
  // A run that was killed may have given its record a slug that was taken when it created it, and not have written that down.
  const asked = name === 'slug' ? (identityOf(step) ?? values).slug : undefined
  if (asked !== undefined && wasApplied(name, field, asked, current)) return true
  const now = comparableValue(name, field, current)
  // The service publishes a scheduled record when its moment has come.
  if (name === 'status' && after.status === 'future' && now === 'publish') return true
  const isStored = current.raw?.[name] !== undefined
  // A journal has texts as they were stored where the site showed that, and otherwise as they were rendered.
  const [then, since, shown] = [valueAfter(done, name, field), now, renderedValue(name, field, current)].map(value =>
    withoutOwnLinks(field, isStored ? value : withoutPageNumbers(value), ownRecords),
  )
  // The site shows a cost of 0 as a word, and adds its currency to others.
  const written = roundTrip(name, field, current)
  return equal(then, since) || equal(then, shown) || equal(then, written) || (isBlank(then) && isBlank(since))
}

/** A field after a step. Journals leave out what is blank; if the answer was lost, the field is taken to be as before. */
function valueAfter({ step: { before }, after }: WrittenStep, name: string, field: Field): unknown {
  const isAnswerLost = Object.keys(after).length === 0
  return isAnswerLost && before ? comparableValue(name, field, before) : (after[name] ?? '')
}

/**
 * Whether the value of a field that a step did not write comes from the service and is not known here: if the answer was lost, the
 * slug and every field of a kind that is never empty; for a draft, what publishing sets, such as its slug and date; for a hidden
 * event that was restored, the flags that `wp/v2` does not show.
 */
function isServiceDefault({ step, after, values }: WrittenStep, name: string): boolean {
  const { fields } = resourceNamed(step.resource)
  const field = fields[name]
  if (!field || name in values) return false
  // A site gives every venue and organizer a slug: a journal without it is from a version that did not write slugs.
  if (field.patchOnly && !(name in after)) return true
  if (step.before && !(name in step.before) && !(name in after)) return true
  if (Object.keys(after).length === 0) return name === 'slug' || (field.kind.isFilledIn === true && !field.of)
  return (after.status === 'draft' || after.status === 'pending') && (fields.status?.affects ?? []).includes(name)
}

function withoutOwnLinks({ of, multiple }: Field, value: unknown, ownRecords: ReadonlySet<string>): unknown {
  if (!of) return value
  const links = [value].flat().filter(id => typeof id === 'number' && id > 0 && !ownRecords.has(recordKey(of, id)))
  return multiple === false ? (links[0] ?? null) : links
}
