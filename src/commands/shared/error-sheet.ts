import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import type { Plan } from '../../plan/plan.ts'
import type { WrittenSheets } from '../../runs/error-sheet.ts'
import type { StepResult } from '../../runs/result.ts'
import { checkWritable } from './writable-file.ts'

interface ErrorsFlag {
  readonly errors?: string
}

type Results = ReadonlyMap<string, StepResult>

/** Refuses --errors where it cannot be written. */
export function checkErrors({ world }: App, { errors }: ErrorsFlag): void {
  if (errors) checkWritable(resolve(world.cwd, errors), errors)
}

/** Writes what was not done to --errors, if that was given. */
export async function writtenErrors(
  app: App,
  plan: Plan,
  { errors }: ErrorsFlag,
  results: Results = new Map(),
): Promise<WrittenSheets> {
  if (!errors) return { files: [], count: 0 }
  checkErrors(app, { errors })
  const { writeErrorSheets } = await import('../../runs/error-sheet.ts')
  return writeErrorSheets(errors, plan, results, app.world.cwd)
}

/** The same, and says in which files it stands. */
export async function tellErrors(app: App, plan: Plan, flag: ErrorsFlag, results?: Results): Promise<void> {
  const { files, count } = await writtenErrors(app, plan, flag, results)
  if (count === 0 || app.output === 'json') return
  await app.notice(`${count === 1 ? '1 record' : `${count} records`} not done: ${files.join(', ')}`)
}
