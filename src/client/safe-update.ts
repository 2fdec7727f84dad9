import { type Answer, type Resource, withAffectedFields } from '../contract/resource.ts'
import { preservedFields } from '../contract/round-trip.ts'
import { Failure } from '../failure.ts'
import type { Client, Ref, Values } from './client.ts'
import { type Difference, type Differences, differences, wasApplied } from './compare.ts'

/** The record after an update, and the fields that are not as they should be. */
export interface UpdateResult {
  readonly record: Answer
  /** Fields that changed without being requested, and requested changes that were not applied. */
  readonly drift: Differences
}

/**
 * Makes the requested changes and no others, on any implementation, in two requests: reads the record, sends the changes
 * together with every field that its absence would clear, and compares the answer with what it should be. `access` are the
 * values that reading the record takes, such as its password.
 */
export async function safeUpdate(
  client: Client,
  resource: Resource,
  ref: Ref,
  access: Values,
  change: (before: Answer) => Promise<Values>,
): Promise<UpdateResult> {
  const before = await readForUpdate(client, resource, ref, access)
  return updateKnown(client, resource, before, await change(before))
}

/** Reads a record that is to be changed; `access` are the values that reading it takes, such as its password. */
export const readForUpdate = (client: Client, resource: Resource, ref: Ref, access: Values): Promise<Answer> =>
  client.get(resource, ref, access)

const inTrash = (client: Client, resource: Resource, { id }: Answer) =>
  new Failure('refused', `${resource.singular} ${id} is in the trash of ${client.calendar.label}`, {
    hint: `restore it first with: calctl ${resource.name} restore ${id}`,
  })

/** A safe update of a record that has just been read, in one request. */
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
    drift: {
      ...unrequestedChanges(resource, before, record, values),
      ...unappliedChanges(resource, before, record, values),
    },
  }
}

/** null removes an image according to the documentation; production refuses null, and removes it when it is left out. */
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

function unrequestedChanges(resource: Resource, before: Answer, after: Answer, values: Values): Differences {
  const expected = new Set(Object.keys(values).flatMap(name => withAffectedFields(resource, name)))
  const changed = Object.entries(differences(resource, before, after))
  return Object.fromEntries(changed.filter(([name]) => !expected.has(name)))
}

function unappliedChanges(resource: Resource, before: Answer, after: Answer, values: Values): Differences {
  const missed = Object.entries(values).filter(([name, asked]) => {
    const field = resource.fields[name]
    return field && !field.queryOnly && !wasApplied(name, field, asked, after)
  })
  return Object.fromEntries(missed.map(([name, asked]) => [name, { before: before[name], after: after[name], asked }]))
}

/** The failure of an update with drift; undefined without. */
export function driftFailure(resource: Resource, { record, drift }: UpdateResult): Failure | undefined {
  const fields = Object.keys(drift)
  if (fields.length === 0) return undefined
  const list = Object.entries(drift).map(([name, difference]) => `${name} ${describe(difference)}`)
  return new Failure('conflict', `${resource.singular} ${record.id} differs from the request: ${list.join('; ')}`, {
    hint: `see it with: calctl ${resource.name} get ${record.id} --fields ${fields.join(',')}`,
    drift,
    record,
  })
}

const describe = (difference: Difference): string =>
  'asked' in difference
    ? `should be ${JSON.stringify(difference.asked)} but is ${JSON.stringify(difference.after)}`
    : `changed from ${JSON.stringify(difference.before)} to ${JSON.stringify(difference.after)} although it was not part of the request`

/** The record of an update without drift; throws `conflict` otherwise. */
export function requireNoDrift(resource: Resource, result: UpdateResult): Answer {
  const failure = driftFailure(resource, result)
  if (failure) throw failure
  return result.record
}
