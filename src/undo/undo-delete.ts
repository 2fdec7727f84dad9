import { resourceNamed } from '../contract/contract.ts'
import { writableValues } from '../contract/record.ts'
import { survivorOf } from '../plan/plan.ts'
import { stepLabel } from '../runs/result.ts'
import type { DoneStep, StepUndo, UndoContext } from './done-steps.ts'
import { undoKey, withReferences } from './undo-step.ts'

/**
 * Categories and tags have no trash: undoing a delete creates the term again, with a new ID. The events and child categories that
 * had it get it back in steps of their own (`relink.ts`).
 */
export function undoDelete({ step }: DoneStep, { returning }: UndoContext): StepUndo {
  const { before, resource: name, language } = step
  const survivor = survivorOf(step)
  if (!before) return { notes: [`cannot create ${stepLabel(step)} again: the journal does not have its fields`] }
  const resource = resourceNamed(name)
  const values = Object.entries(writableValues(resource, before)).filter(([, value]) => value !== '' && value !== null)
  return {
    step: {
      key: undoKey(step),
      action: 'create',
      resource: name,
      // Somebody may have created it again, or an earlier undo.
      match: resource.fields.parent ? [resource.title, 'parent'] : [resource.title],
      // What it was merged into has the same name, or nearly.
      ...(survivor !== undefined && { existing: [{ id: survivor }] }),
      ...(language && { language }),
      values: withReferences(resource, Object.fromEntries(values), returning),
    },
    notes: [`${stepLabel(step)} gets a new ID`],
  }
}
