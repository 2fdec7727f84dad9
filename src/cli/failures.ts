import { badSettings, type Failure } from '../base/failure.ts'
import { reason } from '../base/io-reasons.ts'
import { nearest } from '../base/text/similarity.ts'
import { phrase } from '../base/words/phrase.ts'

/** A file that cannot be written, and what to do about it. */
export const cannotWrite = (file: string, error: unknown, hint: string): Failure =>
  badSettings(phrase('cannot write {file}: {reason}', { file, reason: reason(error as Error) }), hint)

/** The hint for a name that is not known: the known one that was probably meant, or else another hint. */
export function meantInstead(name: string, known: readonly string[], otherwise: string): string {
  const suggestion = nearest(name, known)
  return suggestion ? phrase('did you mean {suggestion}?', { suggestion }) : otherwise
}
