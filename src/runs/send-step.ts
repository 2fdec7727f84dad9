import type { Client, Values } from '../client/client.ts'
import { safeCreate } from '../client/safe-create.ts'
import { updateKnown } from '../client/safe-update.ts'
import { driftFailure, type UpdateResult } from '../client/update-drift.ts'
import { resourceNamed } from '../contract/contract.ts'
import { isPendingUpload } from '../contract/pending-upload.ts'
import { Failure } from '../failure.ts'
import { findReferrers, type Referrers } from '../plan/back-references.ts'
import { type Plan, resolveReferences, type Step } from '../plan/plan.ts'
import { valuesAfterStep } from '../plan/record-state.ts'
import { listOf, listOfFirst, nounFor, withArticle } from '../text/words.ts'
import { checkRemovalAgain } from './changes-meanwhile.ts'
import type { ShardWait } from './doubles.ts'
import type { Journal } from './journal-writer.ts'
import { resultOfFailure, type StepResult, stepLabel } from './result.ts'

interface SendContext {
  readonly client: Client
  readonly journal: Journal | undefined
  /** In ms. */
  now(): number
  sleep(ms: number): Promise<unknown>
  /** The IDs of the records that steps wrote, by key; grows while steps are sent. */
  readonly writtenIds: ReadonlyMap<string, number>
}

/** How often a record is looked for that another shard creates: for 5 s. */
const shardTries = 20

/** Creates the function that sends one step of a plan: it journals the attempt, writes, and returns the result. */
export function createStepSender(plan: Plan, context: SendContext) {
  const { client, journal, now, sleep, writtenIds } = context
  const newest = highestCreatedIds(plan, writtenIds)
  const wait: ShardWait = { sleep, tries: shardTries }
  const idOf = (key: string): number => {
    const id = writtenIds.get(key)
    if (id === undefined) throw new Error(`a step was sent before one it depends on: ${key}`)
    return id
  }

  /** Services refuse a second term of a name: somebody else may have created it after the check. */
  const refusedAsDouble = async (step: Step, { kind }: Failure): Promise<StepResult | undefined> => {
    if (kind !== 'refused' || step.action !== 'create' || step.match === undefined) return undefined
    try {
      const { findCreatedMeanwhile } = await import('./doubles.ts')
      return await findCreatedMeanwhile(client, step, resolveReferences(step.values, idOf) as Values)
    } catch (error) {
      if (error instanceof Failure) return undefined
      throw error
    }
  }

  /** Writes that a step is about to be sent; whether it may be. */
  const announce = async (step: Step): Promise<boolean> => {
    const isCreate = step.action === 'create'
    const isDouble = step.into !== undefined
    // Once the term is deleted nothing tells which records had it.
    const referrers = isDouble || (step.action === 'delete' && journal) ? await findReferrers(client, step) : {}
    if (isDouble) checkUnused(step, referrers)
    const users = step.action === 'delete' ? { users: referrers } : {}
    const attempt = { sent: step.key, at: now(), ...(isCreate && { newest: newest[sequenceOf(step)] }), ...users }
    return journal?.write(attempt) !== false
  }

  /** Before a removal is sent again: somebody may have changed or restored its record, or put more into a term. */
  const checkAgain = async (step: Step): Promise<void> => {
    await checkRemovalAgain(client, plan, step)
    if ((step.action === 'delete' || step.into !== undefined) && !(await announce(step)))
      throw new Failure('interrupted', 'interrupted')
  }

  const createSharedRecord = async (step: Step, values: Values): Promise<StepResult> => {
    const { createShared } = await import('./doubles.ts')
    const create = async () => (await writeStep(client, step, values)).record
    return createShared(step, values, create, { client, journal, now, wait })
  }

  return async (step: Step): Promise<StepResult> => {
    try {
      const values = await uploadFirst(client, step, resolveReferences(step.values, idOf) as Values)
      if (!(await announce(step))) return { state: 'skipped' }
      if (step.shared) return await createSharedRecord(step, values)
      const updated = await writeStep(client, step, values, () => checkAgain(step))
      const { record } = updated
      if (step.action === 'create') newest[sequenceOf(step)] = Math.max(newest[sequenceOf(step)], record.id)
      const failure = driftFailure(resourceNamed(step.resource), updated)
      const landed = updated.drift.lang_code && record.lang_code
      const after = { ...valuesAfterStep(step, record), ...(landed && { lang_code: landed }) }
      return { state: 'done', id: record.id, record, after, ...(failure && { failure }) }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return (await refusedAsDouble(step, error)) ?? { ...resultOfFailure(error), ...partDone(step, error) }
    }
  }
}

