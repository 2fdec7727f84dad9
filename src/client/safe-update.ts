import { follows, resent } from '../contract/resend.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import { Failure } from '../failure.ts'
import type { Client, Ref, Values } from './client.ts'
import { type Differences, differences, took } from './compare.ts'

/** What became of an update: the record as it is now, and what is not as it was asked for. */
export interface Updated {
  readonly record: Answer
  /** Fields that changed though nobody asked, and fields asked for that did not take. */
  readonly drift: Differences
}

/** The change to make, or how to work it out from the record as it is. */
export type Change = Values | ((before: Answer) => Values | Promise<Values>)

/**
 * Changes what is asked and nothing else, on any implementation, in two requests: reads the record, sends the change with
 * every field that its absence would destroy, and compares the answer with what it should be.
 */
export async function safeUpdate(client: Client, resource: Resource, ref: Ref, change: Change): Promise<Updated> {
  const unlocking = typeof change === 'function' ? {} : unlockingValues(resource, change)
  const before = await client.get(resource, ref, unlocking)
  const values = typeof change === 'function' ? await change(before) : change
  return updateKnown(client, resource, before, values)
}

/** A safe update of a record that has just been read: one request. */
export async function updateKnown(
  client: Client,
  resource: Resource,
  before: Answer,
  values: Values,
): Promise<Updated> {
  const record = await send(client, resource, before, { ...kept(resource, before), ...values })
  return {
    record,
    drift: { ...unasked(resource, before, record, values), ...untaken(resource, before, record, values) },
  }
}

const unlockingValues = (resource: Resource, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => resource.fields[name]?.itemOnly))

/** What has to be sent back so that it stays. */
export function kept(resource: Resource, before: Answer): Values {
  const forms = Object.entries(resent[resource.name]).map(([name, form]) => [name, form(before)] as const)
  return Object.fromEntries(forms.filter(([, value]) => value !== undefined && value !== null))
}

/** An image is taken away by null where the documentation is kept to, and by leaving it out where null is refused. */
async function send(client: Client, resource: Resource, before: Answer, values: Values): Promise<Answer> {
  const ref = { id: before.id }
  if (values.image !== null) return client.update(resource, ref, values)
  try {
    return await client.update(resource, ref, values)
  } catch (error) {
    if (!(error instanceof Failure) || error.details.status !== 400) throw error
    const { image: _, ...others } = values
    return client.update(resource, ref, others)
  }
}

function unasked(resource: Resource, before: Answer, after: Answer, values: Values): Differences {
  const expected = new Set(Object.keys(values).flatMap(name => [name, ...(follows[name] ?? [])]))
  const changed = Object.entries(differences(resource, before, after))
  return Object.fromEntries(changed.filter(([name]) => !expected.has(name)))
}

function untaken(resource: Resource, before: Answer, after: Answer, values: Values): Differences {
  const missed = Object.entries(values).filter(([name, asked]) => {
    const field = resource.fields[name]
    return field && !field.itemOnly && !took(name, field, asked, after)
  })
  return Object.fromEntries(missed.map(([name]) => [name, { before: before[name], after: after[name] }]))
}
