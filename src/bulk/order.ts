import { Failure } from '../failure.ts'
import { references, type Step } from './plan.ts'

/** The keys of the steps that have to be done before a step. */
export const needsOf = (step: Step): string[] => [...new Set([...(step.needs ?? []), ...references(step.values)])]

/** Whether a step takes a record away. */
export const isRemoval = ({ action }: Step): boolean => action === 'trash' || action === 'delete'

/**
 * The steps in an order in which each comes after those it needs, in two stages: the second takes away what the first may
 * still use. What events link to comes before events.
 */
export function stages(steps: readonly Step[]): [first: Step[], last: Step[]] {
  const byKey = new Map(steps.map(step => [step.key, step]))
  const sorted: Step[] = []
  const state = new Map<string, 'open' | 'placed'>()
  const place = (step: Step, path: readonly string[]) => {
    if (state.get(step.key) === 'placed') return
    if (state.get(step.key) === 'open') throw circular([...path, step.key])
    state.set(step.key, 'open')
    for (const key of needsOf(step)) {
      const needed = byKey.get(key)
      if (needed) place(needed, [...path, step.key])
    }
    state.set(step.key, 'placed')
    sorted.push(step)
  }
  const ranked = steps.toSorted((one, other) => rank(one) - rank(other))
  for (const step of ranked) if (!isRemoval(step)) place(step, [])
  const first = sorted.splice(0)
  for (const step of ranked) place(step, [])
  return [first, sorted]
}

function rank(step: Step): number {
  const isEvent = step.resource === 'events'
  if (isRemoval(step)) return isEvent ? 2 : 3
  return isEvent ? 1 : 0
}

const circular = (path: readonly string[]) =>
  new Failure('usage', `each of these needs the one after it to be there first: ${path.join(', ')}`, {
    hint: 'make one of them without the other, and link it afterwards',
  })