/**
 * Sends one step: one request, whose answer is compared with what it should be. `checkAgain` is called before a removal is sent
 * again.
 */
export async function writeStep(
  client: Client,
  step: Step,
  values: Values,
  checkAgain?: () => Promise<void>,
): Promise<UpdateResult> {
  const resource = resourceNamed(step.resource)
  const { id, before, language } = step
  const body = language ? { ...values, lang_code: language } : values
  if (step.action === 'create' && step.existing) {
    const { createSecond } = await import('./create-second.ts')
    return createSecond(client, step, body)
  }
  if (step.action === 'create') return safeCreate(client, resource, body)
  if (step.ref) return { record: await client.update(resource, step.ref, body), drift: {} }
  if (id === undefined) throw incomplete(step, 'id')
  if (step.action === 'trash' || step.action === 'delete') {
    const renew = checkAgain && (() => checkAgain().then(() => body))
    return { record: await client.delete(resource, { id }, body, renew), drift: {} }
  }
  if (before === undefined) throw incomplete(step, 'before')
  return updateKnown(
    client,
    resource,
    { ...before, id },
    step.action === 'restore' ? { status: 'draft', ...body } : body,
    { inTrash: step.trashed === true },
  )
}

const incomplete = (step: Step, name: string) =>
  new Failure('usage', `the step "${step.key}" has no "${name}"`, {
    hint: `${withArticle(`${step.action} step`)} needs it; make a new plan with: calctl diff --save`,
  })

/** Throws `conflict` if something links to a duplicate that is about to be removed: it was linked meanwhile, or could not be moved. */
function checkUnused(step: Step, { events = [], categories = [] }: Referrers): void {
  const used = [
    ...(events.length > 0 ? [namedIds('event', 'events', events)] : []),
    ...(categories.length > 0 ? [namedIds('category', 'categories', categories)] : []),
  ]
  if (used.length > 0)
    throw new Failure(
      'conflict',
      `kept ${stepLabel(step)}: ${listOf(used)} still ${nounFor(events.length + categories.length, 'uses', 'use')} it`,
      {
        hint: 'run the merge again: it moves them, and removes the duplicate',
      },
    )
}

const mostNamed = 5

const namedIds = (one: string, many: string, ids: readonly number[]): string =>
  `${nounFor(ids.length, one, many)} ${listOfFirst(ids.map(String), mostNamed)}`

/** The values with the ID of an image that had to be uploaded. If that fails, nothing is written. */
async function uploadFirst(client: Client, step: Step, values: Values): Promise<Values> {
  const { image } = values
  if (!isPendingUpload(image)) return values
  try {
    const { id } = await client.uploadedImage(image.$upload, step.language)
    return { ...values, image: String(id) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Whatever became of the upload, the record was not sent.
    const { done, ...others } = error.details
    const verb = step.action === 'create' ? 'created' : 'changed'
    const isOpen = done === 'unknown' || done === 'late'
    const left = isOpen ? '; the image may be on the site anyway' : ''
    throw new Failure(error.kind, `${error.message}${left}; ${stepLabel(step)} was not ${verb}`, others)
  }
}

/** What a step wrote before it failed: an undo takes that back. */
function partDone({ resource, values }: Step, { details: { record, written } }: Failure): Pick<StepResult, 'after'> {
  if (!record || !written) return {}
  const done = Object.fromEntries(Object.entries(values).filter(([name]) => written.includes(name)))
  return { after: valuesAfterStep({ action: 'update', resource, values: done }, record) }
}

/** The highest IDs that the run created: later records have higher ones. Posts share one sequence, and terms another. */
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
