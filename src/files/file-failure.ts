import { Failure } from '../base/failure.ts'

/** The failure for a file that cannot be read or written as a whole, with what to do about it. */
export const fileFailure = (message: string, hint?: string): Failure =>
  new Failure('usage', message, hint === undefined ? {} : { hint })
