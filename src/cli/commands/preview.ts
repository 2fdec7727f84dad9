import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import { declareOutput, textOutput } from './shared/output-forms.ts'

/** calctl preview <plan>: shows the calendar as it would be after a saved plan; nothing can be written there. */
export function preview(command: Command, app: App): void {
  declareOutput(command, textOutput)
    .argument('<plan>', phrase('A plan that calctl diff --save wrote'))
    .addHelpText('after', notes())
    .action(async (file: string) => {
      const { checkPlanTarget, readPlan } = await import('../../changes/plan/plan-file.ts')
      const path = resolve(app.world.cwd, file)
      const plan = await readPlan(path, file)
      if (!plan)
        throw usage(
          existsSync(path) ? phrase('{file} is not a saved plan', { file }) : noFile(file),
          phrase('save one with: calctl diff FILE --save plan.json'),
        )
      // The calendar file is only read, so `apply` can use it while its plan is shown.
      const client = await app.client({ mayBeNew: true })
      checkPlanTarget(plan, client)
      const { servePreview } = await import('./preview/serve-preview.ts')
      await servePreview(app, client, plan)
    })
}

const noFile = (file: string): string =>
  phrase('cannot read {file}: {reason}', { file, reason: phrase('no such file') })

const notes = () => `
${phrase('The page shows what is new, moved, changed and removed, and is served on this machine until you press Ctrl-C. Nothing is written: a plan is carried out by calctl apply.')}

Examples:
  calctl diff season.csv --save plan.json
  calctl preview plan.json
  calctl apply plan.json`
