import { Failure } from '../failure.ts'

/** Sends a write that nothing can look for afterwards. A failure that leaves open whether it was done says so, and what to do first. */
export async function sendUncertain<T>(send: () => Promise<T>, mayBeDone: string, hint: string): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof Failure) || error.details.done === undefined || error.details.done === 'no') throw error
    throw new Failure(error.kind, `${error.message}; ${mayBeDone}`, { ...error.details, hint })
  }
}
