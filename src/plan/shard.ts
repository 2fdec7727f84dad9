import { createHash } from 'node:crypto'
import { dependenciesOf, type Plan, type Shard, type Step } from './plan.ts'
import { createSpool } from './spool.ts'

/**
 * The part of a plan that is left for one of several machines: the steps whose key hashes to it, and those that these need,
 * which every part has in common and makes once.
 */
export function selectShard({ anew: _, ...plan }: Plan, shard: Shard): Plan {
  const needs = new Map(Array.from(plan.steps, step => [step.key, dependenciesOf(step)]))
  const needed = new Set([...needs.values()].flat())
  const ours = new Set<string>()
  const take = (key: string) => {
    if (ours.has(key)) return
    ours.add(key)
    needs.get(key)?.forEach(take)
  }
  for (const key of needs.keys()) if (isInShard(key, shard)) take(key)
  const steps = createSpool<Step>()
  for (const step of plan.steps) {
    const isShared = step.action === 'create' && needed.has(step.key)
    const shared = isInShard(step.key, shard) ? 'here' : 'elsewhere'
    if (ours.has(step.key)) steps.add(isShared ? { ...step, shared } : step)
  }
  return { ...plan, part: shard, steps }
}

/** Whether a step belongs to a part: its key says so, whoever asks and whatever else is in the plan. */
const isInShard = (key: string, { part, of }: Shard): boolean =>
  createHash('sha256').update(key).digest().readUInt32BE() % of === part - 1
