import type { Client, Values } from '../client/client.ts'
import { readAnywhere } from '../client/reconcile.ts'
import { isTrashCode } from '../client/unavailable.ts'
import { withRawValues } from '../client/wordpress/raw-values.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { recordKey } from '../plan/current-records.ts'
import { resolveReferences, type Step } from '../plan/plan.ts'
import { listOf } from '../text/words.ts'
import { fieldsChangedSince, type WrittenStep } from './changes-since.ts'
import { createdMeanwhile, findExisting } from './existing-records.ts'
import type { Journal } from './journal-writer.ts'
import { type StepResult, stepLabel } from './result.ts'

/** How many records are compared with one list. */
const comparedTogether = 50

interface TakeBackContext {
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
 * Two machines that apply one file at the same moment both find that a record is not there yet, and both create it: whoever did not
 * create the first one takes its own back. Input: creates that are done. Output: the results of those whose record somebody else had
 * created first.
 */
export async function* takeBackDoubles(
  creates: readonly Step[],
  context: DoublesContext,
): AsyncGenerator<[step: Step, result: StepResult]> {
  const { client, journal, writtenIds, ownRecords } = context
  const idOf = (key: string) => writtenIds.get(key)
  const isForeign = ({ resource }: Step, { id }: Answer) => !ownRecords.has(recordKey(resource, id))
  let journaled: Promise<(key: string) => Values> | undefined
  for (let start = 0; start < creates.length; start += comparedTogether) {
    const batch = creates.slice(start, start + comparedTogether)
    const existing = await findExisting(client, batch, idOf)
    for (const step of batch) {
      const id = idOf(step.key)
      const others = (existing.get(step.key) ?? []).filter(record => isForeign(step, record))
      if (id === undefined || others.length === 0) continue
      journaled ??= journaledValues(journal)
      const values = resolveReferences(step.values, idOf) as Values
      const own = { step, id, values, after: (await journaled)(step.key) }
      const result = await takeBack(own, createdMeanwhile(step, values, others), context)
      if (result) yield [step, result]
    }
  }
}

/** What the answers to the creates of a run were, from its journal: doubles are rare, and all answers would fill the memory. */
async function journaledValues(journal: Journal | undefined): Promise<(key: string) => Values> {
  if (!journal) return () => ({})
  const { readJournal } = await import('./journal-reader.ts')
  return readJournal(journal.file).valuesAfter
}

/** A create of this run that is done. */
export interface OwnCreate extends WrittenStep {
  readonly id: number
}

/**
 * Takes a record back that somebody else had created first: all agree on the one with the lowest ID. It stays if somebody has changed
 * it since. Undefined if this run was the first.
 */
export async function takeBack(
  own: OwnCreate,
  first: StepResult | undefined,
  context: TakeBackContext,
): Promise<StepResult | undefined> {
  const { step, id, after } = own
  if (first?.id === undefined || first.id >= id) return undefined
  const resource = resourceNamed(step.resource)
  const query: Values = step.language ? { lang_code: step.language } : {}
  const { client, journal, now } = context
  const check = async (): Promise<Values> => {
    const changed = await changedFields(client, own, query)
    if (changed.length === 0) return query
    throw new Failure('conflict', `somebody has changed ${id} since: ${listOf(changed)}`)
  }
  try {
    await check()
    if (journal?.write({ takingBack: step.key, id, at: now(), left: after }) === false) return undefined
    await client.delete(resource, { id }, query, check)
    return { ...first, takenBack: id }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.kind === 'missing' || isTrashCode(error.details.code)) return { ...first, takenBack: id }
    const failure = new Failure(
      'conflict',
      `${stepLabel(step)} was created twice: ${first.id}, and ${id} by this run; ${error.message}`,
      { hint: `delete one of them with: calctl ${resource.name} delete ${id}${client.calendar.flags ?? ''}` },
    )
    return { state: 'done', id, failure }
  }
}

/** The fields of a new record that somebody has changed since; throws `missing` if it is not there any more. */
async function changedFields(client: Client, own: OwnCreate, query: Values): Promise<string[]> {
  const { step, id } = own
  const resource = resourceNamed(step.resource)
  const record = await readAnywhere(client, resource, { id }, query)
  if (!record || record.status === 'trash') throw new Failure('missing', `${resource.singular} ${id} is gone`)
  const [stored = record] = await withRawValues(client, resource, [record], undefined, query.lang_code)
  return fieldsChangedSince(own, stored)
}
