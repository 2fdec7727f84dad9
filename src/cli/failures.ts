import { Failure } from '../base/failure.ts'
import { reason } from '../base/fs.ts'
import { nearest } from '../base/text/similarity.ts'
import { phrase } from '../base/words/phrase.ts'

/** A command line that cannot be carried out as it was typed, and what to type instead. */
export const usage = (message: string, hint: string): Failure => new Failure('usage', message, { hint })

/** Something around the command that does not fit: a profile, a file, a port; and what to do about it. */
export const badSettings = (message: string, hint: string): Failure => new Failure('settings', message, { hint })

/** A file that cannot be written, and what to do about it. */
export const cannotWrite = (file: string, error: unknown, hint: string): Failure =>
  badSettings(phrase('cannot write {file}: {reason}', { file, reason: reason(error as Error) }), hint)

export const forExample = (example: string): string => phrase('for example: {example}', { example })

/** The hint for a name that is not known: the known one that was probably meant, or else another hint. */
export function meantInstead(name: string, known: readonly string[], otherwise: string): string {
  const suggestion = nearest(name, known)
  return suggestion ? phrase('did you mean {suggestion}?', { suggestion }) : otherwise
}

/** A failure that was thrown, for `catch`; throws anything else again, which is a bug. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** What a function returns, or the failure that it throws. */
export function attempt<T>(work: () => T): T | Failure {
  try {
    return work()
  } catch (error) {
    return asFailure(error)
  }
}
