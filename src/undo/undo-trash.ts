import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { isUnpublished } from '../contract/post-status.ts'
import { type Answer, recordKey } from '../contract/resource.ts'
import { identityOf, type Step } from '../plan/plan.ts'
import { stepLabel } from '../runs/result.ts'
import type { DoneStep, StepUndo, UndoContext } from './done-steps.ts'
import { keepPrivate } from './dropped-passwords.ts'
import { undoBase, withReferences } from './undo-step.ts'

/**
 * Undoing a trash restores the record with its earlier status, and with its links to records that come back with the same undo. A
 * record that somebody restored after the run is kept as it is; one that was deleted permanently cannot be restored.
 */
export function undoTrash(done: DoneStep, context: UndoContext): StepUndo {
  const { step, id } = done
  const key = recordKey(step.resource, id)
  if (context.live.has(key)) return {}
  const trashed = context.trashed.get(key)
  if (!trashed) return { notes: [`cannot restore ${stepLabel(step)}: it was deleted permanently`] }
  const earlier = restoredValues(step, trashed, context)
  const { values, notes } = keepPrivate(step, trashed, earlier, context.passwords)
  const identity = identityOf(step)
  return {
    step: { ...undoBase(done, trashed), action: 'restore', values, ...(identity && { identity }) },
    notes,
  }
}

/**
 * The earlier status, the earlier date of publication where a restore as a draft in between has given the record another one, and for
 * fields with links to records that come back, these with what the record still has.
 */
function restoredValues({ resource: name, before }: Step, trashed: Answer, { returning }: UndoContext): Values {
  if (!before) return {}
  const resource = resourceNamed(name)
  const links = Object.entries(resource.fields).flatMap(([field, description]): [string, unknown][] => {
    const { kind, of } = description
    if (kind.shape !== 'links' || !of) return []
    const isReturning = (id: unknown) => returning.has(recordKey(of, Number(id)))
    const ids = description.kind.canonical(before[field], description)
    if (![ids].flat().some(isReturning)) return []
    if (!kind.isTerms || !Array.isArray(ids)) return [[field, ids]]
    const left = [description.kind.canonical(trashed[field], description)].flat()
    return [[field, ids.filter(id => isReturning(id) || left.includes(id))]]
  })
  const { status, date } = before
  const isDated = status !== undefined && !isUnpublished(String(status))
  return {
    ...(status !== undefined && { status }),
    ...(isDated && date !== trashed.date && { date }),
    ...withReferences(resource, Object.fromEntries(links), returning),
  }
}
