import { capitalized } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { storedValue } from '../../contract/record.ts'
import { titleOf } from '../../contract/resource.ts'
import { slugOf } from '../../contract/slug.ts'
import { describeWrites, doneSentences } from '../plan/describe.ts'
import type { Plan, Step } from '../plan/plan.ts'
import type { RunOutcome, StepResult } from '../run/result.ts'
import type { Task } from './front.ts'

type Results = ReadonlyMap<string, StepResult>

/** What was done with records that were named: `updated event 12, 1 not sent`. */
export function namedSummary({ steps }: Plan, { results }: RunOutcome): string {
  const left = [...results.values()].filter(({ state }) => state === 'skipped').length
  const done = describeWrites([...steps], results) || phrase('nothing was changed')
  return left > 0 ? phrase('{done}, {count} not sent', { done, count: left }) : done
}

/** Up to this many records have a sentence each. */
const mostSentences = 10

/** A sentence for each record that was written as it was asked, or one for many. */
export function writtenSentences(client: Client, { steps }: Plan, answers: Results, now: Date): readonly string[] {
  const done = Array.from(steps).flatMap(step => {
    const { state, record, failure } = answers.get(step.key) ?? {}
    return state === 'done' && record && !failure ? { step, record } : []
  })
  if (done.length > mostSentences) return [capitalized(describeWrites([...steps], answers))]
  return doneSentences(client, done, now)
}

/** `Undo: calctl undo 7hk`, or why that is not possible. */
export function nextLine({ plan, named }: Task, undo: string): string {
  const reason = named ? notUndoable([...plan.steps]) : undefined
  return reason === undefined ? phrase('Undo: {command}', { command: undo }) : capitalized(reason)
}

/** Why none of the steps can be undone; undefined if some can be. */
function notUndoable(steps: readonly Step[]): string | undefined {
  if (steps.every(({ action, before }) => action === 'update' && before === undefined))
    return phrase('it cannot be undone, because the record was not read first')
  return steps.every(changesKeptSecretsOnly)
    ? phrase('it cannot be undone, because no journal keeps passwords')
    : undefined
}

/** Whether a step changes nothing but passwords that existed before; an undo removes a first one. */
function changesKeptSecretsOnly({ resource, before, values }: Step): boolean {
  const { fields } = resourceNamed(resource)
  const names = Object.keys(values).filter(name => !fields[name]?.queryOnly)
  const isKept = (name: string) => fields[name]?.secret === true && before && storedValue(name, before) !== ''
  return names.length > 0 && names.every(isKept)
}

/** Says that the address of a record still has the words of its title before the correction. */
export function oldSlugNotices({ client, plan }: Task, answers: Results): string[] {
  return client.capabilities.hasPages ? [...plan.steps].flatMap(step => oldSlugNotice(client, step, answers) ?? []) : []
}

function oldSlugNotice(client: Client, { key, action, resource: name, before, values }: Step, answers: Results) {
  const resource = resourceNamed(name)
  const { record, state } = answers.get(key) ?? {}
  if (action !== 'update' || state !== 'done' || !before || !record || !('slug' in resource.fields)) return undefined
  if (values.slug !== undefined || values[resource.title] === undefined) return undefined
  const [old, slug] = [slugOf(titleOf(resource, before)), String(record.slug ?? '')]
  const wanted = slugOf(titleOf(resource, record))
  if (old === '' || slug.replace(/-\d+$/, '') !== old || wanted === old) return undefined
  const command = `calctl ${name} update ${record.id} --slug ${wanted}${client.calendar.flags ?? ''}`
  return phrase('the address still has the old title, "{slug}"; change it with: {command}', { slug, command })
}
