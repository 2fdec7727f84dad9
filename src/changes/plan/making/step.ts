import type { Values } from '../../../client/client.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Answer, Resource } from '../../../contract/resource.ts'
import type { FileRecord } from '../../../files/records/file-record.ts'
import type { RemovalStep, RestoreStep, UpdateStep } from '../plan.ts'
import { trimRecord } from '../record-state.ts'

/** The record that a step writes. */
export interface StepTarget {
  readonly resource: Resource
  /** Set only if it differs from the language of the plan. */
  readonly language?: Language | undefined
  readonly key: string
  readonly record?: Pick<FileRecord, 'place' | 'translation' | 'copyOf'>
}

export const headOfStep = ({ resource, language, key, record }: StepTarget) => ({
  key,
  resource: resource.name,
  ...(language && { lang_code: language }),
  // A translation stands in the file at its record, unless that is to be created.
  ...(record && (!record.translation || record.copyOf) && { at: record.place }),
})

const existingRecord = (target: StepTarget, before: Answer) => ({
  ...headOfStep(target),
  id: before.id,
  before: trimRecord(target.resource, before),
  ...(typeof before.revision === 'string' && { revision: before.revision }),
})

export const updateStep = (target: StepTarget, before: Answer, values: Values): UpdateStep => ({
  action: 'update',
  ...existingRecord(target, before),
  values,
})

/** Trashes a record, or deletes it if its resource has no trash. */
export const removalStep = (target: StepTarget, before: Answer, values: Values = {}): RemovalStep => ({
  action: target.resource.trashable ? 'trash' : 'delete',
  ...existingRecord(target, before),
  values,
})

/** Restores a record from the trash, as a draft unless a status is given. */
export const restoreStep = (target: StepTarget, before: Answer, { status, ...values }: Values): RestoreStep => ({
  action: 'restore',
  ...existingRecord(target, before),
  values: { ...values, status: status === undefined || status === 'trash' ? 'draft' : status },
})
