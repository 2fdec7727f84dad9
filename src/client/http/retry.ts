import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { isWrite } from '../../contract/received-request.ts'
import { longestWait, retryAfter, seconds } from './retry-after.ts'

/** How often to retry. Tests pass a clock and a pause of their own, so that they do not wait. */
export interface RetryOptions {
  readonly retries: number
  /** In ms. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** Resolves after `ms`; throws `interrupted` if the user stops it. */
  pause(ms: number): Promise<void>
  notice(text: string): Promise<void>
}

/** The longest first wait before a retry, in ms; the longest wait doubles with each retry. */
const firstRetry = 500
const longestBackoff = 20_000

/**
 * A transport with retries: reads are sent again after any transient failure, writes only if they certainly had no effect. The timeout
 * limits the whole time, so nothing is retried after it. Before each retry, the transport waits as long as the server asks, or a random
 * time with exponential backoff.
 */
export function withRetries(transport: Transport, label: string, options: RetryOptions): Transport {
  return async request => {
    let current = request
    for (let attempt = 0; ; attempt++) {
      const outcome: Outcome = await transport(current).catch(unreachableFailure)
      const wait = waitBeforeRetry(request, outcome, attempt, options)
      if (wait === undefined) {
        if (outcome instanceof Failure) throw outcome
        return outcome
      }
      await options.notice(
        phrase('{problem}; retrying in {time}', { problem: describe(outcome, label), time: seconds(wait) }),
      )
      await options.pause(wait)
      if (current.renew) current = await current.renew()
    }
  }
}

/** How long to wait before a request is sent again, in ms; undefined if it must not be. */
function waitBeforeRetry(request: Request, outcome: Outcome, attempt: number, { retries, random, now }: RetryOptions) {
  if (attempt >= retries || !isTransient(request, outcome)) return undefined
  const asked = outcome instanceof Failure ? undefined : retryAfter(outcome, now())
  if (asked !== undefined) return asked > longestWait ? undefined : asked
  return random() * Math.min(firstRetry * 2 ** attempt, longestBackoff)
}

type Outcome = Response | Failure

/** The failure if there was no response; throws any other error. */
function unreachableFailure(error: unknown): Failure {
  if (error instanceof Failure && error.kind === 'unreachable') return error
  throw error
}

function isTransient(request: Request, outcome: Outcome): boolean {
  const isRead = !isWrite(request)
  if (outcome instanceof Failure) {
    const { timedOut, isTooLarge, passes, givenUp, done } = outcome.details
    const isLasting = timedOut || isTooLarge || givenUp || passes === false
    return !isLasting && (isRead || done === 'no')
  }
  const { status, headers } = outcome
  if (!isRead) return (status === 429 || status === 503) && headers['retry-after'] !== undefined
  return status === 408 || status === 429 || status >= 500
}

const describe = (outcome: Outcome, label: string): string =>
  outcome instanceof Failure
    ? outcome.message
    : phrase('{calendar} answered {status}', { calendar: label, status: outcome.status })

/** Sends a write whose result cannot be looked up. A failure that leaves open whether it was carried out says so, and what to do first. */
export async function sendUncertain<T>(send: () => Promise<T>, mayBeDone: string, hint: string): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof Failure) || error.details.done === undefined || error.details.done === 'no') throw error
    throw new Failure(error.kind, `${error.message}; ${mayBeDone}`, { ...error.details, hint })
  }
}

/** How a command sends its requests. The command changes this during its run, for all of its connections. */
export interface Sending {
  /** Reads serve a write: no cache may answer them, and a calendar file is locked. */
  toWrite?: boolean
  /** How long requests wait without a break while the site refuses everything, in ms; undefined if they do not wait. */
  maxWait?: number
  /** When this resolves, each request is sent once and fails. */
  deadline?: Promise<unknown> | undefined
}
