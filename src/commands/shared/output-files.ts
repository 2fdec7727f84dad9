import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { Failure } from '../../failure.ts'
import type { Plan } from '../../plan/plan.ts'
import type { WrittenSheets } from '../../runs/error-sheet.ts'
import type { StepResult } from '../../runs/result.ts'
import { counted, listOf, nounFor } from '../../text/words.ts'

interface ErrorSheetOptions {
  readonly errors?: string
}

type Results = ReadonlyMap<string, StepResult>

/** Throws `usage` if --errors cannot be written. */
export function checkErrorSheet({ world }: App, { errors }: ErrorSheetOptions): void {
  if (errors) checkWritable(resolve(world.cwd, errors), errors)
}

/** Writes the records that were not applied to --errors, if that is given. */
export async function writeErrorSheet(
  app: App,
  plan: Plan,
  { errors }: ErrorSheetOptions,
  results: Results = new Map(),
): Promise<WrittenSheets> {
  if (!errors) return { files: [], count: 0 }
  checkErrorSheet(app, { errors })
  const { writeErrorSheets } = await import('../../runs/error-sheet.ts')
  return writeErrorSheets(errors, plan, results, app.world.cwd)
}

/** The same, and names the files in a notice. */
export async function reportErrorSheet(
  app: App,
  plan: Plan,
  options: ErrorSheetOptions,
  results?: Results,
): Promise<void> {
  const { files, count } = await writeErrorSheet(app, plan, options, results)
  if (count === 0 || app.output === 'json') return
  await app.notice(
    `wrote ${counted(count, 'record')} that ${nounFor(count, 'was', 'were')} not applied to ${listOf(files)}`,
  )
}

/** Throws `usage` for a file that cannot be written, before there is something to write. */
export function checkWritable(path: string, name: string): void {
  const existed = existsSync(path)
  try {
    closeSync(openSync(path, 'a'))
  } catch (error) {
    throw new Failure('usage', `cannot write ${name}: ${(error as Error).message}`, { hint: 'choose another file' })
  }
  if (!existed) rmSync(path)
}
