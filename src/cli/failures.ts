import { Failure } from '../base/failure.ts'

/** A command line that cannot be carried out as it was typed, and what to type instead. */
export const usage = (message: string, hint: string): Failure => new Failure('usage', message, { hint })

/** Something around the command that does not fit: a profile, a file, a port; and what to do about it. */
export const badSettings = (message: string, hint: string): Failure => new Failure('settings', message, { hint })
