import { phrase } from './words/phrase.ts'

/** The kinds of failure with their exit statuses. Part of the public interface. */
export const exitStatus = {
  usage: 2,
  settings: 3,
  denied: 3,
  missing: 4,
  refused: 4,
  unreachable: 5,
  partial: 6,
  conflict: 7,
  declined: 8,
  interrupted: 130,
} as const

/** The `kind` of an error in JSON. */
export type FailureKind = keyof typeof exitStatus

interface Details {
  /** The next step, often what to type; without a full stop. */
  readonly hint?: string
  /** An ambiguous value of an option, with all its readings: on a terminal, calctl asks which one is meant. */
  readonly doubt?: { readonly option: string; readonly text: string; readonly readings: readonly string[] }
  /** Whether the hint names what was probably meant. */
  readonly hasSuggestion?: boolean
  /** Whether the user declined, which is no error. */
  readonly isAnswer?: boolean
  /** The part of the hint that a failure built from this one may repeat. */
  readonly otherwise?: string
  /** The step of a run that failed, `event "Ball" (row 2)`, if the message does not name it. */
  readonly step?: string
  /** HTTP status of the response. */
  readonly status?: number
  /** Error code in the response. */
  readonly code?: string
  /** The cause, by the name that `calctl doctor` gives it. */
  readonly problem?: string
  /** Whether the site, or a server in front of it, refuses everything for a while; false if a retry cannot help. */
  readonly passes?: boolean
  /** Whether this calendar can never do it, so that a retry is useless. */
  readonly isFinal?: boolean
  /** Whether the wait for the site timed out: a run ends without marking the step as failed. */
  readonly givenUp?: boolean
  readonly method?: string
  readonly url?: string
  /** The language in which a missing record exists. */
  readonly language?: string
  /** Fields whose values differ from what was expected after an update. */
  readonly drift?: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
  /** The record after a write with drift, or after a partial write. */
  readonly record?: { id: number; [key: string]: unknown }
  /** The ID in the answer to a create, if the answer does not look like the record that was sent. */
  readonly answeredId?: number
  /** The fields that a partial write has written. */
  readonly written?: readonly string[]
  /**
   * Whether a write without a response was done: `no` if it certainly was not, `unknown` if the response was lost, `late` if the
   * write may still be in progress.
   */
  readonly done?: 'no' | 'unknown' | 'late'
  readonly timedOut?: boolean
  /** Whether the answer exceeded the size limit. */
  readonly isTooLarge?: boolean
  /** The target of a redirect that was not followed. */
  readonly redirectsTo?: string
  /** The failures of single records, for `partial`. */
  readonly causes?: readonly Failure[]
}

/** An expected error. Any other exception is a bug and is shown with its stack. */
export class Failure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly details: Details = {},
  ) {
    super(message)
    this.name = 'Failure'
  }
}

/** What was typed, or a file, that cannot be carried out as it is; and what to write instead. */
export const usage = (message: string, hint?: string): Failure =>
  new Failure('usage', message, hint === undefined ? {} : { hint })

/** Something around the command that does not fit: a profile, a folder, a port; and what to do about it. */
export const badSettings = (message: string, hint: string): Failure => new Failure('settings', message, { hint })

/** What the calendar, or calctl itself, does not do; and what to do instead. */
export const refused = (message: string, hint: string): Failure => new Failure('refused', message, { hint })

/** What does not exist in the calendar; and how to find what does. */
export const missing = (message: string, hint: string): Failure => new Failure('missing', message, { hint })

/** What somebody else has changed, or what came out otherwise than asked; and what to do about it. */
export const conflict = (message: string, hint: string): Failure => new Failure('conflict', message, { hint })

/** What is not done without a yes, where nobody can be asked; and how to say it. */
export const declined = (message: string, hint: string): Failure => new Failure('declined', message, { hint })

/** An option with a text that cannot be read, or has several meanings, one of which can be chosen at a terminal. */
export const misread = (
  option: string,
  text: string,
  { message, hint, readings }: Readonly<{ message: string; hint: string; readings?: readonly string[] }>,
): Failure =>
  new Failure('usage', `${option}: ${message}`, { hint, ...(readings && { doubt: { option, text, readings } }) })

/** A failure that was thrown, for `catch`; throws anything else again, which is a bug. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

export const forExample = (example: string): string => phrase('for example: {example}', { example })

/** The user declined. */
export const answeredNo = (message: string): Failure => new Failure('declined', message, { isAnswer: true })

/** Two options exclude each other. */
export const excluding = (one: string, other: string): Failure =>
  usage(phrase('{one} and {other} cannot be used together', { one, other }), phrase('leave one of them out'))

/** The value of an option is of the wrong kind. */
export const wrongValue = (option: string, expected: string, value: string, example: string): Failure =>
  usage(
    `${option}: ${phrase('expected {expected}, got "{text}"', { expected, text: value })}`,
    forExample(`${option} ${example}`),
  )

/** The text for stderr: `error:` and `hint:` lines, a plain sentence if the user declined, or one JSON object. */
export function renderFailure(failure: Failure, json: boolean): string {
  if (json) return `${JSON.stringify({ error: asData(failure) })}\n`
  const { causes = [], hint, isAnswer } = failure.details
  const lines = [
    ...causes.map(cause => renderFailure(cause, false)),
    `${isAnswer ? failure.message : phrase('error: {message}', { message: failure.message })}\n`,
  ]
  return lines.join('') + (hint ? `${phrase('hint: {hint}', { hint })}\n` : '')
}

function asData({ kind, message, details }: Failure): object {
  const { hint = null, status = null, code = null, method = null, url = null, problem, drift, causes } = details
  const data = { kind, message, hint, status, code, method, url, problem, drift }
  return causes ? { ...data, errors: causes.map(asData) } : data
}

/** Some of many reads or writes failed. The kind is `conflict` if all of them were conflicts. */
export function someFailed(causes: readonly Failure[], total: number): Failure {
  const kind = causes.every(cause => cause.kind === 'conflict') ? 'conflict' : 'partial'
  return new Failure(kind, phrase('{count} of {total} failed', { count: causes.length, total }), { causes })
}
