import { conflict } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import type { Plan } from '../plan/plan.ts'
import { createStepCheck } from './check-steps.ts'

/** Compares all records of a plan with the site before anything is written; throws `conflict` if somebody has changed one. */
export async function requireUnchanged(client: Client, plan: Plan, now: () => number): Promise<void> {
  const check = createStepCheck(plan, {
    client,
    now,
    signal: undefined,
    readAt: undefined,
    isSaved: true,
    wasSent: () => false,
    writtenIds: new Map(),
    ownRecords: new Set(),
  })
  const steps = [...plan.steps]
  for (const [index, step] of steps.entries()) {
    const verdict = await check(step, () => steps.slice(index))
    const failure = 'result' in verdict ? verdict.result.failure : undefined
    if (failure && failure.kind !== 'conflict') throw failure
    if (failure)
      throw conflict(
        phrase('{problem}; nothing was sent', { problem: failure.message }),
        phrase('make a new plan with: calctl diff FILE --save plan.json'),
      )
  }
}
