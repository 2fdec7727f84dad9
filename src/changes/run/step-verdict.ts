import { conflict, Failure } from '../../base/failure.ts'
import { grouped } from '../../base/groups.ts'
import { memoizeByObject } from '../../base/memoize.ts'
import { phrase } from '../../base/words/phrase.ts'
import { storedByIds } from '../../client/adapters/shown-stored-records.ts'
import type { Client, Values } from '../../client/client.ts'
import { withKnownImage, withUploadedImage } from '../../client/images/image-sources.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import {
  compared,
  comparedWith,
  type Differences,
  differences,
  storedValues,
  withStored,
} from '../../contract/record.ts'
import { type Answer, type Resource, recordKey } from '../../contract/resource.ts'
import { baseFrom, threeWayMerge } from '../../contract/three-way-merge.ts'
import { type Recognition, recognize, strangerReason } from '../plan/identity.ts'
import { fieldList, stepLabel } from '../plan/names.ts'
import type { Plan, Step, StepOnRecord, UpdateStep } from '../plan/plan.ts'
import { isComparedByRevision, revisionOf, trimRecord } from '../plan/record-state.ts'
import { locationOf, type RecordLocation, SiteReader } from '../plan/site-reader.ts'
import { isOnlyIfNew, isOnRecord, isOnTrashed, isRemoval, resolveReferences } from '../plan/steps.ts'
import { createdMeanwhile, findExisting } from './existing-records.ts'
import type { EarlierSessions, StepResult } from './result.ts'

/**
 * Whether somebody else has changed, moved or created the records of steps since the plan was made. Input: the steps that are about to be
 * sent. Output: how to send each, or its result with what has changed.
 */

/** The outcome of a check: how to send the step, or its result if it must not be sent. */
export type StepVerdict = { readonly step: Step } | { readonly result: StepResult }

export interface CheckContext extends Pick<EarlierSessions, 'wasSent' | 'writtenIds'> {
  readonly client: Client
  /** In ms. */
  now(): number
  readonly signal: AbortSignal | undefined
  /** When the records of the plan were read, in ms; undefined if nobody knows. */
  readonly readAt: number | undefined
  /** Whether the plan was approved as it was saved. */
  readonly isSaved: boolean
  /** The records that the run created, by `recordKey`; grows while steps are sent. */
  readonly ownRecords: ReadonlySet<string>
}

/** Records as a check has read them, and when. */
export interface StepReading {
  readonly at: number
  /** By `recordKey`: where a step expects the record or, for a restore that was sent before, outside of the trash. */
  readonly current: ReadonlyMap<string, Answer>
  /** The steps whose stored records have not changed, by key. */
  readonly unchanged: ReadonlySet<string>
  /** The records that would exist twice after a create, or after a restore in a redo, by the key of the step. */
  readonly existing: ReadonlyMap<string, readonly Answer[]>
}

export async function readTogether(steps: readonly Step[], context: CheckContext): Promise<StepReading> {
  const { client, now, wasSent, writtenIds } = context
  const at = now()
  const reader = new SiteReader(client)
  const unchanged = await unchangedSteps(client, steps.filter(isComparedByRevision))
  const changes = steps.filter(isOnRecord).filter(({ key }) => !unchanged.has(key))
  const current = new Map(await reader.readCurrent(changes.map(placeOf)))
  const restored = changes.filter(step => step.action === 'restore' && wasSent(step) && !current.has(keyOf(step)))
  for (const [key, record] of await reader.readCurrent(restored.map(step => locationOf(step, step.id))))
    current.set(key, record)
  // A text that looks the same may be stored differently, and an update would send back the old one.
  const known = ({ before }: StepOnRecord) => ({ names: Object.keys(storedValues(before)) })
  await reader.addStoredForms(
    changes.map(step => ({ ...locationOf(step, step.id), ...known(step) })),
    current,
  )
  const existing = await findExisting(client, steps.filter(isOnlyIfNew), key => writtenIds.get(key))
  return { at, current, unchanged, existing }
}

const keyOf = ({ resource, id }: StepOnRecord): string => recordKey(resource, id)

/** Where the record of a step should be: in the trash for a restore, and for an update of a record that stays there. */
const placeOf = (step: StepOnRecord): RecordLocation => ({ ...locationOf(step, step.id), trashed: isOnTrashed(step) })

/** The result of a step whose record somebody else has created; undefined if nobody has. */
export function resultOfDouble(
  step: Step,
  { existing }: StepReading,
  { ownRecords, writtenIds }: CheckContext,
): StepResult | undefined {
  const isOwn = (id: number) => id === step.id || ownRecords.has(recordKey(step.resource, id))
  const others = (existing.get(step.key) ?? []).filter(({ id }) => !isOwn(id))
  if (others.length === 0) return undefined
  return createdMeanwhile(step, resolveReferences(step.values, key => writtenIds.get(key)) as Values, others)
}

