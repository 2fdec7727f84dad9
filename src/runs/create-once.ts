import type { Client, Values } from '../client/client.ts'
import { findSimilar } from '../client/reconcile.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { Answer } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Step } from '../plan/plan.ts'
import { foldText } from '../text/normalize.ts'
import type { Result } from './result.ts'
import { write } from './write-step.ts'

/** How parts wait for one another: the same for all steps of a run. */
export interface Waiting {
  sleep(ms: number): Promise<unknown>
  /** How often a record is looked for that belongs to another part; none any more once that was in vain. */
  tries: number
}

/** Every so often, for 5 s at most; in ms. */
const pause = 250

/** Waits for others at the beginning of a run. */
export const waitingFor = (sleep: Waiting['sleep']): Waiting => ({ sleep, tries: 20 })

/**
 * Makes a record that others may be making at the same moment: takes the one that is there, waits a little for one that belongs
 * to another part, and takes its own away again where another one came before. Whoever is asked and whenever, the record with
 * the lowest ID is the one.
 */
export async function createOnce(
  client: Client,
  step: Step,
  values: Values,
  waiting: Waiting,
): Promise<Pick<Result, 'id' | 'isOthers'>> {
  const others = async () => {
    const first = await firstAlike(client, step, values)
    return first && ({ id: first.id, isOthers: true } as const)
  }
  for (let tried = 0; ; tried++) {
    const before = await others()
    if (before) return before
    if (step.shared === 'here' || tried >= waiting.tries) break
    await waiting.sleep(pause)
  }
  if (step.shared === 'elsewhere') waiting.tries = 0
  try {
    const { record } = await write(client, step, values)
    const first = await others()
    if (!first || first.id >= record.id) return { id: record.id }
    await client.delete(resourceNamed(step.resource), { id: record.id })
    return first
  } catch (error) {
    // Services refuse a second term of a name.
    const first = error instanceof Failure && error.kind === 'refused' ? await others() : undefined
    if (first) return first
    throw error
  }
}

async function firstAlike(client: Client, { resource, language }: Step, values: Values): Promise<Answer | undefined> {
  const of = resourceNamed(resource)
  const name = (record: Values) => foldText(String(record[of.title]))
  let first: Answer | undefined
  for await (const { record } of findSimilar(client, of, language ? { ...values, lang_code: language } : values))
    if (name(record) === name(values) && (first === undefined || record.id < first.id)) first = record
  return first
}
