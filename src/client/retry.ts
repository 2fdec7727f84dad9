import type { Request, Response, Transport } from '../contract/exchange.ts'
import { Failure } from '../failure.ts'
import { longestWait, retryAfter } from './response.ts'

/** How often to try again, and what that takes: passed in, so that nobody waits in a test. */
export interface RetryOptions {
  readonly retries: number
  /** In ms. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** Resolves after so many ms; throws `interrupted` if the user stops it. */
  pause(ms: number): Promise<void>
  notice(text: string): Promise<void>
}

/** The first wait is up to this long, each one after it up to twice as long, in ms. */
const firstWait = 500
const longestBackoff = 20_000

/**
 * A transport that tries again: reads after anything that may pass, writes only where they certainly did nothing, and nothing
 * after a timeout, which says how long to wait altogether. Between two attempts it waits as long as it is asked to or, at random,
 * up to twice as long each time.
 */
export function withRetries(transport: Transport, label: string, patience: RetryOptions): Transport {
  const { retries, notice, pause, random, now } = patience
  return async request => {
    for (let attempt = 0; ; attempt++) {
      const outcome = await attempted(transport, request)
      const asked = outcome instanceof Failure ? undefined : retryAfter(outcome, now())
      const isWorthwhile = attempt < retries && mayPass(request, outcome) && (asked ?? 0) <= longestWait
      if (!isWorthwhile) {
        if (outcome instanceof Failure) throw outcome
        return outcome
      }
      const wait = asked ?? random() * Math.min(firstWait * 2 ** attempt, longestBackoff)
      await notice(`${told(outcome, label)}; trying again in ${shown(wait)}`)
      await pause(wait)
    }
  }
}

type Outcome = Response | Failure

/** The answer, or the failure where none came. */
async function attempted(transport: Transport, request: Request): Promise<Outcome> {
  try {
    return await transport(request)
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unreachable') return error
    throw error
  }
}

function mayPass({ method }: Request, outcome: Outcome): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  if (outcome instanceof Failure && outcome.details.timedOut) return false
  if (outcome instanceof Failure) return isRead || outcome.details.done === 'no'
  const { status, headers } = outcome
  if (!isRead) return (status === 429 || status === 503) && headers['retry-after'] !== undefined
  return status === 408 || status === 429 || status >= 500
}

const told = (outcome: Outcome, label: string): string =>
  outcome instanceof Failure ? outcome.message : `${outcome.status} from ${label}`

const shown = (ms: number): string =>
  `${
    ms < 9950
      ? Math.max(ms / 1000, 0.1)
          .toFixed(1)
          .replace('.0', '')
      : Math.round(ms / 1000)
  } s`
