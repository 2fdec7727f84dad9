import type { Client, Values } from '../client/client.ts'
import { driftFailure } from '../client/safe-update.ts'
import { resourceNamed } from '../contract/contract.ts'
import { Failure } from '../failure.ts'
import { findReferrers } from '../plan/back-references.ts'
import { type Plan, resolveReferences, type Step } from '../plan/plan.ts'
import { valuesAfterStep } from '../plan/record-state.ts'
import { createOnce, waitingFor } from './create-once.ts'
import type { Journal } from './journal-writer.ts'
import { failedResult, type Result } from './result.ts'
import { write } from './write-step.ts'

/** What sending the steps of a plan takes. */
interface Sending {
  readonly client: Client
  readonly journal: Journal | undefined
  /** In ms. */
  now(): number
  sleep(ms: number): Promise<unknown>
  /** The IDs of the records that steps wrote, by key; grows while steps are sent. */
  readonly written: ReadonlyMap<string, number>
}

/** Makes what sends one step of a plan, journaled before, and says what became of it; those it needs were sent before. */
export function createSender(plan: Plan, { client, journal, now, sleep, written }: Sending) {
  const newest = highestMade(plan, written)
  const waiting = waitingFor(sleep)
  const idOf = (key: string): number => {
    const id = written.get(key)
    if (id === undefined) throw new Error(`a step was sent before what it needs: ${key}`)
    return id
  }

  return async (step: Step): Promise<Result> => {
    const sequence = sequenceOf(step)
    const isCreate = step.action === 'create'
    try {
      const users = step.action === 'delete' && journal ? { users: await findReferrers(client, step) } : {}
      journal?.write({ sent: step.key, at: now(), ...(isCreate && { newest: newest[sequence] }), ...users })
      const values = resolveReferences(step.values, idOf) as Values
      if (step.shared) return { state: 'done', ...(await createOnce(client, step, values, waiting)) }
      const updated = await write(client, step, values)
      const { record } = updated
      if (isCreate) newest[sequence] = Math.max(newest[sequence], record.id)
      const failure = driftFailure(resourceNamed(step.resource), updated)
      return { state: 'done', id: record.id, left: valuesAfterStep(step, record), ...(failure && { failure }) }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return failedResult(error)
    }
  }
}

/** The highest IDs that were made: what is made from now on has higher ones. Posts share one sequence, and terms another. */
function highestMade({ steps }: Plan, written: ReadonlyMap<string, number>): Record<Sequence, number> {
  const highest = { posts: 0, terms: 0 }
  if (written.size === 0) return highest
  for (const step of steps)
    if (step.action === 'create')
      highest[sequenceOf(step)] = Math.max(highest[sequenceOf(step)], written.get(step.key) ?? 0)
  return highest
}

type Sequence = 'posts' | 'terms'

const sequenceOf = ({ resource }: Step): Sequence => (resourceNamed(resource).trashable ? 'posts' : 'terms')
