import { createHash } from 'node:crypto'
import type { Plan, Shard, Step } from './plan.ts'
import { createSpool } from './spool.ts'
import { dependenciesOf } from './steps.ts'

/**
 * One part of a plan that several machines apply together: the steps whose keys hash to this part, and the steps on which these depend.
 * Several parts can contain the same dependency; `shared` says which of them creates the record.
 */
export function selectShard({ anew: _, ...plan }: Plan, shard: Shard): Plan {
  const dependencies = new Map(Array.from(plan.steps, step => [step.key, dependenciesOf(step)]))
  const required = new Set([...dependencies.values()].flat())
  const selected = new Set<string>()
  const select = (key: string) => {
    if (selected.has(key)) return
    selected.add(key)
    dependencies.get(key)?.forEach(select)
  }
  for (const key of dependencies.keys()) if (isInShard(key, shard)) select(key)
  const steps = createSpool<Step>()
  for (const step of plan.steps) {
    if (!selected.has(step.key)) continue
    const isShared = step.action === 'create' && required.has(step.key)
    const shared = isInShard(step.key, shard) ? 'here' : 'elsewhere'
    steps.add(isShared ? { ...step, shared } : step)
  }
  return { ...plan, part: shard, steps }
}

/** Whether a step is in a part. It depends only on the key, so that all machines agree even if their plans differ. */
const isInShard = (key: string, { part, of }: Shard): boolean =>
  createHash('sha256').update(key).digest().readUInt32BE() % of === part - 1
