import pMap from 'p-map'
import type { Client } from '../client/client.ts'
import { effectOf, type Plan, type Step } from './plan.ts'
import { recordKey } from './reader.ts'
import { nameOf } from './result.ts'
import { createSpool, filtered } from './spool.ts'
import { linkTo, type Users, usersOf } from './users.ts'

const concurrency = 4

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
  const look = async (step: Step) => {
    const users = othersAmong(await usersOf(client, step), step, released)
    const note = `${nameOf(step)} is used by ${listed(users)}, it is left alone`
    return users.length > 0 ? [[step.key, note] as const] : []
  }
  const spared = new Map((await pMap(removals, look, { concurrency })).flat())
  if (spared.size === 0) return plan
  const steps = createSpool<Step>()
  for (const step of plan.steps) if (!spared.has(step.key)) steps.add(step)
  return { ...plan, steps, notes: [...(plan.notes ?? []), ...spared.values()] }
}

const isRemoval = (step: Step): boolean => effectOf(step) === 'trash' || effectOf(step) === 'delete'

/** What records do not link by any more once a plan is carried out: fields by `recordKey`, or all where they are gone. */
function releasedBy(steps: Iterable<Step>): Map<string, ReadonlySet<string> | 'all'> {
  const released = new Map<string, ReadonlySet<string> | 'all'>()
  for (const step of steps)
    if (step.id !== undefined && (step.resource === 'events' || step.resource === 'categories'))
      released.set(recordKey(step.resource, step.id), isRemoval(step) ? 'all' : new Set(Object.keys(step.values)))
  return released
}

function othersAmong(users: Users, step: Step, released: ReturnType<typeof releasedBy>): string[] {
  const others = (resource: 'events' | 'categories', field: string) =>
    (users[resource] ?? []).filter(id => {
      const gone = released.get(recordKey(resource, id))
      return gone !== 'all' && !gone?.has(field)
    })
  return [
    ...others('events', linkTo(step.resource)).map(id => `event ${id}`),
    ...others('categories', 'parent').map(id => `category ${id}`),
  ]
}

function listed(users: readonly string[]): string {
  const rest = users.length - named
  return rest > 0 ? `${users.slice(0, named).join(', ')} and ${rest} more` : users.join(', ')
}
