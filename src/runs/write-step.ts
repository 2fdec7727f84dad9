import type { Client, Values } from '../client/client.ts'
import { type UpdateResult, updateKnown } from '../client/safe-update.ts'
import { resourceNamed } from '../contract/contract.ts'
import { Failure } from '../failure.ts'
import type { Step } from '../plan/plan.ts'

/** Sends one step: one request, whose answer is compared with what it should be. */
export async function write(client: Client, step: Step, values: Values): Promise<UpdateResult> {
  const resource = resourceNamed(step.resource)
  const { id, before, language } = step
  const sent = language ? { ...values, lang_code: language } : values
  if (step.action === 'create') return { record: await client.create(resource, sent), drift: {} }
  if (id === undefined) throw incomplete(step, 'id')
  if (step.action === 'trash' || step.action === 'delete')
    return { record: await client.delete(resource, { id }, sent), drift: {} }
  if (before === undefined) throw incomplete(step, 'before')
  const known = { ...before, id }
  return updateKnown(client, resource, known, step.action === 'restore' ? { status: 'draft', ...sent } : sent)
}

const incomplete = (step: Step, what: string) =>
  new Failure('usage', `the step "${step.key}" has no ${what}`, { hint: `an ${step.action} needs it; plan anew` })
