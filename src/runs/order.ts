import { Failure } from '../failure.ts'
import { dependenciesOf, isRemoval, type Step } from '../plan/plan.ts'

/** What the order of a step depends on. */
interface Place {
  readonly key: string
  readonly rank: number
  readonly needs: readonly string[]
}

/**
 * The places of the steps in an order in which each comes after those it needs, in two stages: the second takes away what the
 * first may still use. What events link to comes before events.
 */
export function stages(steps: Iterable<Step>): [first: number[], last: number[]] {
  const places = Array.from(steps, (step): Place => ({ key: step.key, rank: rank(step), needs: dependenciesOf(step) }))
  const needed = new Set(places.flatMap(({ needs }) => needs))
  const byKey = new Map(places.flatMap(({ key }, index) => (needed.has(key) ? [[key, index]] : [])))
  const state: ('open' | 'placed' | undefined)[] = []
  const sorted: number[] = []
  const place = (index: number, path: readonly string[]) => {
    const { key = '', needs = [] } = places[index] ?? {}
    if (state[index] === 'placed') return
    if (state[index] === 'open') throw circular([...path, key])
    state[index] = 'open'
    for (const need of needs) {
      const before = byKey.get(need)
      if (before !== undefined) place(before, [...path, key])
    }
    state[index] = 'placed'
    sorted.push(index)
  }
  const rankOf = (index: number) => places[index]?.rank ?? 0
  const ranked = [...places.keys()].toSorted((one, other) => rankOf(one) - rankOf(other))
  for (const index of ranked) if (rankOf(index) < firstRemoval) place(index, [])
  const first = sorted.splice(0)
  for (const index of ranked) place(index, [])
  return [first, sorted]
}

const firstRemoval = 2

function rank(step: Step): number {
  const isEvent = step.resource === 'events'
  if (isRemoval(step)) return firstRemoval + (isEvent ? 0 : 1)
  return isEvent ? 1 : 0
}

const circular = (path: readonly string[]) =>
  new Failure('usage', `each of these needs the one after it to be there first: ${path.join(', ')}`, {
    hint: 'make one of them without the other, and link it afterwards',
  })
