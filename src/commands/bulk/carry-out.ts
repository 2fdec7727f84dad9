import type { Command } from 'commander'
import type { App } from '../../app.ts'
import type { Plan } from '../../bulk/plan.ts'
import { Failure, someFailed } from '../../failure.ts'

/** How a plan is to be carried out. */
export interface CarryOptions {
  readonly dryRun?: true
  readonly skipInvalid?: true
}

/** Adds how a plan is to be carried out. */
export const carryOptions = (command: Command): Command =>
  command
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('--skip-invalid', 'do the others where some records cannot be done')

/** Shows a plan, asks, and does it. */
export async function carryOut(app: App, plan: Plan, options: CarryOptions): Promise<void> {
  const { endLines, planLines } = await import('../../bulk/show.ts')
  if (options.dryRun) {
    if (app.globals.json || app.globals.output) return app.printValue(plan)
    for (const line of planLines(plan)) await app.world.stdout.write(`${line}\n`)
    return
  }
  for (const line of endLines(plan)) await app.notice(line)
  if (plan.invalid.length > 0 && !options.skipInvalid)
    throw new Failure('usage', `${plan.invalid.length} of the records cannot be done; nothing was sent`, {
      hint: 'mend them, or do the others with: --skip-invalid',
    })
  if (plan.steps.length === 0) return
  await confirmed(app, plan)
  const { runPlan } = await import('../../bulk/run.ts')
  const client = await app.writer()
  const { results } = await runPlan(plan, { client, now: () => app.world.now().getTime() })
  const failures = [...results.values()].flatMap(({ failure }) => failure ?? [])
  if (failures.length > 0) throw someFailed(failures, plan.steps.length)
}

async function confirmed(app: App, plan: Plan): Promise<void> {
  if (app.globals.yes) return
  const { summary } = await import('../../bulk/plan.ts')
  if (!app.canAsk)
    throw new Failure('declined', `nobody can be asked whether to do this: ${summary(plan)}`, {
      hint: 'to do it without being asked add: --yes; to look at it closely: --dry-run',
    })
  const { askYesNo } = await import('../../terminal/prompts.ts')
  if (!(await askYesNo(app.world, 'do this?')))
    throw new Failure('declined', 'left everything as it was', { hint: 'to look at it closely add: --dry-run' })
}
