import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { type Answer, type Resource, recordKey } from '../contract/resource.ts'
import type { Step, UpdateStep } from '../plan/plan.ts'
import { trimRecord } from '../plan/record-state.ts'
import type { DoneStep, UndoContext } from './done-steps.ts'

/** The key of the step that undoes another one. */
export const undoKey = ({ key }: Pick<Step, 'key'>): string => `undo ${key}`

/** The parts that the undo of any step has in common, given the current record. */
export function undoBase({ step, id }: DoneStep, current: Answer): Omit<UpdateStep, 'action' | 'values'> {
  const resource = resourceNamed(step.resource)
  return {
    key: undoKey(step),
    resource: step.resource,
    id,
    ...(step.language && { language: step.language }),
    before: trimRecord(resource, current),
  }
}

/** Values whose links to records that come back refer to the steps that create or restore those, or to their new IDs. */
export function withReferences(resource: Resource, values: Values, returning: UndoContext['returning']): Values {
  const referenceFor = (of: Field['of'], value: unknown) => {
    const current = of && typeof value === 'number' ? returning.get(recordKey(of, value)) : undefined
    return typeof current === 'string' ? { $ref: current } : (current ?? value)
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const of = resource.fields[name]?.of
      return [name, Array.isArray(value) ? value.map(one => referenceFor(of, one)) : referenceFor(of, value)]
    }),
  )
}
