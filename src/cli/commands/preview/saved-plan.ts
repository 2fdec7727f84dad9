import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { usage } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import type { Plan } from '../../../changes/plan/plan.ts'
import { readPlan } from '../../../changes/plan/plan-file.ts'
import type { App } from '../../app.ts'

/** The plan in a file; throws `usage` if it has none. */
export async function savedPlan({ world }: App, file: string): Promise<Plan> {
  const path = resolve(world.cwd, file)
  const plan = await readPlan(path, file)
  if (plan) return plan
  const reason = phrase('no such file')
  throw usage(
    existsSync(path)
      ? phrase('{file} is not a saved plan', { file })
      : phrase('cannot read {file}: {reason}', { file, reason }),
    phrase('save one with: calctl diff FILE --save plan.json'),
  )
}
