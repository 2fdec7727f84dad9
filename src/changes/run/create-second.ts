/**
 * Creates a second venue or organizer with the same name. Some services update the existing record instead of creating another.
 * That is a conflict, and the record gets its old values back. Input: the step, with the records that had the name before.
 * Output: the new record, or the conflict, even if the answer was lost.
 */

import { Failure } from '../../base/failure.ts'
import { listOf } from '../../base/text/words.ts'
import { readAnywhere } from '../../client/adapters/reconcile.ts'
import { printable } from '../../client/adapters/write-result.ts'
import type { Client, Values, WriteResult } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Differences, differences, writableValues } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { merge } from '../../contract/three-way-merge.ts'
import type { CreateStep } from '../plan/plan.ts'

export async function createSecond(client: Client, step: CreateStep, values: Values): Promise<WriteResult> {
  const resource = resourceNamed(step.resource)
  const created = await client.create(resource, values)
  const before = step.existing?.find(({ id }) => id === created.record.id)
  if (!before) return created
  const changed = differences(resource, before, created.record)
  throw await giveBack(client, resource, { before, after: created.record, changed }, values)
}

/** A record that has values of a create in place of its own. */
interface Overwritten {
  readonly before: Answer
  readonly after: Answer
  readonly changed: Differences
}

/** The record that a create without an answer has overwritten; undefined if there is none. What others changed does not count. */
export async function overwrittenBy(
  client: Client,
  step: CreateStep,
  values: Values,
): Promise<Overwritten | undefined> {
  const resource = resourceNamed(step.resource)
  for (const before of step.existing ?? []) {
    const after = await readAnywhere(client, resource, { id: before.id }, values)
    if (!after || after.status === 'trash') continue
    const { already } = merge(resource, { mine: values, theirs: after })
    const changed = Object.entries(differences(resource, before, after)).filter(([name]) => already.includes(name))
    if (changed.length > 0) return { before, after, changed: Object.fromEntries(changed) }
  }
  return undefined
}

/** Gives a record back what it had, and says so, or what it lacks. */
export async function giveBack(
  client: Client,
  resource: Resource,
  { before, after, changed }: Overwritten,
  { lang_code }: Values,
): Promise<Failure> {
  const { id } = before
  const see = `see it with: calctl ${resource.name} get ${id}`
  const cause = `${client.calendar.label} allows only one ${resource.singular} per name and updated ${id} instead`
  const conflict = (message: string, hint: string, drift: Differences, record: Answer) =>
    new Failure('conflict', `${cause}; ${message}`, { hint, drift, record: printable(record) })
  try {
    const earlier = {
      ...writableValues(resource, before, Object.keys(changed)),
      ...(lang_code !== undefined && { lang_code }),
    }
    const { record } = await client.patch(resource, after, earlier)
    const lost = Object.fromEntries(
      Object.entries(differences(resource, before, record)).filter(([name]) => name in changed),
    )
    if (Object.keys(lost).length === 0)
      return conflict('its former values were restored', 'choose another name, or add --if-exists reuse', {}, record)
    return conflict(`it has another ${listOf(Object.keys(lost))} now`, see, lost, record)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return conflict(`it has another ${listOf(Object.keys(changed))} now: ${error.message}`, see, changed, after)
  }
}
