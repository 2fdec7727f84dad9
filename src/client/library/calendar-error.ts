import { Failure, usage } from '../../base/failure.ts'
import { nearest } from '../../base/text/similarity.ts'

/** What the libraries throw: a failure with a `kind` for programs, and a sentence and a hint for people. */
export class CalendarError extends Error {
  readonly kind: Failure['kind']
  /** The error code of the answer, or the kind where there was no answer. */
  readonly code: string
  /** The HTTP status of the answer. */
  readonly status: number | undefined
  /** The next step. */
  readonly hint: string | undefined
  /** After a write: the fields that are not as requested, or changed without being requested. */
  readonly drift: Failure['details']['drift']
  /** The record after a write with drift. */
  readonly record: Failure['details']['record']

  constructor({ kind, message, details }: Pick<Failure, 'kind' | 'message' | 'details'>) {
    super(message)
    this.name = 'CalendarError'
    this.kind = kind
    this.code = details.code ?? kind
    this.status = details.status
    this.hint = details.hint
    this.drift = details.drift
    this.record = details.record
  }
}

/** Calls a function of a library; its failures are thrown as a `CalendarError`. */
export async function withCalendarErrors<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw asCalendarError(error)
  }
}

/** A failure as a `CalendarError`; any other error is a bug, and stays as it is. */
export const asCalendarError = (error: unknown): unknown =>
  error instanceof Failure ? new CalendarError(error) : error

/** The failure for a name that is not among the known ones; suggests the nearest. */
export function unknownName(message: string, name: string, known: readonly string[]): Failure {
  const suggestion = nearest(name, known)
  return usage(message, suggestion ? `did you mean ${suggestion}?` : `one of ${known.join(', ')}`)
}
