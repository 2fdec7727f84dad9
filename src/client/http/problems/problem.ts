/**
 * Problems between calctl and a site: the one place that knows the signatures of hosts, firewalls, security plugins and servers
 * that fail. Input: an error of a connection (`connection-problems.ts`) or an answer (`answer-problems.ts`, with the pages that
 * `page-signatures.ts` knows). Output: a `Problem`, in the words that failures of commands and `doctor` share. Nothing of it is
 * loaded before something fails.
 */
import { Failure, type FailureKind } from '../../../base/failure.ts'

/** What stands in the way, for programs. */
export type ProblemCode =
  | 'unknown-host'
  | 'connection-refused'
  | 'connection-lost'
  | 'no-network-route'
  | 'timeout'
  | 'certificate-name'
  | 'certificate-expired'
  | 'certificate-issuer'
  | 'tls'
  | 'no-https'
  | 'only-https'
  | 'redirected'
  | 'redirect-loop'
  | 'not-the-api'
  | 'login-page'
  | 'challenge'
  | 'blocked'
  | 'front-password'
  | 'closed-api'
  | 'no-namespace'
  | 'user-not-seen'
  | 'wrong-password'
  | 'passwords-off'
  | 'no-right'
  | 'maintenance'
  | 'unavailable'
  | 'too-many-requests'
  | 'fatal-error'
  | 'empty-answer'
  | 'php-messages'
  | 'clock'

/** What stands in the way, what to do about it, and whether waiting helps. */
export interface Problem {
  readonly code: ProblemCode
  readonly kind: FailureKind
  /** A sentence: what is the matter. */
  readonly message: string
  /** What to do, or whom to ask for what. */
  readonly hint: string
  /** Whether it goes away by itself, so that a run waits for that; false if trying again is certain not to help. */
  readonly passes?: boolean
  /** Whether something in front of the site answered, so that the site did not get the request. */
  readonly isInFront?: true
}

/** A problem as the failure of a command. */
export const problemFailure = ({ code, kind, message, hint, passes }: Problem): Failure =>
  new Failure(kind, message, { hint, problem: code, ...(passes !== undefined && { passes }) })
