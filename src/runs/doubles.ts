import type { Client, Values } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import { resolveReferences, type Step } from '../plan/plan.ts'
import { recordKey } from '../plan/site-reader.ts'
import { createdMeanwhile, findExisting } from './existing-records.ts'
import { type StepResult, stepLabel } from './result.ts'

/** So many records are compared with one list. */
const comparedTogether = 50

interface DoublesContext {
  readonly client: Client
  /** The IDs of the records that steps wrote, by key. */
  readonly writtenIds: ReadonlyMap<string, number>
  /** The records that the run created, by `recordKey`. */
  readonly ownRecords: ReadonlySet<string>
}

/**
 * Two machines that apply one file at the same moment both find that a record is not there yet, and both create it. All agree
 * that the one with the lowest ID stays; whoever created another takes it back. Input: creates that are done. Output: the
 * results of those whose record somebody else had created first.
 */
export async function* takeBackDoubles(
  creates: readonly Step[],
  context: DoublesContext,
): AsyncGenerator<[step: Step, result: StepResult]> {
  for (let start = 0; start < creates.length; start += comparedTogether) {
    const batch = creates.slice(start, start + comparedTogether)
    const existing = await findExisting(context.client, batch, key => context.writtenIds.get(key))
    for (const step of batch) {
      const result = await takeBack(step, existing.get(step.key) ?? [], context)
      if (result) yield [step, result]
    }
  }
}

async function takeBack(
  step: Step,
  existing: readonly Answer[],
  { client, writtenIds, ownRecords }: DoublesContext,
): Promise<StepResult | undefined> {
  const id = writtenIds.get(step.key)
  const others = existing.filter(record => !ownRecords.has(recordKey(step.resource, record.id)))
  const values = resolveReferences(step.values, key => writtenIds.get(key)) as Values
  const first = createdMeanwhile(step, values, others)
  if (id === undefined || first?.id === undefined || first.id > id) return undefined
  const resource = resourceNamed(step.resource)
  try {
    await client.delete(resource, { id })
    return { ...first, takenBack: id }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.kind === 'missing') return { ...first, takenBack: id }
    const failure = new Failure(
      'conflict',
      `${stepLabel(step)} was created twice: ${first.id}, and ${id} by this run`,
      {
        hint: `${error.message}; delete one of them with: calctl ${resource.name} delete ${id}${client.calendar.flags ?? ''}`,
      },
    )
    return { state: 'done', id, failure }
  }
}
