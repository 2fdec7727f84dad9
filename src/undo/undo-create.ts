import { resourceNamed } from '../contract/contract.ts'
import { recordKey } from '../contract/resource.ts'
import { fieldName } from '../plan/describe.ts'
import { identityOf, type RemovalStep } from '../plan/plan.ts'
import { fieldsChangedSince } from '../runs/changes-since.ts'
import { stepLabel } from '../runs/result.ts'
import { listOf } from '../text/words.ts'
import type { DoneStep, StepUndo, UndoContext } from './done-steps.ts'
import { undoBase } from './undo-step.ts'

/**
 * Undoing a create removes the record: events, venues and organizers go to the trash, categories and tags are deleted. It keeps
 *
 * - a record that somebody changed after the run, whatever the field;
 * - a venue, organizer, category or tag that something else now refers to: `still-referenced.ts` removes the step from the plan.
 *
 * A record that is gone already needs nothing.
 */
export function undoCreate(done: DoneStep, context: UndoContext): StepUndo {
  const { step, id } = done
  const current = context.live.get(recordKey(step.resource, id))
  if (!current) return {}
  const changed = fieldsChangedSince(done, current, context.ownRecords)
  if (changed.length > 0)
    return { notes: [`kept ${stepLabel(step)}: ${listOf(changed.map(fieldName))} changed after the run`] }
  const action = resourceNamed(step.resource).trashable ? 'trash' : 'delete'
  return { step: { ...undoBase(done, current), action, values: {}, ...identityIn(done) } }
}

/** What tells whether the record of a create, or of the redo of one, has been created again. */
function identityIn({ step, values }: DoneStep): Pick<RemovalStep, 'identity'> {
  const match = step.action === 'create' ? step.match : undefined
  const identity = match ? Object.fromEntries(match.map(name => [name, values[name]])) : identityOf(step)
  return identity ? { identity } : {}
}

/** Undoing a restore moves the record to the trash again, and keeps it for the same reasons as undoing a create. */
export const undoRestore = (done: DoneStep, context: UndoContext): StepUndo => undoCreate(done, context)
