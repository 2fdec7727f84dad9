import type { Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Field } from '../contract/field.ts'
import { equal } from '../contract/kinds/kind-values.ts'
import { isUnpublished } from '../contract/post-status.ts'
import { compared, knownValue, writableValues } from '../contract/record.ts'
import { type Answer, type Resource, recordKey } from '../contract/resource.ts'
import { isApplied } from '../contract/three-way-merge.ts'
import { fieldName } from '../plan/describe.ts'
import { isOnTrashed } from '../plan/plan.ts'
import { asLeftBy } from '../runs/changes-since.ts'
import { stepLabel } from '../runs/result.ts'
import type { DoneStep, StepUndo, UndoContext } from './done-steps.ts'
import { isPasswordLost, keepPrivate } from './dropped-passwords.ts'
import { undoBase, withReferences } from './undo-step.ts'

/**
 * Undoing an update writes the earlier values of the fields that the step changed. It keeps each field that somebody changed after
 * the run, and the whole record if somebody moved it to the trash. An update that moved it to the trash itself is undone by a
 * restore.
 */
export function undoUpdate(done: DoneStep, context: UndoContext): StepUndo {
  const { step, id } = done
  const { before } = step
  const { emptiesSlugs } = context
  const key = recordKey(step.resource, id)
  const current = context.live.get(key) ?? context.trashed.get(key)
  if (!current) return { notes: [`cannot undo the update of ${stepLabel(step)}: it was deleted permanently`] }
  if (!before)
    return { notes: [`cannot undo the update of ${stepLabel(step)}: the journal does not have its earlier fields`] }
  const resource = resourceNamed(step.resource)
  const valueIn = (record: Answer, name: string) => {
    const field = resource.fields[name]
    return field && knownValue(name, field, record)
  }
  const isSame = (name: string) => {
    const field = resource.fields[name]
    return !field || field.queryOnly || field.secret || compared(name, field, [before, current]) === 'same'
  }
  const after = Object.keys(done.after).length > 0 ? done.after : done.values
  const changedByStep = Object.keys(after).filter(name => !equal(valueIn(before, name), after[name]))
  const toWrite = changedByStep.filter(name => !isSame(name))
  const base = asLeftBy(done, context.ownRecords)
  const own = toWrite.filter(name => base(name, resource.fields[name] as Field, current) === 'same')
  // Only a draft can be without a slug.
  const losesSlug = before.slug === '' && own.includes('slug')
  const isUnpublishedAgain = own.includes('status') || isUnpublished(String(current.status))
  const keepsSlug = losesSlug && !(emptiesSlugs && isUnpublishedAgain)
  const unchanged = keepsSlug ? own.filter(name => name !== 'slug') : own
  const secrets = undoSecrets(done, before, current, context)
  const notes = [
    ...(losesSlug && !emptiesSlugs ? [`kept slug of ${stepLabel(step)}: the site cannot make it empty again`] : []),
    ...secrets.notes,
    ...toWrite
      .filter(name => !own.includes(name))
      .map(name => `kept ${fieldName(name)} of ${stepLabel(step)}: changed after the run`),
  ]
  if (unchanged.length === 0 && Object.keys(secrets.values).length === 0) return { notes }
  const isTrashed = current.status === 'trash'
  const staysInTrash = isTrashed && isOnTrashed(step)
  if (isTrashed && !staysInTrash && !unchanged.includes('status'))
    return { notes: [`kept ${stepLabel(step)}: it was moved to the trash after the run`] }
  const earlier = { ...writableValues(resource, before, unchanged), ...firstTexts(resource, done, unchanged, context) }
  const wanted = { ...withReferences(resource, earlier, context.returning), ...secrets.values }
  const { values, notes: keptNotes } = keepPrivate(step, current, wanted, context.passwords)
  notes.push(...keptNotes)
  if (Object.keys(values).length === 0) return { notes }
  const common = undoBase(done, current)
  if (staysInTrash) return { step: { ...common, action: 'update', trashed: true, values }, notes }
  return { step: { ...common, action: isTrashed ? 'restore' : 'update', values }, notes }
}

/** Texts that the run which had been undone wrote, where the site showed that undo only how they look. */
function firstTexts(
  { fields }: Resource,
  { step: { key, before } }: DoneStep,
  names: readonly string[],
  { firstValues }: UndoContext,
): Values {
  const first = firstValues?.(key) ?? {}
  const isHidden = (name: string) => before !== undefined && before.raw?.[name] === undefined
  const texts = names.flatMap((name): [string, unknown][] => {
    const field = fields[name]
    const value = first[name]
    const isFirst =
      typeof value === 'string' && isHidden(name) && field && before && isApplied(name, field, value, before)
    return isFirst ? [[name, value]] : []
  })
  return Object.fromEntries(texts)
}

/** The first password of a record is taken off. An earlier one is not in the journal, and neither is the one that was set. */
function undoSecrets({ step, omitted, after }: DoneStep, before: Answer, current: Answer, { passwords }: UndoContext) {
  const { fields } = resourceNamed(step.resource)
  const values: Record<string, string> = {}
  const notes: string[] = []
  if (passwords.given !== undefined && isPasswordLost(step, current, passwords)) return { values, notes }
  const names = [...omitted, ...Object.keys(step.values)].filter(name => fields[name]?.secret)
  for (const name of names) {
    const isFirst = before.raw?.[name] === ''
    const isSame = after.modified_utc !== undefined && after.modified_utc === current.modified_utc
    if (isFirst && isSame) values[name] = ''
    else if (!isFirst || current.raw?.[name] !== '') {
      const reason = isFirst ? 'changed after the run' : 'the journal does not have the earlier one'
      notes.push(`kept ${fieldName(name)} of ${stepLabel(step)}: ${reason}`)
    }
  }
  return { values, notes }
}
