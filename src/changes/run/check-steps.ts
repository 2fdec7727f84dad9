import { conflict, Failure } from '../../base/failure.ts'
/**
 * The check of a step just before it is sent: whether its record is still as the plan has it, and whether somebody else has created its
 * record in the meantime. Input: the steps that are about to be sent. Output: how to send a step, or its result.
 */

import { grouped } from '../../base/groups.ts'
import { memoizeByObject } from '../../base/memoize.ts'
import { phrase } from '../../base/words/phrase.ts'
import { areStored, storedByIds } from '../../client/adapters/stored-records.ts'
import type { Client, Values } from '../../client/client.ts'
import { withKnownImage, withUploadedImage } from '../../client/images/image-sources.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Field } from '../../contract/field.ts'
import {
  compared,
  comparedWith,
  type Differences,
  differences,
  knownValue,
  storedValues,
  withStored,
} from '../../contract/record.ts'
import { type Answer, type Resource, recordKey, shownFields } from '../../contract/resource.ts'
import { type Base, baseFrom, isApplied, threeWayMerge } from '../../contract/three-way-merge.ts'
import { type Recognition, recognize, strangerReason } from '../plan/identity.ts'
import { fieldList, stepLabel } from '../plan/names.ts'
import {
  identityOf,
  isOnlyIfNew,
  isOnRecord,
  isOnTrashed,
  isRemoval,
  type Plan,
  resolveReferences,
  type Step,
  type StepOnRecord,
  type UpdateStep,
} from '../plan/plan.ts'
import { revisionOf, trimRecord } from '../plan/record-state.ts'
import { locationOf, type RecordLocation, SiteReader } from '../plan/site-reader.ts'
import { createdMeanwhile, findExisting } from './existing-records.ts'
import { type EarlierSessions, resultOfFailure, type StepResult } from './result.ts'

/** The outcome of a check: how to send the step, or its result if it must not be sent. */
type Verdict = { readonly step: Step } | { readonly result: StepResult }

