import { Failure } from '../failure.ts'
import { connectionProblem, isTimeout, isTooLarge } from './problems/connection-problems.ts'
import type { ProblemCode } from './problems/problem.ts'
import { NoResponse, RequestTimeout } from './send.ts'

interface Attempt {
  readonly method: string
  readonly url: string
  /** In ms. */
  readonly timeout: number
  /** The proxy that was used, as `http://host:port`. */
  readonly proxy?: string | undefined
}

/** What keeps every request from being sent, not only this one. */
const beforeSending = new Set<ProblemCode>(['unknown-host', 'connection-refused', 'no-network-route', 'timeout'])

/** The failure of a request without a response; its `done` says whether the request may have been carried out nevertheless. */
export function unreachable(error: unknown, { method, url, timeout, proxy }: Attempt): Failure {
  const target = new URL(url)
  const { reason, wasSent } = error instanceof NoResponse ? error : { reason: error, wasSent: true }
  const { code, kind, message, hint, passes } = connectionProblem(reason, target, timeout)
  return new Failure(kind, message, {
    hint: proxy === undefined || wasSent ? hint : `the request goes through the proxy ${proxy}: is that right?`,
    problem: code,
    passes: !wasSent && beforeSending.has(code) ? true : passes,
    method,
    url: target.origin + target.pathname,
    timedOut: isTimeout(reason),
    isTooLarge: isTooLarge(reason),
    done: doneAfter(reason, wasSent && method !== 'GET'),
  })
}

function doneAfter(reason: unknown, wasSent: boolean): 'no' | 'unknown' | 'late' {
  if (!wasSent) return 'no'
  return reason instanceof RequestTimeout ? 'late' : 'unknown'
}
