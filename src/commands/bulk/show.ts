import type { App } from '../../app.ts'
import type { Plan } from '../../bulk/plan.ts'

/** Prints a plan, field by field; as JSON or YAML where that is asked for. */
export async function showPlan(app: App, plan: Plan): Promise<void> {
  if (app.output) return app.printValue({ ...plan, steps: [...plan.steps] })
  const { planLines } = await import('../../bulk/show.ts')
  for (const line of planLines(plan)) await app.world.stdout.write(`${line}\n`)
}
