import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { changesRecord, type Wording, withRealChanges, wordingOf } from './describe.ts'
import { effectOf, type Step } from './plan.ts'
import { stepLine } from './step-lines.ts'

/** What a dry run would have done, one sentence for each record. Reads linked records whose names are not known yet. */
export async function plannedSentences(client: Client, steps: readonly Step[], now: Date): Promise<string[]> {
  const plan = { steps, made: now.toISOString() }
  await readLinkedNames(client, steps, wordingOf(plan, client.knownName))
  const wording = wordingOf(plan, client.knownName)
  return steps.map(step => plannedSentence(step, wording))
}

function plannedSentence(step: Step, wording: Wording): string {
  const shown = withRealChanges(resourceNamed(step.resource), step)
  const action = effectOf(step)
  // The values that a removal sends do not change the record.
  const record = stepLine(action === 'delete' || action === 'trash' ? { ...shown, values: {} } : shown, wording)
  if (!changesRecord(step)) return phrase('Would change nothing: {record} already has these values', { record })
  if (action === 'create') return phrase('Would create {record}', { record })
  if (action === 'update') return phrase('Would change {record}', { record })
  if (action === 'restore') return phrase('Would restore {record}', { record })
  return action === 'trash'
    ? phrase('Would move to the trash: {record}', { record })
    : phrase('Would permanently delete {record}', { record })
}

/** At most this many names are read for a dry run or a question; other records are shown by ID. */
const mostNames = 10

/** Reads the records that steps link to, if their names are not known, so that the client knows them. */
export async function readLinkedNames(client: Client, steps: Iterable<Step>, { nameOf }: Wording): Promise<void> {
  const unknown = new Map<string, { resource: Resource; id: number }>()
  for (const step of steps)
    for (const { of, id } of linksIn(step))
      if (nameOf(`${of} ${id}`) === undefined) unknown.set(`${of} ${id}`, { resource: resourceNamed(of), id })
  // A record that cannot be read is shown by its ID.
  for (const { resource, id } of [...unknown.values()].slice(0, mostNames))
    await client.get(resource, { id }).catch(() => undefined)
}

/** The existing records that a step links to. */
const linksIn = ({ resource, values }: Step): { of: ResourceName; id: number }[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const { of } = resourceNamed(resource).fields[name] ?? {}
    return of ? [value].flat().flatMap(id => (typeof id === 'number' && id > 0 ? [{ of, id }] : [])) : []
  })
