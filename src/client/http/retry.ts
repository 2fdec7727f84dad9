import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { Failure } from '../../failure.ts'
import { longestWait, retryAfter } from './response.ts'

/** How often to retry, with the clock and the waiting passed in so that tests do not wait. */
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

/** The first wait is at most this long, each one after it at most twice as long as the one before, in ms. */
const firstWait = 500
const longestBackoff = 20_000

/**
 * A transport that retries: reads after any transient failure, writes only if they certainly did nothing. A timeout limits
 * the whole time, so nothing is retried after it. Before each retry it waits as long as the server asks, or a random time with
 * exponential backoff.
 */
export function withRetries(transport: Transport, label: string, options: RetryOptions): Transport {
  const { retries, notice, pause, random, now } = options
  return async request => {
    let current = request
    for (let attempt = 0; ; attempt++) {
      const outcome = await send(transport, current)
      const requested = outcome instanceof Failure ? undefined : retryAfter(outcome, now())
      if (attempt >= retries || !isTransient(request, outcome) || (requested ?? 0) > longestWait) {
        if (outcome instanceof Failure) throw outcome
        return outcome
      }
      const wait = requested ?? random() * Math.min(firstWait * 2 ** attempt, longestBackoff)
      await notice(`${describe(outcome, label)}; retrying in ${seconds(wait)}`)
      await pause(wait)
      if (current.renew) current = await current.renew()
    }
  }
}

type Outcome = Response | Failure

/** The response, or the failure if there was none. */
async function send(transport: Transport, request: Request): Promise<Outcome> {
  try {
    return await transport(request)
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unreachable') return error
    throw error
  }
}

function isTransient({ method }: Request, outcome: Outcome): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  if (outcome instanceof Failure) {
    const { timedOut, isTooLarge, passes, givenUp } = outcome.details
    if (timedOut || isTooLarge || givenUp || passes === false) return false
  }
  if (outcome instanceof Failure) return isRead || outcome.details.done === 'no'
  const { status, headers } = outcome
  if (!isRead) return (status === 429 || status === 503) && headers['retry-after'] !== undefined
  return status === 408 || status === 429 || status >= 500
}

const describe = (outcome: Outcome, label: string): string =>
  outcome instanceof Failure ? outcome.message : `${label} answered ${outcome.status}`

/** `0.3 s`, `1 s`, `12 s` */
function seconds(ms: number): string {
  if (ms >= 9950) return `${Math.round(ms / 1000)} s`
  const tenths = Math.max(Math.round(ms / 100), 1)
  return `${tenths / 10} s`
}

/** Sends a write that nothing can look for afterwards. A failure that leaves open whether it was done says so, and what to do first. */
export async function sendUncertain<T>(send: () => Promise<T>, mayBeDone: string, hint: string): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof Failure) || error.details.done === undefined || error.details.done === 'no') throw error
    throw new Failure(error.kind, `${error.message}; ${mayBeDone}`, { ...error.details, hint })
  }
}
