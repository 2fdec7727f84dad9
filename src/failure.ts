/** What can go wrong, and the exit status it ends with. Part of the public interface. */
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

/** What went wrong, as it stands in an error as JSON. */
export type FailureKind = keyof typeof exitStatus

interface Details {
  /** The next step, as a sentence without a full stop. */
  readonly hint?: string
  /** HTTP status of the answer that said no. */
  readonly status?: number
  /** Error code in that answer. */
  readonly code?: string
  readonly method?: string
  readonly url?: string
  /** The language in which a missing record exists. */
  readonly language?: string
  /** Fields that are not as they should be after a write. */
  readonly drift?: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
  /** The record as the service has it, for a write that was done all the same. */
  readonly record?: { id: number; [key: string]: unknown }
  /**
   * Whether what was asked was done, where no answer says so: `no` if it certainly was not, `unknown` if the answer was lost,
   * `late` if it may even be under way still.
   */
  readonly done?: 'no' | 'unknown' | 'late'
  /** Whoever asked waited as long as they said they would. */
  readonly timedOut?: boolean
  /** What went wrong with each of many, for `partial`. */
  readonly causes?: readonly Failure[]
}

/** A failure a user can cause. Anything thrown that is not one is a bug and shows its stack. */
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

/** Two options that cannot both be meant. */
export const excluding = (one: string, other: string): Failure =>
  new Failure('usage', `${one} and ${other} exclude each other`, { hint: 'leave one of them out' })

/** An option's value that is not of the kind it should be. */
export const wrongValue = (option: string, expected: string, given: string, example: string): Failure =>
  new Failure('usage', `${option}: expected ${expected}, got "${given}"`, { hint: `for example: ${option} ${example}` })

/** The text that goes to stderr: `error:` and `hint:` lines, or one JSON object. */
export function renderFailure(failure: Failure, json: boolean): string {
  if (json) return `${JSON.stringify({ error: asData(failure) })}\n`
  const { causes = [], hint } = failure.details
  const lines = [...causes.map(cause => renderFailure(cause, false)), `error: ${failure.message}\n`]
  return lines.join('') + (hint ? `hint: ${hint}\n` : '')
}

function asData({ kind, message, details }: Failure): object {
  const { hint = null, status = null, code = null, method = null, url = null, drift, causes } = details
  const data = { kind, message, hint, status, code, method, url, ...(drift && { drift }) }
  return causes ? { ...data, errors: causes.map(asData) } : data
}

/** What many writes or reads end with when some failed: `conflict` if all that failed were conflicts. */
export function someFailed(causes: readonly Failure[], total: number): Failure {
  const kind = causes.every(cause => cause.kind === 'conflict') ? 'conflict' : 'partial'
  return new Failure(kind, `${causes.length} of ${total} failed`, { causes })
}
