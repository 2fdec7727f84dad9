import { conflict, Failure } from '../../base/failure.ts'
import { listOf } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { missingIn } from '../../client/adapters/new-record-result.ts'
import { readAnywhere } from '../../client/adapters/reconcile.ts'
import { withRawValues } from '../../client/adapters/stored-records.ts'
import { driftFailure } from '../../client/adapters/write-result.ts'
import type { Client, Values } from '../../client/client.ts'
import { findBySlug, isSimilar, isSlugFree } from '../../client/find/slugs.ts'
import { isTrashCode } from '../../client/http/problems/unavailable.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Answer, recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { isNumbered, slugOf } from '../../contract/slug.ts'
import { fieldList, stepLabel } from '../plan/names.ts'
import type { CreateStep, Step } from '../plan/plan.ts'
import { batches } from '../plan/spool.ts'
import { identityOf, resolveReferences } from '../plan/steps.ts'
import { fieldsChangedSince, type WrittenStep } from './changed-since.ts'
import { createdMeanwhile, findExisting } from './existing-records.ts'
import type { Journal } from './journal-writer.ts'
import type { StepResult } from './result.ts'

/** How many records are compared with one list. */
const comparedTogether = 50

export interface TakeBackContext {
  readonly client: Client
  readonly journal: Journal | undefined
  /** In ms. */
  now(): number
}

interface DoublesContext extends TakeBackContext {
  /** The IDs of the records that steps wrote, by key. */
  readonly writtenIds: ReadonlyMap<string, number>
  /** The records that the run created, by `recordKey`. */
  readonly ownRecords: ReadonlySet<string>
}

/**
 * If two machines apply one file at the same time, both find that a record does not exist, and both create it: the one that was not first
 * takes its record back. If the first record is gone by then, the remaining one gets its slug, by which everybody looks for it. Input:
 * creates that were carried out, and restores in a redo of creates. Output: the results of the steps whose records were taken back or got
 * the slug.
 */
export async function* takeBackDoubles(
  creates: readonly Step[],
  context: DoublesContext,
): AsyncGenerator<[step: Step, result: StepResult]> {
  const { client, journal, writtenIds } = context
  const idOf = (key: string) => writtenIds.get(key)
  let journaled: Promise<(key: string) => Values> | undefined
  for (const batch of batches(creates, comparedTogether)) {
    const existing = await findExisting(client, batch, idOf)
    for (const step of batch) {
      const double = await doubleOf(step, existing.get(step.key) ?? [], context)
      if (!double) continue
      journaled ??= journaledValues(journal)
      const { id, others, numbered } = double
      const values = resolveReferences(step.values, idOf) as Values
      const own = { step, id, values, after: (await journaled)(step.key), numbered }
      const first = createdMeanwhile(step, values, others)
      const result = first ? await takeBack(own, first, context) : await giveSlug(client, own)
      if (result) yield [step, result]
    }
  }
}

/** What others have created as well, and the step's own record if the site numbered its slug; undefined if there is neither. */
async function doubleOf(
  step: Step,
  records: readonly Answer[],
  { client, writtenIds, ownRecords }: DoublesContext,
): Promise<{ id: number; others: Answer[]; numbered: Answer | undefined } | undefined> {
  const id = writtenIds.get(step.key)
  if (id === undefined) return undefined
  const others = records.filter(record => !ownRecords.has(recordKey(step.resource, record.id)))
  const isFound = records.some(record => record.id === id)
  const numbered = isFound ? undefined : await numberedRecord(client, step, id)
  return others.length === 0 && !numbered ? undefined : { id, others, numbered }
}

/** The answers to the creates of a run, from its journal: doubles are rare, and all answers would fill the memory. */
async function journaledValues(journal: Journal | undefined): Promise<(key: string) => Values> {
  if (!journal) return () => ({})
  const { readJournal } = await import('./journal-reader.ts')
  return readJournal(journal.file).valuesAfter
}

/** A create of this run that was carried out, or a restore in a redo of one. */
interface OwnCreate extends WrittenStep {
  readonly id: number
  /** The record, if the site numbered its slug because another record had it. */
  readonly numbered?: Answer | undefined
}

/**
 * Takes back a record that somebody else had created first. All machines agree on the record with the slug by which they look for it or, if
 * none has it, on the one with the lowest ID. The own record stays if somebody has changed it since. Undefined if this run was the first.
 */
async function takeBack(
  own: OwnCreate,
  first: StepResult | undefined,
  context: TakeBackContext,
): Promise<StepResult | undefined> {
  const { step, id, after, numbered } = own
  if (first?.id === undefined || (first.id >= id && !numbered)) return undefined
  const resource = resourceNamed(step.resource)
  const query = languageOf(step)
  const { client, journal, now } = context
  const check = async (): Promise<Values> => {
    const changed = await changedFields(client, own, query)
    if (changed.length === 0) return query
    throw new Failure(
      'conflict',
      phrase('someone else has changed {id}: {fields}', { id, fields: fieldList(changed, resource.name) }),
    )
  }
  try {
    await check()
    if (journal?.write({ takingBack: step.key, id, at: now(), left: after }) === false) return undefined
    const failure = driftFailure(resource, await client.delete(resource, { id }, query, check))
    if (failure) throw failure
    return { ...first, takenBack: id }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.kind === 'missing' || isTrashCode(error.details.code)) return { ...first, takenBack: id }
    const failure = conflict(
      phrase('{record} was created twice: {first}, and {id} by this run; {reason}', {
        record: stepLabel(step),
        first: first.id,
        id,
        reason: error.message,
      }),
      phrase('delete one of them with: {command}', {
        command: `calctl ${resource.name} delete ${id}${client.calendar.flags ?? ''}`,
      }),
    )
    return { state: 'done', id, failure }
  }
}

