import { Failure } from '../failure.ts'
import { dependenciesOf, isRemoval, type Step } from '../plan/plan.ts'

/** The properties of a step that its order depends on. */
interface StepNode {
  readonly key: string
  readonly rank: number
  readonly dependencies: readonly string[]
}

/**
 * The indexes of the steps in an order in which each comes after those it depends on, in three stages: what events link
 * to, events, and the removal of what the first two may still use.
 */
export function orderSteps(steps: Iterable<Step>): [linked: number[], events: number[], removals: number[]] {
  const nodes = Array.from(
    steps,
    (step): StepNode => ({ key: step.key, rank: rankOf(step), dependencies: dependenciesOf(step) }),
  )
  const dependedOn = new Set(nodes.flatMap(({ dependencies }) => dependencies))
  const indexByKey = new Map(nodes.flatMap(({ key }, index) => (dependedOn.has(key) ? [[key, index]] : [])))
  const state: ('visiting' | 'sorted' | undefined)[] = []
  const sorted: number[] = []
  const visit = (index: number, path: readonly string[]) => {
    const { key = '', dependencies = [] } = nodes[index] ?? {}
    if (state[index] === 'sorted') return
    if (state[index] === 'visiting') throw circular([...path.slice(path.indexOf(key)), key])
    state[index] = 'visiting'
    for (const dependency of dependencies) {
      const other = indexByKey.get(dependency)
      if (other !== undefined) visit(other, [...path, key])
    }
    state[index] = 'sorted'
    sorted.push(index)
  }
  const rankAt = (index: number) => nodes[index]?.rank ?? 0
  const ranked = [...nodes.keys()].toSorted((one, other) => rankAt(one) - rankAt(other))
  for (const index of ranked) if (rankAt(index) < firstRemoval) visit(index, [])
  const writes = sorted.splice(0)
  for (const index of ranked) visit(index, [])
  const isOfEvent = (index: number) => rankAt(index) === eventRank
  return [writes.filter(index => !isOfEvent(index)), writes.filter(isOfEvent), sorted]
}

const eventRank = 1
const firstRemoval = 2

function rankOf(step: Step): number {
  const isEvent = step.resource === 'events'
  if (isRemoval(step)) return firstRemoval + (isEvent ? 0 : 1)
  return isEvent ? eventRank : 0
}

const circular = (path: readonly string[]) =>
  new Failure('usage', `circular references: ${path.join(' → ')}`, {
    hint: 'create one of them without the other, and link it afterwards',
  })
