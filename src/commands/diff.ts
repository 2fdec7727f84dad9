import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { Values } from '../client/client.ts'
import { exitStatus } from '../failure.ts'
import { answers, rowsOf, stepShape } from './shared/answers.ts'
import { type FileOptions, fileOptions, planFiles } from './shared/plan-from-files.ts'
import { checkWritable } from './shared/writable-file.ts'

/** calctl diff <file...>: what apply would do; ends with 1 if that is anything. */
export function diff(command: Command, app: App): void {
  command
    .argument('<file...>', 'CSV, TSV, JSON, NDJSON, YAML or iCalendar; a path, an address, or - for stdin')
    .option('--save <path>', 'keep the plan, for: calctl apply plan.json')
  fileOptions(command)
  answers(command, rowsOf(stepShape)).action(
    async (files: string[], options: FileOptions & Values & { readonly save?: string }) => {
      const { checkOverwrite, savePlan } = await import('../plan/plan-file.ts')
      const { save } = options
      const path = resolve(app.world.cwd, save ?? '')
      if (save !== undefined) {
        checkWritable(path, save)
        await checkOverwrite(path, save)
      }
      const plan = await planFiles(app, files, options)
      const { checkInvalid } = await import('../plan/limits.ts')
      const { showPlan } = await import('./shared/plan-output.ts')
      if (save !== undefined) await savePlan(path, save, plan)
      app.status = plan.steps.length > 0 ? 1 : 0
      // `calctl diff … | head -1` asks the same question.
      app.world.statusUnread = plan.invalid.length > 0 ? exitStatus.usage : app.status
      await showPlan(app, plan)
      checkInvalid(plan)
    },
  )
}
