import type { Client, Values } from '../client/client.ts'
import { safeCreate } from '../client/safe-create.ts'
import { updateKnown } from '../client/safe-update.ts'
import type { UpdateResult } from '../client/update-drift.ts'
import { resourceNamed } from '../contract/contract.ts'
import { Failure } from '../failure.ts'
import type { Step } from '../plan/plan.ts'
import { valuesAfterStep } from '../plan/record-state.ts'
import { withArticle } from '../text/words.ts'
import { takeBack } from './doubles.ts'
import { createdMeanwhile, findExisting } from './existing-records.ts'
import type { Journal } from './journal-writer.ts'
import type { StepResult } from './result.ts'

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

/** How the shards of a plan wait for one another; one for all steps of a run. */
export interface ShardWait {
  sleep(ms: number): Promise<unknown>
  /** How often to look for a record that another shard creates; 0 once one did not appear. */
  tries: number
}

/** In ms; 20 tries are 5 s. */
const pause = 250

export const createShardWait = (sleep: ShardWait['sleep']): ShardWait => ({ sleep, tries: 20 })

interface SharedContext {
  readonly client: Client
  readonly journal: Journal | undefined
  /** In ms. */
  now(): number
  readonly wait: ShardWait
}

/**
 * Creates a record that other shards may be creating at the same moment: takes the one that exists, waits a little for one that
 * belongs to another shard, and takes its own back if another shard was first.
 */
export async function createShared(step: Step, values: Values, context: SharedContext): Promise<StepResult> {
  const { client, wait } = context
  const findOther = () => findCreatedMeanwhile(client, step, values)
  for (let tried = 0; ; tried++) {
    const existing = await findOther()
    if (existing) return existing
    if (step.shared === 'here' || tried >= wait.tries) break
    await wait.sleep(pause)
  }
  if (step.shared === 'elsewhere') wait.tries = 0
  try {
    const { record } = await writeStep(client, step, values)
    const own = { step, id: record.id, values, after: valuesAfterStep(step, record) }
    return (await takeBack(own, await findOther(), context)) ?? { state: 'done', id: record.id, after: own.after }
  } catch (error) {
    // Services refuse a second term of a name.
    const first = error instanceof Failure && error.kind === 'refused' ? await findOther() : undefined
    if (first) return first
    throw error
  }
}

/** The result of a create whose record exists by now; undefined if it does not. */
export async function findCreatedMeanwhile(
  client: Client,
  step: Step,
  values: Values,
): Promise<StepResult | undefined> {
  const existing = await findExisting(client, [{ ...step, values }], () => undefined)
  return createdMeanwhile(step, values, existing.get(step.key) ?? [])
}
