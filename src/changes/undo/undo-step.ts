/**
 * The step that undoes another one. Input: a step that a run carried out, and the current records. Output: the step that reverts it, or
 * notes on why there is none. No step reverts later changes by others (`run/changed-since.ts`).
 */

import { conflict, type Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import { isUnpublished } from '../../contract/post-status.ts'
import { compared, comparedWith, storedValue, wasNeverPublished, writableValues } from '../../contract/record.ts'
import { type Answer, type Resource, recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { type Base, isApplied } from '../../contract/three-way-merge.ts'
import { type Recognition, recognize, strangerReason } from '../plan/identity.ts'
import { fieldList, fieldName, stepLabel } from '../plan/names.ts'
import type { Action, Step, UpdateStep } from '../plan/plan.ts'
import { trimRecord } from '../plan/record-state.ts'
import type { RecordLocation } from '../plan/site-reader.ts'
import { identityOf, isOnTrashed, survivorOf } from '../plan/steps.ts'
import { asLeftBy, fieldsChangedSince, type WrittenStep } from '../run/changed-since.ts'
import { isPasswordLost, keepPrivate, type LostPasswords } from './hidden-texts.ts'

/** A step of the run that is done, or that failed after a part of it was done. */
export interface DoneStep extends WrittenStep {
  readonly id: number
  /** The fields that it wrote but the journal does not keep: passwords. */
  readonly omitted: readonly string[]
  /** When the site had saved the record then, in UTC. */
  readonly modified?: string
}

/** The context in which steps are undone. */
export interface UndoContext {
  /** The current records of the steps, by `recordKey`. */
  readonly live: ReadonlyMap<string, Answer>
  readonly trashed: ReadonlyMap<string, Answer>
  /**
   * The records that come back, by `recordKey`: the keys of the steps of this undo that create or restore them, or the IDs that they got by
   * an earlier undo.
   */
  readonly returning: ReadonlyMap<string, string | number>
  /** The records of the run other than events, by `recordKey`: those that it created, trashed, restored or deleted. */
  readonly ownRecords: ReadonlySet<string>
  /** Whether the site can remove the slug and the date that a draft got when it was published. */
  readonly unpublishesWhole: boolean
  readonly passwords: LostPasswords
  /** For a redo: what the original run wrote with the step of a key. */
  firstValues?(key: string): Values
}

/** The step that undoes another one, absent if there is nothing to do, and notes on what is kept or cannot be undone. */
interface StepUndo {
  readonly step?: Step
  /** The record, if it is not the one of the run any more: it is left alone. */
  readonly stranger?: Stranger
  readonly notes?: readonly string[]
}

/** The undo of a step. A record that is not the one that the run left any more is named and left alone. */
export function undoOfStep(done: DoneStep, context: UndoContext): StepUndo {
  const { step, id } = done
  const key = recordKey(step.resource, id)
  const current = step.action === 'delete' ? undefined : (context.live.get(key) ?? context.trashed.get(key))
  const recognition = current ? recognitionOf(done, current, context.ownRecords) : 'same'
  if (recognition === 'same') return undoOf[step.action](done, context)
  return { stranger: strangerOf({ resource: step.resource, id }, recognition) }
}

/** Whether a record is still the one that a step left. */
export function recognitionOf(done: DoneStep, current: Answer, ownRecords?: ReadonlySet<string>): Recognition {
  const { step, after, values, modified } = done
  const left = asLeftBy(done, ownRecords)
  const compare: Base = (name, field) => {
    if (step.action === 'create' || name in after || name in values) return left(name, field, current)
    return step.before ? compared(name, field, [step.before, current]) : 'unknown'
  }
  return recognize({ resource: step.resource, compare, modified }, current)
}

const undoOf: Readonly<Record<Action, (done: DoneStep, context: UndoContext) => StepUndo>> = {
  create: undoCreate,
  update: undoUpdate,
  trash: undoTrash,
  // A restore took the record out of the trash: it is kept for the same reasons as a created one.
  restore: undoCreate,
  delete: undoDelete,
}

/** A record that has the ID of a record of the run, but is another one, or the same one from before the run. */
export interface Stranger extends Pick<DoneStep, 'id'> {
  readonly resource: ResourceName
  /** `event 12` */
  readonly record: string
  readonly reason: string
}

export const strangerNote = ({ record, reason }: Stranger): string =>
  phrase('left {record} alone: {reason}', { record, reason })

/** The failure of an undo that left records alone because they are not those of the run any more; undefined if there are none. */
export function strangersFailure(strangers: readonly Stranger[]): Failure | undefined {
  const [first] = strangers
  if (!first) return undefined
  const count = strangers.length
  const message =
    count > 1 ? phrase('left {count} records alone: {reason}', { count, reason: first.reason }) : strangerNote(first)
  const command = `calctl ${first.resource} get ${first.id}`
  return conflict(message, phrase('compare it with what the run wrote: {command}', { command }))
}

export function strangerOf({ resource, id }: Pick<Stranger, 'resource' | 'id'>, recognition: Recognition): Stranger {
  return { resource, id, record: namedRecord(resource, id), reason: strangerReason(recognition) }
}

/** The key of the step that undoes another one. */
export const undoKey = ({ key }: Pick<Step, 'key'>): string => `undo ${key}`

/** The update of a record for which the run had no step. */
export const updateOfOther = (
  { resource, id, language }: RecordLocation,
  record: Answer,
  values: Values,
): UpdateStep => ({
  key: `undo ${recordKey(resource, id)}`,
  action: 'update',
  resource,
  id,
  ...(language && { lang_code: language }),
  before: trimRecord(resourceNamed(resource), record),
  values,
})

/** What the undo of any step has, given the current record. */
function undoBase({ step, id }: DoneStep, current: Answer): Omit<UpdateStep, 'action' | 'values'> {
  const { resource, lang_code: language } = step
  const before = trimRecord(resourceNamed(resource), current)
  return { key: undoKey(step), resource, id, ...(language && { lang_code: language }), before }
}

/**
 * Undoing a create removes the record: events, venues and organizers go to the trash, categories and tags are deleted. It keeps
 * - a record in which somebody has changed any field after the run;
 * - a venue, organizer, category or tag to which something else refers by now: `keepStillReferenced` takes the step out of the plan.
 * A record that no longer exists needs nothing.
 */
function undoCreate(done: DoneStep, { live, ownRecords }: UndoContext): StepUndo {
  const { step, id, values } = done
  const current = live.get(recordKey(step.resource, id))
  if (!current) return {}
  const changed = fieldsChangedSince(done, current, ownRecords)
  if (changed.length > 0)
    return {
      notes: [
        phrase('kept {record}: {fields} changed after the run', {
          record: stepLabel(step),
          fields: fieldList(changed, step.resource),
        }),
      ],
    }
  const action = resourceNamed(step.resource).trashable ? 'trash' : 'delete'
  // These fields tell whether the record has been created again.
  const match = step.action === 'create' ? step.match : undefined
  const identity = match ? Object.fromEntries(match.map(name => [name, values[name]])) : identityOf(step)
  return { step: { ...undoBase(done, current), action, values: {}, ...(identity && { identity }) } }
}

/**
 * Categories and tags have no trash: undoing a delete creates the term again, with a new ID. The events and child categories that had it
 * get it back in separate steps (`deleted-terms.ts`).
 */
function undoDelete({ step }: DoneStep, { returning }: UndoContext): StepUndo {
  const { before, resource: name, lang_code: language } = step
  const survivor = survivorOf(step)
  const record = stepLabel(step)
  if (!before)
    return { notes: [phrase('cannot create {record} again: the journal does not have its fields', { record })] }
  const resource = resourceNamed(name)
  const values = Object.entries(writableValues(resource, before)).filter(([, value]) => value !== '' && value !== null)
  return {
    step: {
      key: undoKey(step),
      action: 'create',
      resource: name,
      // Somebody else, or an earlier undo, may have created it again.
      match: resource.fields.parent ? [resource.title, 'parent'] : [resource.title],
      // The remaining record of a merge has the same name, or a similar one.
      ...(survivor !== undefined && { existing: [{ id: survivor }] }),
      ...(language && { lang_code: language }),
      values: withReferences(resource, Object.fromEntries(values), returning),
    },
    notes: [phrase('{record} gets a new ID', { record })],
  }
}

/**
 * Undoing a trash restores the record with its earlier status, and with its links to records that the same undo brings back. A record that
 * somebody has restored since is kept as it is; one that was deleted permanently cannot be restored.
 */
function undoTrash(done: DoneStep, context: UndoContext): StepUndo {
  const { step, id } = done
  const key = recordKey(step.resource, id)
  if (context.live.has(key)) return {}
  const trashed = context.trashed.get(key)
  if (!trashed)
    return { notes: [phrase('cannot restore {record}: it was deleted permanently', { record: stepLabel(step) })] }
  const earlier = step.before ? restoredValues(resourceNamed(step.resource), step.before, trashed, context) : {}
  const { values, notes } = keepPrivate(step, trashed, earlier, context.passwords)
  const identity = identityOf(step)
  return { step: { ...undoBase(done, trashed), action: 'restore', values, ...(identity && { identity }) }, notes }
}

/**
 * The values to restore: the earlier status; the earlier publication date if the record has another one, because it was restored as a draft
 * in between; and, for fields that link to records which come back, those links together with the current ones.
 */
function restoredValues(resource: Resource, before: Answer, trashed: Answer, { returning }: UndoContext): Values {
  const { status, date } = before
  const values: Record<string, unknown> = {}
  if (status !== undefined) values.status = status
  if (status !== undefined && !isUnpublished(String(status)) && date !== trashed.date) values.date = date
  for (const [name, field] of Object.entries(resource.fields)) {
    const { kind, of } = field
    if (kind.shape !== 'links' || !of) continue
    const isReturning = (id: unknown) => returning.has(recordKey(of, Number(id)))
    const [ids, left] = [before, trashed].map(record => kind.canonical(record[name], field))
    if (![ids].flat().some(isReturning)) continue
    const isList = kind.isTerms && Array.isArray(ids)
    values[name] = isList ? ids.filter(id => isReturning(id) || [left].flat().includes(id)) : ids
  }
  return withReferences(resource, values, returning)
}

/**
 * The values, with links to records that come back replaced by references to the steps that create or restore them, or by their new IDs.
 */
function withReferences(resource: Resource, values: Values, returning: UndoContext['returning']): Values {
  const referenceFor = (of: Field['of'], value: unknown) => {
    const current = of && typeof value === 'number' ? returning.get(recordKey(of, value)) : undefined
    return typeof current === 'string' ? { $ref: current } : (current ?? value)
  }
  const written = Object.entries(values).map(([name, value]): [string, unknown] => {
    const of = resource.fields[name]?.of
    return [name, Array.isArray(value) ? value.map(one => referenceFor(of, one)) : referenceFor(of, value)]
  })
  return Object.fromEntries(written)
}

/**
 * Undoing an update writes the earlier values of the fields that the step changed. It keeps each field that somebody has changed after the
 * run, and the whole record if somebody has moved it to the trash. If the update itself moved it to the trash, a restore undoes it.
 */
function undoUpdate(done: DoneStep, context: UndoContext): StepUndo {
  const { step, id } = done
  const { before } = step
  const key = recordKey(step.resource, id)
  const record = stepLabel(step)
  const current = context.live.get(key) ?? context.trashed.get(key)
  if (!current) return { notes: [phrase('cannot undo the update of {record}: it was deleted permanently', { record })] }
  if (!before)
    return {
      notes: [phrase('cannot undo the update of {record}: the journal does not have its earlier fields', { record })],
    }
  const fields = fieldsToUndo(done, before, current, context)
  const secrets = undoSecrets(done, before, current, context)
  const earlierNotes = [...fields.notes, ...secrets.notes]
  if (fields.names.length === 0 && Object.keys(secrets.values).length === 0) return { notes: earlierNotes }
  if (current.status === 'trash' && !isOnTrashed(step) && !fields.names.includes('status'))
    return { notes: [phrase('kept {record}: it was moved to the trash after the run', { record })] }
  const resource = resourceNamed(step.resource)
  const earlier = {
    ...writableValues(resource, before, fields.names),
    ...dateTakenAway(before, fields.names, context),
    ...firstTexts(step, fields.names, context),
  }
  const wanted = { ...withReferences(resource, earlier, context.returning), ...secrets.values }
  const kept = keepPrivate(step, current, wanted, context.passwords)
  const notes = [...earlierNotes, ...kept.notes]
  if (Object.keys(kept.values).length === 0) return { notes }
  return { step: backTo(kept.values, done, current), notes }
}

/** The step that writes values to a record; a record in the trash is restored, unless the step to undo found it there. */
function backTo(values: Values, done: DoneStep, current: Answer): Step {
  const common = { ...undoBase(done, current), values }
  if (current.status !== 'trash') return { ...common, action: 'update' }
  return isOnTrashed(done.step)
    ? { ...common, action: 'update' as const, trashed: true as const }
    : { ...common, action: 'restore' as const }
}

const keptChanged = (name: string, { resource }: Step, record: string): string =>
  phrase('kept {field} of {record}: changed after the run', { field: fieldName(name, resource), record })

const keptUnshown = (name: string, { resource }: Step, record: string): string =>
  phrase('kept {field} of {record}: the site does not show it', { field: fieldName(name, resource), record })

/** Whether the step changed this field, and its value still differs from the earlier one. */
function isToUndo(
  name: string,
  field: Field | undefined,
  left: unknown,
  { before, current }: { readonly before: Answer; readonly current: Answer },
): field is Field {
  if (!field || field.queryOnly || field.secret) return false
  const isAsBefore = compared(name, field, [before, current]) === 'same'
  return !isAsBefore && comparedWith({ name, field, record: before }, left) === 'changed'
}

interface FieldsToUndo {
  readonly names: readonly string[]
  readonly notes: readonly string[]
}

/** The fields that a step changed and that are still as it left them, and notes on the others, which are kept. */
function fieldsToUndo(done: DoneStep, before: Answer, current: Answer, { unpublishesWhole, ownRecords }: UndoContext) {
  const { step, after, values } = done
  const record = stepLabel(step)
  const base = asLeftBy(done, ownRecords)
  const { fields } = resourceNamed(step.resource)
  const names: string[] = []
  const notes: string[] = []
  for (const [name, left] of Object.entries(Object.keys(after).length > 0 ? after : values)) {
    const field = fields[name]
    if (!isToUndo(name, field, left, { before, current })) continue
    const comparison = base(name, field, current)
    if (comparison === 'same') names.push(name)
    else notes.push(comparison === 'changed' ? keptChanged(name, step, record) : keptUnshown(name, step, record))
  }
  if (before.slug !== '' || !names.includes('slug')) return { names, notes }
  return withEmptySlug({ names, notes }, record, current, unpublishesWhole)
}

/** The values with an empty slug, if the record had none: only a draft can be without a slug. */
function withEmptySlug({ names, notes }: FieldsToUndo, record: string, current: Answer, unpublishesWhole: boolean) {
  const isUnpublishedAgain = names.includes('status') || isUnpublished(String(current.status))
  const kept = phrase('kept slug of {record}: the site cannot make it empty again', { record })
  return {
    names: unpublishesWhole && isUnpublishedAgain ? names : names.filter(name => name !== 'slug'),
    notes: unpublishesWhole ? notes : [kept, ...notes],
  }
}

/** Removes the publication date that a draft got when it was published, and that it would keep. */
function dateTakenAway(before: Answer, names: readonly string[], { unpublishesWhole }: UndoContext): Values {
  // The site publishes what an event uses without giving it a date.
  const hadNone = isUnpublished(String(before.status)) && wasNeverPublished(before)
  return unpublishesWhole && names.includes('status') && hadNone ? { date: null } : {}
}

/** For a redo: the texts that the original run wrote, if the site showed its undo only their rendered form. */
function firstTexts({ key, resource, before }: Step, names: readonly string[], { firstValues }: UndoContext): Values {
  const first = firstValues?.(key) ?? {}
  const texts = names.filter(name => {
    const field = resourceNamed(resource).fields[name]
    const { [name]: value } = first
    if (typeof value !== 'string' || !field || !before || storedValue(name, before) !== undefined) return false
    return isApplied(name, field, value, before)
  })
  return Object.fromEntries(texts.map(name => [name, first[name]]))
}

/** Removes a password if the record had none before. An earlier password is not in the journal, and neither is the one that was set. */
function undoSecrets({ step, omitted, after }: DoneStep, before: Answer, current: Answer, { passwords }: UndoContext) {
  const { fields } = resourceNamed(step.resource)
  const values: Record<string, string> = {}
  const notes: string[] = []
  if (passwords.given !== undefined && isPasswordLost(step, current, passwords)) return { values, notes }
  const names = [...omitted, ...Object.keys(step.values)].filter(name => fields[name]?.secret)
  for (const name of names) {
    const isFirst = storedValue(name, before) === ''
    const isSame = after.modified_utc !== undefined && after.modified_utc === current.modified_utc
    if (isFirst && isSame) values[name] = ''
    else if (!isFirst)
      notes.push(
        phrase('kept {field} of {record}: the journal does not have the earlier one', {
          field: fieldName(name, step.resource),
          record: stepLabel(step),
        }),
      )
    else if (storedValue(name, current) !== '') notes.push(keptChanged(name, step, stepLabel(step)))
  }
  return { values, notes }
}
