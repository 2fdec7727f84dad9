import type { Client } from '../client/client.ts'
import { resourceNamed } from '../contract/contract.ts'
import { allDates, largestPage } from '../contract/filter.ts'
import { isRemoval, type Plan, type Step } from './plan.ts'
import { recordKey } from './reader.ts'
import { nameOf } from './result.ts'
import { batches, createSpool, filtered } from './spool.ts'
import { linksOf, linkTo } from './users.ts'

/** How many users are named. */
const named = 3

/**
 * A plan that takes a run back, without the steps that take away what others use by now: records that the plan neither takes
 * away nor gives other links. Notes say which.
 */
export async function sparingUsed(client: Client, plan: Plan): Promise<Plan> {
  const removals = [...filtered(plan.steps, step => isRemoval(step) && step.resource !== 'events')]
  if (removals.length === 0) return plan
  const released = releasedBy(plan.steps)
  const users = new Map<string, string[]>()
  for await (const { step, resource, id, field } of usesOf(client, removals)) {
    const gone = released.get(recordKey(resource, id))
    if (gone === 'all' || gone?.has(field)) continue
    users.set(step.key, [...(users.get(step.key) ?? []), `${resourceNamed(resource).singular} ${id}`])
  }
  if (users.size === 0) return plan
  const steps = createSpool<Step>()
  for (const step of plan.steps) if (!users.has(step.key)) steps.add(step)
  const notes = removals.flatMap(step => {
    const names = users.get(step.key)
    return names ? [`${nameOf(step)} is used by ${listed(names)}, it is left alone`] : []
  })
  return { ...plan, steps, notes: [...(plan.notes ?? []), ...notes] }
}

/** What records do not link by any more once a plan is carried out: fields by `recordKey`, or all where they are gone. */
function releasedBy(steps: Iterable<Step>): Map<string, ReadonlySet<string> | 'all'> {
  const released = new Map<string, ReadonlySet<string> | 'all'>()
  for (const step of steps)
    if (step.id !== undefined && (step.resource === 'events' || step.resource === 'categories'))
      released.set(recordKey(step.resource, step.id), isRemoval(step) ? 'all' : new Set(Object.keys(step.values)))
  return released
}

/** A record that links to one that a step takes away. */
interface Use {
  readonly step: Step
  readonly resource: 'events' | 'categories'
  readonly id: number
  readonly field: string
}

/** Who uses what steps take away, read by pages. */
async function* usesOf(client: Client, removals: readonly Step[]): AsyncGenerator<Use> {
  for (const steps of byList(removals)) {
    const [{ resource, language }] = steps
    const byId = new Map(steps.map(step => [step.id, step]))
    const field = linkTo(resource)
    const of = { per_page: largestPage, ...(language && { lang_code: language }) }
    for (const some of batches(steps.filter(mayBeUsed), largestPage)) {
      const filters = { ...allDates, ...of, [field]: some.map(({ id }) => id).join(',') }
      for await (const { records } of client.pages(resourceNamed('events'), filters))
        for (const record of records)
          for (const link of linksOf(record, field)) {
            const step = byId.get(link)
            if (step) yield { step, resource: 'events', id: record.id, field }
          }
    }
    if (resource !== 'categories') continue
    for await (const { records } of client.pages(resourceNamed('categories'), { ...of, hide_empty: false }))
      for (const { id, parent } of records) {
        const step = byId.get(Number(parent))
        if (step) yield { step, resource: 'categories', id, field: 'parent' }
      }
  }
}

/** Steps whose records stand in one list. */
function byList(steps: readonly Step[]): Iterable<[Step, ...Step[]]> {
  const lists = new Map<string, [Step, ...Step[]]>()
  for (const step of steps) {
    const key = `${step.resource} ${step.language ?? ''}`
    const list = lists.get(key)
    if (list) list.push(step)
    else lists.set(key, [step])
  }
  return lists.values()
}

/** Only of terms it is said how many use them. */
const mayBeUsed = ({ resource, before }: Step): boolean =>
  resourceNamed(resource).trashable || Number(before?.count ?? 0) > 0

function listed(users: readonly string[]): string {
  const rest = users.length - named
  return rest > 0 ? `${users.slice(0, named).join(', ')} and ${rest} more` : users.join(', ')
}