const languageOf = ({ lang_code: language }: Step): Values => (language ? { lang_code: language } : {})

/** The record of a create that its slug does not find, because the site had to number it; undefined for any other. */
async function numberedRecord(client: Client, step: Step, id: number): Promise<Answer | undefined> {
  const slug = askedSlug(step)
  if (slug === undefined) return undefined
  const read = readAnywhere(client, resourceNamed(step.resource), { id }, languageOf(step))
  const record = await read.catch(undefinedIfRefused)
  if (!record || record.status === 'trash') return undefined
  return isNumbered(String(record.slug), slug) ? record : undefined
}

/** The slug by which the record of a step is looked for; undefined if other fields identify it. */
function askedSlug(step: Step): string | undefined {
  const isMatched = step.action === 'create' && step.match?.includes('slug')
  const { slug } = identityOf(step) ?? (isMatched ? step.values : {})
  return slug === undefined ? undefined : slugOf(String(slug))
}

/** Gives a record the requested slug if it is free by now: otherwise applying the file again would create another record. */
async function giveSlug(client: Client, own: OwnCreate): Promise<StepResult | undefined> {
  const { step, id, values, after, numbered } = own
  const resource = resourceNamed(step.resource)
  const slug = askedSlug(step)
  const query = languageOf(step)
  if (!numbered || slug === undefined || !(await isSlugFree(client, resource, slug, query))) return undefined
  try {
    const { record, drift } = await client.patch(resource, numbered, { slug, ...query })
    const failure = driftFailure(resource, { record, drift: { ...missingIn(resource, values, record), ...drift } })
    // The other fields stay as this run left them: an undo would take what others have changed since for its own.
    const isKnown = Object.keys(after).length > 0
    return {
      state: 'done',
      id,
      ...(isKnown && { after: { ...after, slug: record.slug } }),
      ...(failure && { failure }),
    }
  } catch (error) {
    // According to the result of the create, the slug is another one.
    return undefinedIfRefused(error)
  }
}

/** Undefined for a refusal, after which a resume can go on; throws any other error. */
function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof Failure) || error.kind === 'unreachable' || error.kind === 'interrupted') throw error
}

/** The fields of a new record that somebody has changed since; throws `missing` if the record is gone. */
async function changedFields(client: Client, own: OwnCreate, query: Values): Promise<string[]> {
  const { step, id } = own
  const resource = resourceNamed(step.resource)
  const record = await readAnywhere(client, resource, { id }, query)
  if (!record || record.status === 'trash')
    throw new Failure('missing', phrase('{record} is gone', { record: namedRecord(resource.name, id) }))
  const [stored = record] = await withRawValues(client, resource, [record], { language: query.lang_code })
  return fieldsChangedSince(own, stored)
}

/** The result of a create whose record exists by now; undefined if it does not. */
export async function findCreatedMeanwhile(
  client: Client,
  step: CreateStep,
  values: Values,
): Promise<StepResult | undefined> {
  const existing = await findExisting(client, [{ ...step, values }], () => undefined)
  return createdMeanwhile(step, values, existing.get(step.key) ?? [])
}

/** The records that the run is known to have created. */
export interface CreatedRecords {
  /** By the key of the step. */
  readonly ids: ReadonlyMap<string, number>
  /** By `recordKey`. */
  readonly keys: ReadonlySet<string>
}

/**
 * The result of a create whose record exists several times, because another machine created it as well. All machines agree on the one with
 * the lowest ID among those that everybody finds. Which of them is this run's own cannot be known, so none is removed.
 */
export async function settleDoubles(
  client: Client,
  step: CreateStep,
  values: Values,
  { ids: written, keys }: CreatedRecords,
): Promise<StepResult | undefined> {
  if (step.match === undefined) return undefined
  const existing = (await findExisting(client, [step], key => written.get(key))).get(step.key) ?? []
  // No two records have the same slug, because the site numbers the others.
  const resource = resourceNamed(step.resource)
  const numbered = existing.length > 0 ? (await findBySlug(client, resource, values)).records : []
  const isForeign = ({ id }: Answer) => !keys.has(recordKey(step.resource, id))
  const found = existing.filter(isForeign)
  const doubled = [...found, ...numbered.filter(record => isForeign(record) && isSimilar(resource, values, record))]
  const result = createdMeanwhile(step, values, found.length > 0 ? found : doubled)
  if (result?.id === undefined) return undefined
  const first = result.id
  const ids = new Set(doubled.map(({ id }) => id))
  const doubles = [...ids].filter(id => id !== first).toSorted((one, other) => one - other)
  if (doubles.length === 0) return undefined
  const failure = conflict(
    phrase('{record} was created {count} times: {ids}', {
      record: stepLabel(step),
      count: doubles.length + 1,
      ids: listOf([first, ...doubles].map(String)),
    }),
    phrase('delete the duplicates with: {command}', {
      command: `calctl ${resource.name} delete ${doubles.join(' ')}${client.calendar.flags ?? ''}`,
    }),
  )
  return { ...result, failure }
}
