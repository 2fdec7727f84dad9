import type { Plan, Step } from './plan.ts'
import { createSpool } from './spool.ts'
import { dependenciesOf } from './steps.ts'

/** A plan without these steps and those that depend on them. */
export function leaveOut({ anew: _, ...plan }: Plan, keys: ReadonlySet<string>): Plan {
  const out = new Set(keys)
  const dependencies = new Map(Array.from(plan.steps, step => [step.key, dependenciesOf(step)]))
  for (let before = -1; before < out.size; ) {
    before = out.size
    for (const [key, needed] of dependencies) if (needed.some(one => out.has(one))) out.add(key)
  }
  const steps = createSpool<Step>()
  for (const step of plan.steps) if (!out.has(step.key)) steps.add(step)
  return { ...plan, steps }
}
