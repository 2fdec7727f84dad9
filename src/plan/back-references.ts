import type { Client } from '../client/client.ts'
import { writableValue } from '../client/compare.ts'
import { wholeListQuery } from '../client/whole-list.ts'
import { resourceNamed } from '../contract/contract.ts'
import type { ResourceName } from '../contract/field.ts'
import { largestPage } from '../contract/filter.ts'
import type { Answer } from '../contract/resource.ts'
import type { Step } from './plan.ts'
import { batches } from './spool.ts'

const [events, categories] = [resourceNamed('events'), resourceNamed('categories')]

/** A record that links to one that a step takes away. */
interface BackReference {
  readonly step: Step
  readonly resource: 'events' | 'categories'
  readonly id: number
  readonly field: string
}

/** Who uses what steps take away, read by pages; asks only where it may be in use. */
export async function* findBackReferences(client: Client, removals: readonly Step[]): AsyncGenerator<BackReference> {
  for (const steps of groupByList(removals)) {
    const [{ resource, language }] = steps
    const byId = new Map(steps.map(step => [step.id, step]))
    const field = linkField(resource)
    for (const some of batches(steps.filter(mayBeReferenced), largestPage)) {
      const filters = wholeListQuery({ resource: events, language }, { [field]: some.map(({ id }) => id).join(',') })
      for await (const { records } of client.pages(events, filters))
        for (const record of records)
          for (const link of linkedIds(record, field)) {
            const step = byId.get(link)
            if (step) yield { step, resource: 'events', id: record.id, field }
          }
    }
    if (resource !== 'categories') continue
    const only = steps.length === 1 ? { parent: steps[0].id } : {}
    for await (const { records } of client.pages(categories, wholeListQuery({ resource: categories, language }, only)))
      for (const { id, parent } of records) {
        const step = byId.get(Number(parent))
        if (step) yield { step, resource: 'categories', id, field: 'parent' }
      }
  }
}

/** Steps whose records stand in one list. */
function groupByList(steps: readonly Step[]): Iterable<[Step, ...Step[]]> {
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
const mayBeReferenced = ({ resource, before }: Step): boolean =>
  resourceNamed(resource).trashable || Number(before?.count ?? 0) > 0

/** The field, and the filter, by which events link to records of a resource. */
function linkField(resource: ResourceName): string {
  const [name = resource] = Object.entries(events.fields).find(([, { of }]) => of === resource) ?? []
  return name
}

/** The IDs of the records that an event links to by a field. */
export const linkedIds = (event: Answer, name: string): number[] => {
  const field = events.fields[name]
  return field ? ([writableValue(field, event[name])].flat() as number[]) : []
}

/** The IDs of the records that lose a term when it is deleted: the events that have it, and the children of a category. */
export interface Referrers {
  readonly events?: readonly number[]
  readonly categories?: readonly number[]
}

/** Who loses a term that is about to be deleted; asks only where the term was in use, or may have children. */
export async function findReferrers(client: Client, step: Step): Promise<Referrers> {
  const events: number[] = []
  const categories: number[] = []
  for await (const { resource, id } of findBackReferences(client, [step]))
    (resource === 'events' ? events : categories).push(id)
  return { ...(events.length > 0 && { events }), ...(categories.length > 0 && { categories }) }
}
