import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { changesOf, stepLine, type Wording, wordingOf } from '../../plan/describe.ts'
import { changedValues } from '../../plan/diff.ts'
import { type Action, effectOf, type Step } from '../../plan/plan.ts'
import { recordInFull, recordName } from '../../terminal/record-name.ts'

/** A step that was done, with the record that was answered. */
export interface DoneStep {
  readonly step: Step
  readonly record: Answer
}

/** What was done, in a sentence for each record: `Changed "Mercat" (57): title "Mercat de pagès" → "Mercat"`. */
export function doneSentences(client: Client, done: readonly DoneStep[], now: Date): string[] {
  // The answers have the names of the records that are linked now.
  const linked = done.flatMap(({ step, record }) => [step, { ...step, before: record }])
  const wording = wordingOf({ steps: linked, made: now.toISOString() }, client.knownName)
  return done.map(one => doneSentence(one, wording))
}

function doneSentence({ step, record }: DoneStep, wording: Wording): string {
  const resource = resourceNamed(step.resource)
  const inFull = recordInFull(resource, { record, year: wording.year })
  const action = effectOf(step)
  if (action === 'trash') return `Moved to the trash: ${inFull}`
  if (action === 'delete') return `Deleted ${inFull}`
  if (action !== 'update') return `${action === 'create' ? 'Created' : 'Restored'} ${inFull}${statusOf(record)}`
  const changes = changesOf(withRealChanges(resource, step), wording)
  const name = recordName(resource, { record })
  return changes.length > 0 ? `Changed ${name}: ${changes.join(', ')}` : `Saved ${name}, which already had these values`
}

/** Of a record that not everybody sees. */
const statusOf = ({ status }: Answer): string =>
  status === undefined || status === 'publish' ? '' : `, status ${status}`

const conditionals: Readonly<Record<Action, string>> = {
  create: 'Would create',
  update: 'Would change',
  trash: 'Would move to the trash:',
  delete: 'Would permanently delete',
  restore: 'Would restore',
}

/** What a dry run did not do, in a sentence for each record. Linked records whose names are not known yet are read for it. */
export async function plannedSentences(client: Client, steps: readonly Step[], now: Date): Promise<string[]> {
  const plan = { steps, made: now.toISOString() }
  await readLinkedNames(client, steps, wordingOf(plan, client.knownName))
  const wording = wordingOf(plan, client.knownName)
  return steps.map(step => `${conditionals[effectOf(step)]} ${plannedStep(step, wording)}`)
}

function plannedStep(step: Step, wording: Wording): string {
  const shown = withRealChanges(resourceNamed(step.resource), step)
  if (!changesRecord(step)) return `nothing: ${stepLine(shown, wording)} already has these values`
  // What a removal sends is no change of the record.
  return stepLine(effectOf(step) === 'delete' || effectOf(step) === 'trash' ? { ...shown, values: {} } : shown, wording)
}

/** Whether a step changes its record: an update may have only values that are there already. */
export const changesRecord = (step: Step): boolean =>
  effectOf(step) !== 'update' || Object.keys(withRealChanges(resourceNamed(step.resource), step).values).length > 0

/** A step with only the fields that it changes, without passwords that unlock the record. */
function withRealChanges(resource: Resource, step: Step): Step {
  const { before, values } = step
  const real = before ? changedValues(resource, before, values) : values
  const isShown = (name: string) =>
    !resource.fields[name]?.queryOnly && (name in real || resource.fields[name]?.secret === true)
  return { ...step, values: Object.fromEntries(Object.entries(values).filter(([name]) => isShown(name))) }
}

/** At most this many names are read for a dry run or a question; the other records are shown by their IDs. */
const mostNames = 10

/** Reads the records that steps link to and whose names are not known, so that the client knows them. */
export async function readLinkedNames(client: Client, steps: Iterable<Step>, { nameOf }: Wording): Promise<void> {
  const unknown = new Map<string, { resource: Resource; id: number }>()
  for (const { resource, values } of steps)
    for (const [name, value] of Object.entries(values)) {
      const { of } = resourceNamed(resource).fields[name] ?? {}
      for (const id of of ? [value].flat() : [])
        if (of && typeof id === 'number' && id > 0 && nameOf(`${of} ${id}`) === undefined)
          unknown.set(`${of} ${id}`, { resource: resourceNamed(of), id })
    }
  // A record that cannot be read is shown by its ID.
  for (const { resource, id } of [...unknown.values()].slice(0, mostNames))
    await client.get(resource, { id }).catch(() => undefined)
}
