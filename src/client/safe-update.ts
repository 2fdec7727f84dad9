import { type Answer, affected, type Resource } from '../contract/resource.ts'
import { preservedFields } from '../contract/round-trip.ts'
import { Failure } from '../failure.ts'
import type { Client, Ref, Values } from './client.ts'
import { type Difference, type Differences, differences, wasApplied } from './compare.ts'

/** What became of an update: the record as it is now, and what is not as it was asked for. */
export interface UpdateResult {
  readonly record: Answer
  /** Fields that changed though nobody asked, and fields asked for that did not take. */
  readonly drift: Differences
}

/**
 * Changes what is asked and nothing else, on any implementation, in two requests: reads the record, sends the change with
 * every field that its absence would destroy, and compares the answer with what it should be. `unlocking` is what reading it takes.
 */
export async function safeUpdate(
  client: Client,
  resource: Resource,
  ref: Ref,
  unlocking: Values,
  change: (before: Answer) => Promise<Values>,
): Promise<UpdateResult> {
  const before = await client.get(resource, ref, unlocking)
  return updateKnown(client, resource, before, await change(before))
}

const inTrash = (client: Client, resource: Resource, { id }: Answer) =>
  new Failure('refused', `${resource.singular} ${id} is in the trash of ${client.calendar.label}`, {
    hint: `bring it back first with: calctl ${resource.name} restore ${id}`,
  })

/** A safe update of a record that has just been read: one request. */
export async function updateKnown(
  client: Client,
  resource: Resource,
  before: Answer,
  values: Values,
): Promise<UpdateResult> {
  if (before.status === 'trash' && values.status === undefined) throw inTrash(client, resource, before)
  const record = await send(client, resource, before, { ...preservedFields(resource, before, values), ...values })
  return {
    record,
    drift: { ...unasked(resource, before, record, values), ...untaken(resource, before, record, values) },
  }
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
  const expected = new Set(Object.keys(values).flatMap(name => affected(resource, name)))
  const changed = Object.entries(differences(resource, before, after))
  return Object.fromEntries(changed.filter(([name]) => !expected.has(name)))
}

function untaken(resource: Resource, before: Answer, after: Answer, values: Values): Differences {
  const missed = Object.entries(values).filter(([name, asked]) => {
    const field = resource.fields[name]
    return field && !field.queryOnly && !wasApplied(name, field, asked, after)
  })
  return Object.fromEntries(missed.map(([name, asked]) => [name, { before: before[name], after: after[name], asked }]))
}

/** The service changed what nobody asked for, or did not do what was asked; undefined where all is as it should be. */
export function driftFailure(resource: Resource, { record, drift }: UpdateResult): Failure | undefined {
  const fields = Object.keys(drift)
  if (fields.length === 0) return undefined
  const told = Object.entries(drift).map(([name, difference]) => `${name} ${sentence(difference)}`)
  return new Failure('conflict', `${resource.singular} ${record.id} is not as it should be: ${told.join('; ')}`, {
    hint: `look at it with: calctl ${resource.name} get ${record.id} --fields ${fields.join(',')}`,
    drift,
    record,
  })
}

const sentence = (difference: Difference): string =>
  'asked' in difference
    ? `should be ${JSON.stringify(difference.asked)} and is ${JSON.stringify(difference.after)}`
    : `was ${JSON.stringify(difference.before)} and became ${JSON.stringify(difference.after)}, which nobody asked for`

/** The record of an update that did what was asked and nothing else. */
export function requireNoDrift(resource: Resource, updated: UpdateResult): Answer {
  const failure = driftFailure(resource, updated)
  if (failure) throw failure
  return updated.record
}
