import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import type { Plan } from '../../bulk/plan.ts'
import { Failure } from '../../failure.ts'

/** Keeps a plan in a file that nobody else reads. */
export async function savePlan(app: App, name: string, plan: Plan): Promise<void> {
  try {
    await writeFile(resolve(app.world.cwd, name), `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw new Failure('usage', `cannot write ${name}: ${(error as Error).message}`, {
      hint: 'give the path of a file that can be written: --save plan.json',
    })
  }
}

/** The plan in a file; undefined where it is a file of records, or none. */
export async function savedPlan(app: App, name: string): Promise<Plan | undefined> {
  if (!/\.json$/i.test(name)) return undefined
  try {
    const value: unknown = JSON.parse(await readFile(resolve(app.world.cwd, name), 'utf8'))
    return isPlan(value) ? value : undefined
  } catch {
    // Whoever reads the records says what is wrong with the file.
    return undefined
  }
}

const isPlan = (value: unknown): value is Plan =>
  typeof value === 'object' &&
  value !== null &&
  'calctl' in value &&
  value.calctl === 1 &&
  'steps' in value &&
  Array.isArray(value.steps) &&
  'origin' in value &&
  'invalid' in value &&
  Array.isArray(value.invalid)

/** Refuses a plan whose IDs belong elsewhere. */
export function checkOrigin(plan: Plan, origin: string): void {
  if (plan.origin === origin) return
  throw new Failure('conflict', `the plan is for ${plan.origin}, and this is ${origin}`, {
    hint: 'name the profile it was made for with -p, or plan anew with: calctl diff',
  })
}
