import type { App } from '../../app.ts'
import type { Plan } from '../../plan/plan.ts'

/** Prints a plan, field by field; as YAML or JSON where that is asked for. */
export async function showPlan(app: App, plan: Plan): Promise<void> {
  if (app.output === 'yaml') return app.printValue({ ...plan, steps: [...plan.steps] })
  if (app.output) return printJson(app, plan)
  const { planLines } = await import('../../plan/describe.ts')
  for (const line of planLines(plan)) await app.world.stdout.write(`${line}\n`)
}

/** There may be many steps: none is kept. */
async function printJson({ world: { stdout } }: App, plan: Plan): Promise<void> {
  const { planJson } = await import('../../plan/plan-text.ts')
  const { escapeControls } = await import('../../text/sanitize.ts')
  for (const line of planJson(plan)) await stdout.write(stdout.isTTY ? escapeControls(line) : line)
}
