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

/** The text that goes to stderr: `error:` and `hint:` lines, or one JSON object. */
export function renderFailure({ kind, message, details }: Failure, json: boolean): string {
  const { hint = null, status = null, code = null, method = null, url = null } = details
  if (json) return `${JSON.stringify({ error: { kind, message, hint, status, code, method, url } })}\n`
  return `error: ${message}\n${hint === null ? '' : `hint: ${hint}\n`}`
}
