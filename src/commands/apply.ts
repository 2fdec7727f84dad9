import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { Values } from '../client/client.ts'
import { Failure } from '../failure.ts'
import { answers, planAnswer } from './shared/answers.ts'
import { applyPlan, type PlanOptions, planOptions } from './shared/apply-plan.ts'
import { type FileOptions, fileOptions, planFiles } from './shared/plan-from-files.ts'

/** calctl apply <file...>: records of files, created or updated. */
export function apply(command: Command, app: App): void {
  command.argument(
    '<file...>',
    'CSV, TSV, JSON, NDJSON, YAML or iCalendar: a path, a URL, or - for stdin; or a saved plan',
  )
  fileOptions(command)
  const ofFiles = [...command.options]
  planOptions(command)
  answers(command, planAnswer).action(async (files: string[], options: FileOptions & PlanOptions & Values) => {
    const [file = '', ...others] = files
    const { checkPlanTarget, readPlan } = await import('../plan/plan-file.ts')
    const saved = others.length === 0 ? await readPlan(resolve(app.world.cwd, file), file) : undefined
    if (!saved) return applyPlan(app, await planFiles(app, files, options), options)
    const idle = ofFiles.find(option => options[option.attributeName()] !== undefined)
    if (idle) throw madeAlready(idle.long ?? idle.flags)
    const client = await app.client({ toPlan: true })
    checkPlanTarget(saved, client)
    return applyPlan(app, saved, options, { isSaved: true })
  })
}

const madeAlready = (option: string) =>
  new Failure('usage', `${option} has no effect on a saved plan`, {
    hint: 'leave it out, or make a new plan with: calctl diff --save',
  })