interface CheckContext extends Pick<EarlierSessions, 'wasSent' | 'writtenIds'> {
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

/** How many changes are checked together: as many records as are on one page of a list; a page of stored records has twice as many. */
const changesTogether = 50
const shareOf = (step: Step): number => (isComparedByRevision(step) ? 0.5 : 1)

/** How many creates are checked together: few, so that two machines that start at once find out early. */
const createsTogether = 10

const sentAtOnce = 3

/**
 * How long a check is valid, in ms. It is shorter for a create, which others may do as well, and for an update that sends back values as
 * they were read: through the events API, or of an event with a cost.
 */
const longestWaitOf = (step: Step): number => {
  if (isOnlyIfNew(step)) return 3000
  if (isRemoval(step) || (isComparedByRevision(step) && !step.before?.cost)) return 10_000
  return 3000
}

/** Records as a check has read them, and when. */
interface Reading {
  readonly at: number
  /** By `recordKey`: where a step expects the record or, for a restore that was sent before, outside of the trash. */
  readonly current: ReadonlyMap<string, Answer>
  /** The steps whose stored records have not changed, by key. */
  readonly unchanged: ReadonlySet<string>
  /** The records that would exist twice after a create, or after a restore in a redo, by the key of the step. */
  readonly existing: ReadonlyMap<string, readonly Answer[]>
}

/**
 * Creates the function that checks a step just before it is sent. It reads what several steps need at once, and reads again what a step
 * needs that has waited for longer than a check is valid. `upcoming` are the steps from this one on, in order.
 */
export function createStepCheck(plan: Plan, context: CheckContext) {
  const { client, now, signal, readAt, wasSent } = context
  const readings = new Map<string, Promise<Reading>>()
  /** How many steps were sent since the last reading; on a slow site, the next reading is for as many. */
  let sent = 0
  let hasWaited = false
  const isGood = (step: Step, at: number) => Math.abs(now() - at) <= longestWaitOf(step)

  const readNext = (upcoming: Iterable<Step>): Promise<Reading> => {
    const steps = stepsToRead(upcoming, hasWaited ? Math.max(sent, 1) : Number.POSITIVE_INFINITY)
    sent = 0
    const reading = untilAborted(readTogether(steps, context), signal)
    for (const { key } of steps) readings.set(key, reading)
    return reading
  }

  const readingFor = async (step: Step, upcoming: () => Iterable<Step>): Promise<Reading> => {
    for (let tried: Promise<Reading> | undefined; ; ) {
      const reading = readings.get(step.key)
      // Another step may have read the record while this one waited.
      if (reading === tried) break
      tried = reading
      const read = await reading?.catch(() => undefined)
      if (read && isGood(step, read.at)) return read
      hasWaited ||= read !== undefined
    }
    return readNext(upcoming())
  }

  /** Whether the check of a step is still valid. */
  const isFresh = (step: Step): boolean => {
    if (readAt === undefined || wasSent(step)) return false
    // A few steps are sent at once: what was just read for them is not read again.
    const isSoon = plan.steps.length <= sentAtOnce && isGood(step, readAt)
    const isRead = isSoon || client.capabilities.nobodyElseWrites
    return isRead && (step.action === 'create' || !isOnlyIfNew(step))
  }

  return async (step: Step, upcoming: () => Iterable<Step>): Promise<Verdict> => {
    if (!isChecked(step) || isFresh(step)) return { step }
    try {
      const reading = await readingFor(step, upcoming)
      readings.delete(step.key)
      sent += 1
      const double = resultOfDouble(step, reading, context)
      if (double) return { result: double }
      if (step.before === undefined || reading.unchanged.has(step.key)) return { step }
      return await judge(step, reading, removedRecords(plan), context)
    } catch (error) {
      if (error instanceof Failure) return { result: resultOfFailure(error) }
      throw error
    }
  }
}

/** The next steps to check together, at most this many. */
function stepsToRead(upcoming: Iterable<Step>, most: number): Step[] {
  const steps: Step[] = []
  let share = 0
  let creates = 0
  for (const step of upcoming) {
    if (!isChecked(step)) continue
    steps.push(step)
    share += shareOf(step)
    if (isOnlyIfNew(step)) creates += 1
    if (steps.length >= most || share >= changesTogether || creates >= createsTogether) break
  }
  return steps
}

/** Reading can be interrupted at once. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Failure('interrupted', phrase('interrupted')))
    signal?.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })
}

/** Whether a step is checked here. A record that several shards need is looked for when its step is sent. */
const isChecked = (step: Step): boolean =>
  step.action === 'create' ? step.match !== undefined && !step.shared : step.before !== undefined

async function readTogether(steps: readonly Step[], context: CheckContext): Promise<Reading> {
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
function resultOfDouble(
  step: Step,
  { existing }: Reading,
  { ownRecords, writtenIds }: CheckContext,
): StepResult | undefined {
  const isOwn = (id: number) => id === step.id || ownRecords.has(recordKey(step.resource, id))
  const others = (existing.get(step.key) ?? []).filter(({ id }) => !isOwn(id))
  if (others.length === 0) return undefined
  return createdMeanwhile(step, resolveReferences(step.values, key => writtenIds.get(key)) as Values, others)
}

/** How to send a step after its record was read again. */
async function judge(
  step: StepOnRecord,
  { current: records }: Reading,
  removed: ReadonlySet<string>,
  context: CheckContext,
): Promise<Verdict> {
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
  const recognition = recognize(
    {
      resource: step.resource,
      compare: (name, field) => compared(name, field, [before, current]),
      modified: before.modified_utc,
    },
    current,
  )
  if (recognition !== 'same') return { result: { state: 'failed', failure: strangerFailure(step, recognition) } }
  const mine = resolveReferences(step.values, key => writtenIds.get(key)) as Values
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

/**
 * Whether the stored record is enough to check a step: the plan was built on it, and the step changes no other values. A page of stored
 * records has twice as many records.
 */
function isComparedByRevision(step: Step): step is UpdateStep {
  if (step.action !== 'update' || step.before === undefined || step.revision === undefined) return false
  return areStored(resourceNamed(step.resource), step.values)
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

/**
 * What somebody has changed in a record after a run wrote it, which decides what an undo reverts and what a run takes back. Input: a step
 * with the values that it left, from the journal or the answer. Output: how a field compares with them.
 */
/** A step that was carried out. */
export interface WrittenStep {
  readonly step: Step
  /** The values that were written, with IDs instead of references. */
  readonly values: Values
  /** The fields that it wrote, and those that change along with them, as the answer showed them; empty if the answer was lost. */
  readonly after: Values
}

/**
 * The fields of a record that somebody has changed after the run created or restored it. `ownRecords` are the records that the run created,
 * trashed, restored or deleted, by `recordKey`.
 */
export function fieldsChangedSince(done: WrittenStep, current: Answer, ownRecords?: ReadonlySet<string>): string[] {
  const resource = resourceNamed(done.step.resource)
  const base = asLeftBy(done, ownRecords)
  return shownFields(resource).flatMap(([name, field]) => (base(name, field, current) === 'changed' ? name : []))
}

/** The record as the step left it, for comparing. Links to records of the run itself do not count, because the undo removes them. */
export function asLeftBy(done: WrittenStep, ownRecords?: ReadonlySet<string>): Base {
  const { step, after, values } = done
  const isAnswerLost = Object.keys(after).length === 0
  // A run that was killed may have changed the slug of a new record that was taken, and not have written that down.
  const askedSlug = (identityOf(step) ?? values).slug
  const isByService = (name: string, field: Field, current: Answer): boolean => {
    if (name === 'slug') return askedSlug !== undefined && isApplied(name, field, askedSlug, current)
    // The service publishes a scheduled record when its time comes.
    return name === 'status' && after.status === 'future' && current.status === 'publish'
  }
  return (name, field, current) => {
    if (name in values && !(name in after)) return isApplied(name, field, values[name], current) ? 'same' : 'changed'
    if (isByService(name, field, current)) return 'same'
    // Journals leave out blank values; if the answer was lost, the field counts as unchanged.
    const left = isAnswerLost && step.before ? knownValue(name, field, step.before) : (after[name] ?? '')
    const comparison = comparedWith({ name, field, record: current }, left, ownRecords)
    return comparison === 'changed' && isServiceDefault(done, name, field) ? 'unknown' : comparison
  }
}

/**
 * Whether the value of a field that a step did not write comes from the service and is not known here: if the answer was lost, the slug and
 * every field that is never empty; for a draft, what publishing sets, such as slug and date; for a hidden event that was restored, the
 * flags that are not in the stored record.
 */
function isServiceDefault({ step, after, values }: WrittenStep, name: string, field: Field): boolean {
  if (name in values) return false
  // A site gives every venue and organizer a slug: a journal without one is from a version that did not write slugs.
  if (field.site?.onlyBy === 'patch' && !(name in after)) return true
  if (step.before && !(name in step.before) && !(name in after)) return true
  if (Object.keys(after).length === 0) return name === 'slug' || (field.kind.isFilledIn === true && !field.of)
  const { status }: Resource['fields'] = resourceNamed(step.resource).fields
  return (after.status === 'draft' || after.status === 'pending') && (status?.affects ?? []).includes(name)
}
