import { ignoreFailure } from '../../base/attempt.ts'
import { asFailure, conflict, Failure } from '../../base/failure.ts'
import { memoize } from '../../base/memoize.ts'
import { listOf, listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { driftFailure } from '../../client/adapters/write-result.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { isPendingUpload } from '../../contract/kinds/image-kind.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import {
  eventsWithLinks,
  findLostLinks,
  findReferrers,
  type LostLinks,
  type Referrers,
} from '../plan/back-references.ts'
import { stepLabel } from '../plan/names.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { valuesAfterStep } from '../plan/record-state.ts'
import { resolveReferences, survivorOf } from '../plan/steps.ts'
import type { TakeBackContext } from './doubles.ts'
import type { PlaceKeeper } from './place-keeper.ts'
import { resultOfFailure, type StepResult } from './result.ts'
import { checkRemovalAgain, removedRecords } from './step-verdict.ts'
import type { TermsByName } from './terms-by-name.ts'

interface SendContext extends TakeBackContext {
  sleep(ms: number): Promise<unknown>
  /** The IDs of the records that steps wrote, by key; grows while steps are sent. */
  readonly writtenIds: ReadonlyMap<string, number>
  readonly termsByName: Pick<TermsByName, 'nameOf'>
  readonly places: PlaceKeeper
}

/** What sending the steps of one plan shares. */
interface Sending extends SendContext {
  readonly plan: Plan
  /** The highest IDs that the run created so far. */
  readonly newest: Record<IdSequence, number>
  /** All events of a language as they are before the first removal; undefined if the site does not show hidden ones. */
  eventsWithLinks(language: string): Promise<readonly Answer[] | undefined>
}

/** Creates the function that sends one step of a plan: it writes the attempt to the journal, sends the request, and returns the result. */
export function createStepSender(plan: Plan, context: SendContext): (step: Step) => Promise<StepResult> {
  const newest = highestCreatedIds(plan, context.writtenIds)
  const sending: Sending = {
    ...context,
    plan,
    newest,
    eventsWithLinks: memoize(language => eventsWithLinks(context.client, language || undefined)),
  }
  return step => sendStep(sending, step)
}

async function sendStep(sending: Sending, step: Step): Promise<StepResult> {
  const { client, newest } = sending
  try {
    const values = await uploadFirst(client, step, valuesOf(sending, step))
    if (!(await announce(sending, step))) return { state: 'skipped' }
    const updated = await writeStep(client, step, values, () => checkAgain(sending, step))
    const { record } = updated
    if (step.action === 'create') newest[sequenceOf(step)] = Math.max(newest[sequenceOf(step)], record.id)
    const failure = driftFailure(resourceNamed(step.resource), updated)
    const landed = updated.drift.lang_code && record.lang_code
    const after = { ...valuesAfterStep(step, record), ...(landed && { lang_code: landed }) }
    return { state: 'done', id: record.id, record, after, ...(failure && { failure }) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const double = await refusedAsDouble(sending, step, error)
    return double ?? { ...resultOfFailure(named(sending, step, error)), ...partDone(step, error) }
  }
}

/** The failure with the name of its record: a site does not say which of many records the user may not write. */
function named({ plan }: Sending, step: Step, failure: Failure): Failure {
  if (plan.steps.length === 1 || failure.details.problem !== 'no-right') return failure
  return new Failure(failure.kind, failure.message, { ...failure.details, step: stepLabel(step) })
}

/** The values of a step, with the IDs of records that other steps have created, and with names of terms that it creates itself. */
const valuesOf = ({ writtenIds, termsByName }: Sending, { values }: Step): Values =>
  resolveReferences(values, key => {
    const id = writtenIds.get(key) ?? termsByName.nameOf(key)
    if (id === undefined) throw new Error(`a step was sent before one it depends on: ${key}`)
    return id
  }) as Values

/** Writes to the journal that a step is about to be sent; false if it must not be sent. */
async function announce(sending: Sending, step: Step): Promise<boolean> {
  const { journal, now, newest } = sending
  const referrers = await referrersOf(sending, step)
  const created = step.action === 'create' ? { newest: newest[sequenceOf(step)] } : {}
  const users = step.action === 'delete' ? { users: referrers } : {}
  const lost = await lostLinks(sending, step)
  const publishes = sending.places.note(step)
  const effects = { ...(lost.length > 0 && { lost }), ...(publishes.length > 0 && { publishes }) }
  return journal?.write({ sent: step.key, at: now(), ...created, ...users, ...effects }) !== false
}

/** The links that the site takes from events along with a venue or organizer; a merge has moved them before. */
async function lostLinks({ client, journal, eventsWithLinks }: Sending, step: Step): Promise<readonly LostLinks[]> {
  const isTaken = step.action === 'trash' && step.resource !== 'events' && step.into === undefined
  if (!journal || !isTaken || !client.capabilities.touchesOthers) return []
  return findLostLinks(client, step, await eventsWithLinks(step.lang_code ?? ''))
}

/** The records that link to a record that is about to be removed: after a term is deleted, nothing tells which records had it. */
async function referrersOf({ client, journal, plan }: Sending, step: Step): Promise<Referrers> {
  if (step.action !== 'trash' && step.action !== 'delete') return {}
  if (step.into === undefined && (step.action === 'trash' || !journal)) return {}
  const referrers = await findReferrers(client, step)
  if (step.into !== undefined) checkUnused(step, withoutRemoved(plan, referrers))
  return referrers
}

/** The referrers that a plan does not remove as well, as it does a duplicate below another one. */
function withoutRemoved(plan: Plan, { events, categories = [] }: Referrers): Referrers {
  const removed = removedRecords(plan)
  return { ...(events && { events }), categories: categories.filter(id => !removed.has(recordKey('categories', id))) }
}

/** Checks a removal before it is sent again: somebody may have changed or restored its record, or added records to a term. */
async function checkAgain(sending: Sending, step: Step): Promise<void> {
  await checkRemovalAgain(sending.client, sending.plan, step)
  const isAnnounced = step.action === 'delete' || survivorOf(step) !== undefined
  if (isAnnounced && !(await announce(sending, step))) throw new Failure('interrupted', phrase('interrupted'))
}

/**
 * The result of a create that was refused because somebody else has created the record after the check; services refuse a second term with
 * the same name.
 */
async function refusedAsDouble(sending: Sending, step: Step, { kind }: Failure): Promise<StepResult | undefined> {
  if (kind !== 'refused' || step.action !== 'create' || step.match === undefined) return undefined
  const { findCreatedMeanwhile } = await import('./doubles.ts')
  return findCreatedMeanwhile(sending.client, step, valuesOf(sending, step)).catch(ignoreFailure)
}

/** Sends one step as one request, and compares the answer with what it should be. `checkAgain` is called before a removal is sent again. */
async function writeStep(client: Client, step: Step, values: Values, checkAgain?: () => Promise<void>) {
  const resource = resourceNamed(step.resource)
  const body = step.lang_code ? { ...values, lang_code: step.lang_code } : values
  if (step.action === 'create') {
    if (!step.existing) return client.create(resource, body)
    const { createSecond } = await import('./second-record.ts')
    return createSecond(client, step, body)
  }
  if (step.before === undefined) return { record: await client.overwrite(resource, step.ref, body), drift: {} }
  if (step.action === 'trash' || step.action === 'delete') {
    const renew = checkAgain && (() => checkAgain().then(() => body))
    return client.delete(resource, { id: step.id }, body, renew)
  }
  const before = { ...step.before, id: step.id }
  if (step.action === 'restore') return client.patch(resource, before, { status: 'draft', ...body })
  return client.patch(resource, before, body, { inTrash: step.trashed === true })
}

/** Throws `conflict` if something links to a duplicate that is about to be removed, because the link is new or could not be moved. */
function checkUnused(step: Step, { events = [], categories = [] }: Referrers): void {
  const count = events.length + categories.length
  if (count === 0) return
  const used = [
    ...(events.length > 0 ? [phrase('{count, plural, one {event} other {events}} {ids}', namedIds(events))] : []),
    ...(categories.length > 0
      ? [phrase('{count, plural, one {category} other {categories}} {ids}', namedIds(categories))]
      : []),
  ]
  const places = { record: stepLabel(step), records: listOf(used), count }
  throw conflict(
    phrase('kept {record}: {records} still {count, plural, one {uses} other {use}} it', places),
    phrase('run the merge again: it moves them, and removes the duplicate'),
  )
}

const mostNamed = 5

const namedIds = (ids: readonly number[]) => ({ count: ids.length, ids: listOfFirst(ids.map(String), mostNamed) })

/** The values, with the ID of an image that is uploaded first. If the upload fails, nothing else is written. */
async function uploadFirst(client: Client, step: Step, values: Values): Promise<Values> {
  const { image } = values
  if (!isPendingUpload(image)) return values
  try {
    const { id } = await client.uploadedImage(image.$upload, step.lang_code)
    return { ...values, image: String(id) }
  } catch (error) {
    const { kind, message: problem, details } = asFailure(error)
    // Whatever became of the upload, the record was not sent.
    const { done, ...others } = details
    const isOpen = done === 'unknown' || done === 'late'
    const reason = isOpen ? phrase('{reason}; the image may still have been uploaded', { reason: problem }) : problem
    const places = { reason, record: stepLabel(step) }
    const message =
      step.action === 'create'
        ? phrase('{reason}; {record} was not created', places)
        : phrase('{reason}; {record} was not changed', places)
    throw new Failure(kind, message, others)
  }
}

/** What a step wrote before it failed, which an undo reverts. */
function partDone({ resource, values }: Step, { details: { record, written } }: Failure): Pick<StepResult, 'after'> {
  if (!record || !written) return {}
  const done = Object.fromEntries(Object.entries(values).filter(([name]) => written.includes(name)))
  return { after: valuesAfterStep({ action: 'update', resource, values: done }, record) }
}

/** The highest IDs that the run has created; later records have higher ones. Posts share one sequence, terms another. */
function highestCreatedIds({ steps }: Plan, writtenIds: ReadonlyMap<string, number>): Record<IdSequence, number> {
  const highest = { posts: 0, terms: 0 }
  if (writtenIds.size === 0) return highest
  for (const step of steps)
    if (step.action === 'create')
      highest[sequenceOf(step)] = Math.max(highest[sequenceOf(step)], writtenIds.get(step.key) ?? 0)
  return highest
}

type IdSequence = 'posts' | 'terms'

const sequenceOf = ({ resource }: Step): IdSequence => (resourceNamed(resource).trashable ? 'posts' : 'terms')
