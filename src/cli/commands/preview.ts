import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import { declareOutput, textOutput } from './shared/output-forms.ts'

/** calctl preview <plan>: shows the calendar as it would be after a saved plan; with --approve, the plan can be approved there. */
export function preview(command: Command, app: App): void {
  declareOutput(command, textOutput)
    .argument('<plan>', phrase('A plan that calctl diff --save wrote'))
    .option('--approve', phrase('Approve the plan on the page, which then carries it out'))
    .addHelpText('after', notes())
    .action(async (file: string, { approve }: { readonly approve?: true }) => {
      const { savedPlan } = await import('./preview/saved-plan.ts')
      const plan = await savedPlan(app, file)
      if (approve) return (await import('./preview/approve-plans.ts')).approvePlan(app, plan, file, true)
      const { checkPlanTarget } = await import('../../changes/plan/plan-file.ts')
      // The calendar file is only read, so `apply` can use it while its plan is shown.
      const client = await app.client({ mayBeNew: true })
      checkPlanTarget(plan, client)
      const { servePreview } = await import('./preview/plan-on-page.ts')
      await servePreview(app, client, plan)
    })
}

const notes = () => `
${phrase('The page shows what is new, moved, changed and removed, and is served on this machine until you press Ctrl-C. Nothing is written: a plan is carried out by calctl apply.')}
${phrase('With --approve the page asks about the plan: each change can be left out, Apply carries out the others, and Not this refuses the plan. One press is one permission, for ten minutes. The command ends when the plan is settled: as calctl apply does, or with 8 if it was refused.')}`
