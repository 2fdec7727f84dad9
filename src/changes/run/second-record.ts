import { asFailure, Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { readAnywhere } from '../../client/adapters/reconcile.ts'
import type { Client, Values, WriteResult } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { type Differences, differences, onlyShown, writableValues } from '../../contract/record.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { recordNoun } from '../../contract/resource-words.ts'
import { threeWayMerge } from '../../contract/three-way-merge.ts'
import { fieldList } from '../plan/names.ts'
import type { CreateStep } from '../plan/plan.ts'

/**
 * Creates a second venue or organizer with the same name. Some services update the existing record instead: that is a conflict, and the
 * record gets its old values back. Input: the step, with the records that had the name before. Output: the new record, or the conflict,
 * even if the answer was lost.
 */

export async function createSecond(client: Client, step: CreateStep, values: Values): Promise<WriteResult> {
  const resource = resourceNamed(step.resource)
  const created = await client.create(resource, values)
  const before = step.existing?.find(({ id }) => id === created.record.id)
  if (!before) return created
  const changed = differences(resource, before, created.record)
  throw await giveBack(client, resource, { before, after: created.record, changed }, values)
}

/** A record whose values were overwritten by a create. */
interface Overwritten {
  readonly before: Answer
  readonly after: Answer
  readonly changed: Differences
}

/** The record that a create without an answer has overwritten; undefined if there is none. Changes by others do not count. */
export async function overwrittenBy(
  client: Client,
  step: CreateStep,
  values: Values,
): Promise<Overwritten | undefined> {
  const resource = resourceNamed(step.resource)
  for (const before of step.existing ?? []) {
    const after = await readAnywhere(client, resource, { id: before.id }, values)
    if (!after || after.status === 'trash') continue
    const { already } = threeWayMerge(resource, { mine: values, theirs: after })
    const changed = Object.entries(differences(resource, before, after)).filter(([name]) => already.includes(name))
    if (changed.length > 0) return { before, after, changed: Object.fromEntries(changed) }
  }
  return undefined
}

/** Gives a record its old values back, and says so, or says which of them it could not get. */
export async function giveBack(
  client: Client,
  resource: Resource,
  { before, after, changed }: Overwritten,
  { lang_code }: Values,
): Promise<Failure> {
  const { id } = before
  const see = phrase('see it with: {command}', { command: `calctl ${resource.name} get ${id}` })
  const places = { calendar: client.calendar.label, record: recordNoun(resource.name), id }
  const conflict = (message: string, hint: string, drift: Differences, record: Answer) =>
    new Failure('conflict', message, { hint, drift, record: onlyShown(record) })
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
      return conflict(
        phrase(
          '{calendar} allows only one {record} per name and updated {id} instead; its former values were restored',
          places,
        ),
        phrase('choose another name, or add --if-exists reuse'),
        {},
        record,
      )
    const message = phrase(
      '{calendar} allows only one {record} per name and updated {id} instead; it has another {fields} now',
      { ...places, fields: fieldList(Object.keys(lost), resource.name) },
    )
    return conflict(message, see, lost, record)
  } catch (error) {
    const message = phrase(
      '{calendar} allows only one {record} per name and updated {id} instead; it has another {fields} now: {reason}',
      { ...places, fields: fieldList(Object.keys(changed), resource.name), reason: asFailure(error).message },
    )
    return conflict(message, see, changed, after)
  }
}