/** How to send a step after its record was read again. */
export async function judge(
  step: StepOnRecord,
  { current: records }: StepReading,
  removed: ReadonlySet<string>,
  context: CheckContext,
): Promise<StepVerdict> {
  const { client, wasSent, writtenIds } = context
  const { id, before } = step
  const current = records.get(keyOf(step))
  // A site may not show a hidden event in its trash, neither alone nor in lists.
  if (!current && step.action === 'restore' && before.hide_from_listings === true) return { step }
  // A list of the trash may be incomplete: a restore counts as done only if its record was found outside of the trash.
  if (!current && wasSent(step) && isRemoval(step)) return { result: { state: 'done', id } }
  // Somebody else has done what the step was to do, and an undo must not revert that.
  if (!current && isRemoval(step)) return { result: { state: 'done', id, doneByOthers: true } }
  if (!current) return { result: { state: 'failed', failure: movedFailure(client, step) } }
  const resource = resourceNamed(step.resource)
  const mine = resolveReferences(step.values, key => writtenIds.get(key)) as Values
  // A step that was sent may have written all by which its record was known.
  const isWritten = (name: string, field: Field) =>
    wasSent(step) && comparedWith({ name, field, record: current }, mine[name]) === 'same'
  const recognition = recognize(
    {
      resource: step.resource,
      compare: (name, field) => (isWritten(name, field) ? 'same' : compared(name, field, [before, current])),
      modified: before.modified_utc,
    },
    current,
  )
  if (recognition !== 'same') return { result: { state: 'failed', failure: strangerFailure(step, recognition) } }
  const known = await withUploadedImage(client, await withKnownImage(client, current, mine))
  const { changed, conflicts } = threeWayMerge(resource, {
    base: baseFrom(before, removed),
    mine: known,
    theirs: current,
  })
  // A step that removes its record also removes changes to any of its fields; who approved a plan has not seen them.
  const opposing = isRemoval(step) || context.isSaved ? changed : conflicts
  if (opposing.length === 0) return { step: { ...step, before: rebased(resource, before, current, changed) } }
  const drift = differences(resource, before, current, removed)
  return { result: { state: 'failed', failure: changedFailure(step, drift, opposing) } }
}

/** The step's record replaced by the current one. Stored texts, which lists do not show, are kept if nobody has changed them. */
function rebased(resource: Resource, before: Answer, current: Answer, changed: readonly string[]): Answer {
  const record = trimRecord(resource, current)
  const kept = Object.entries(storedValues(before)).filter(([name]) => !changed.includes(name))
  return withStored(record, { ...Object.fromEntries(kept), ...storedValues(record) })
}

/** The steps whose stored records have not changed, by key. The others may or may not have changed. */
async function unchangedSteps(client: Client, steps: readonly UpdateStep[]): Promise<Set<string>> {
  const unchanged = new Set<string>()
  for (const group of grouped(steps, ({ resource, lang_code: language }) => `${resource} ${language}`).values()) {
    const [{ resource: name, lang_code: language } = {}] = group
    if (!name) continue
    const resource = resourceNamed(name)
    const ids = group.map(({ id }) => id)
    const rows = await storedByIds(client, { resource, language }, ids)
    for (const { key, id, revision } of group) {
      const row = rows?.get(id)
      if (row && revisionOf(resource, row) === revision) unchanged.add(key)
    }
  }
  return unchanged
}

/** The terms and places that a plan removes, by `recordKey`; the records that link to them change along with them. */
export const removedRecords = memoizeByObject(({ steps }: Plan): ReadonlySet<string> => {
  const removed = new Set<string>()
  for (const step of steps)
    if (isOnRecord(step) && step.resource !== 'events' && isRemoval(step))
      removed.add(recordKey(step.resource, step.id))
  return removed
})

/**
 * Reads the record of a removal before the removal is sent again. Throws `conflict` if somebody has changed, moved or restored it since:
 * that it was restored unchanged shows in the time at which it was last saved.
 */
export async function checkRemovalAgain(client: Client, plan: Plan, step: Step): Promise<void> {
  if (!isOnRecord(step)) return
  const { id, before, resource } = step
  const current = (await new SiteReader(client).readCurrent([locationOf(step, id)])).get(recordKey(resource, id))
  if (!current) throw movedFailure(client, step)
  const changed = differences(resourceNamed(resource), before, current, removedRecords(plan))
  if (Object.keys(changed).length > 0) throw changedFailure(step, changed, Object.keys(changed))
  const [earlier, latest] = [before, current].map(({ modified_utc: utc }) => utc)
  if (earlier === undefined || latest === undefined || earlier === latest) return
  const message = phrase('{record} was restored or saved again in the meantime', { record: stepLabel(step) })
  throw conflict(message, planAgain())
}

/** The failure of a step whose record is no longer where it was. */
const movedFailure = ({ calendar }: Client, step: Step): Failure =>
  conflict(
    phrase('{record} was trashed, restored or deleted in the meantime at {calendar}', {
      record: stepLabel(step),
      calendar: calendar.label,
    }),
    planAgain(),
  )

/** The failure of a step whose ID is that of another record by now, or whose site was restored. */
const strangerFailure = (step: Step, recognition: Recognition): Failure =>
  conflict(
    phrase('left {record} alone: {reason}', { record: stepLabel(step), reason: strangerReason(recognition) }),
    planAgain(),
  )

const changedFailure = (step: Step, drift: Differences, conflicts: readonly string[]): Failure =>
  new Failure(
    'conflict',
    phrase('{record} changed in the meantime: {fields}', {
      record: stepLabel(step),
      fields: fieldList(conflicts, step.resource),
    }),
    { hint: planAgain(), drift },
  )

const planAgain = (): string =>
  phrase('it was kept; run the command again, or make a new plan with: calctl diff FILE --save plan.json')
