import { asFailure, type Failure } from './failure.ts'

/** What a function returns, or the failure that it throws. */
export function attempt<T>(work: () => T): T | Failure {
  try {
    return work()
  } catch (error) {
    return asFailure(error)
  }
}

/** The result of work, or undefined if it throws anything: for what may be missing, and for what another process may remove. */
export function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** For a `catch` after which a failure does not matter; any other error is thrown again. */
export function ignoreFailure(error: unknown): undefined {
  asFailure(error)
}
