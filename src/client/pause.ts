import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../failure.ts'

/** Resolves after so many ms; throws `interrupted` as soon as it is stopped. */
export async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal: stopping })
  } catch {
    throw new Failure('interrupted', 'stopped while waiting to try again')
  }
}
