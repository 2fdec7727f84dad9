import type { Values } from '../../client/client.ts'
import type { Action, CreateStep, PatchStep, RestoreStep, Step, StepOnRecord, StepReference } from './plan.ts'

/** What a step does to its record: an update to the status `trash` is a removal, whatever made the plan. */
export const effectOf = ({ action, values }: Pick<Step, 'action' | 'values'>): Action =>
  action === 'update' && values.status === 'trash' ? 'trash' : action

/** Whether a step trashes or deletes its record. */
export const isRemoval = (step: Pick<Step, 'action' | 'values'>): boolean =>
  effectOf(step) === 'trash' || effectOf(step) === 'delete'

/** Whether the record of a step was read when the plan was built. */
export const isOnRecord = (step: Step): step is StepOnRecord => step.before !== undefined

/** Whether a step is an update that is sent without reading the record. */
export const isPatch = (step: Step): step is PatchStep => 'ref' in step

/** The ID of the record that replaces the one that a step removes, if that is a duplicate. */
export const survivorOf = (step: Step): number | undefined =>
  step.action === 'trash' || step.action === 'delete' ? step.into : undefined

/** Whether a step writes to a record in the trash: a restore, or an update of a record that stays there. */
export const isOnTrashed = (step: Step): boolean =>
  step.action === 'restore' || (step.action === 'update' && step.before !== undefined && step.trashed === true)

/** The fields, as requested, that tell whether somebody has created the record of a step again. */
export const identityOf = (step: Step): Values | undefined =>
  step.action === 'create' || step.action === 'update' ? undefined : step.identity

/** Whether a step must not be sent if somebody else has created its record: a create, or a restore in a redo of one. */
export const isOnlyIfNew = (step: Step): step is CreateStep | RestoreStep =>
  step.action === 'create' ? step.match !== undefined : step.action === 'restore' && step.identity !== undefined

/** Adds the keys of the steps to which a value refers. */
export function addReferencedKeys(value: unknown, keys: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  if (isReference(value)) keys.add(value.$ref)
  else for (const name in value) addReferencedKeys((value as Values)[name], keys)
}

/** The keys of the steps that must be applied before this one. */
export function dependenciesOf(step: Step): string[] {
  const keys = new Set<string>()
  addReferencedKeys(step.values, keys)
  return [...keys]
}

/** The value with IDs instead of references. */
export function resolveReferences(value: unknown, idOf: (key: string) => unknown): unknown {
  if (Array.isArray(value)) return withoutRepeats(value.map(item => resolveReferences(item, idOf)))
  if (typeof value !== 'object' || value === null) return value
  if (isReference(value)) return idOf(value.$ref)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveReferences(item, idOf)]))
}

/** Links without repeats: a record may be linked by its ID, and by a reference that resolves to it. */
const withoutRepeats = (items: readonly unknown[]): unknown[] =>
  items.filter((item, index) => typeof item !== 'number' || items.indexOf(item) === index)

const isReference = (value: object): value is StepReference => '$ref' in value && typeof value.$ref === 'string'
