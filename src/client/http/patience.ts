import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { isWrite } from '../../contract/received-request.ts'
import type { RetryOptions } from './retry.ts'
import { retryAfter } from './retry-after.ts'

export interface PatienceOptions extends Pick<RetryOptions, 'now' | 'notice'> {
  /** What messages call the site. */
  readonly label: string
  /** Resolves after `ms` milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>
  /** Aborted when the user stops the command. */
  readonly stopSignal: AbortSignal
}

/** The first wait, in ms; each one after it is twice as long, up to the longest. */
const firstWait = 1000
const longestPatience = 120_000

/** Why a request certainly had no effect, and why other requests would be refused, too. */
interface Refusal {
  readonly failure: Failure
  /** Reads may be answered while writes are refused; without a connection, nothing is. */
  readonly kind: 'read' | 'write'
  /** How long the site asks to wait, in ms. */
  readonly asked?: number | undefined
}

/**
 * Waits while the site refuses everything: maintenance, a captcha, 429 or 503, or no connection. All requests wait together, as long as the
 * site asks or twice as long each time, and are then sent again, unless a write may have been carried out. After `most` ms without an
 * answer, they and all later ones fail with `givenUp`.
 */
export class Patience {
  #pausing: Promise<void> | undefined
  #givenUp: Failure | undefined
  /** How many waits have ended. A refusal that is older than the last wait tells nothing new. */
  #waits = 0
  /** How long requests have waited in a row, by their kind, in ms. */
  readonly #waited = { read: 0, write: 0 }
  readonly #next = { read: firstWait, write: firstWait }

  constructor(
    private readonly transport: Transport,
    private readonly options: PatienceOptions,
  ) {}

  async send(request: Request, most: number): Promise<Response> {
    const { now } = this.options
    let current = request
    for (;;) {
      await this.#pausing
      if (this.#givenUp) throw this.#givenUp
      const before = this.#waits
      const sent = now()
      const outcome = await attempt(this.transport, current, this.options)
      const isNew = before === this.#waits
      if (!('failure' in outcome)) {
        if (isNew) this.#noteAnswer(kindOf(request))
        return outcome
      }
      if (isNew) this.#startWaiting(outcome, now() - sent, most)
      await this.#pausing
      current = await this.#renewed(current)
    }
  }

  /** The request, built again: somebody may have changed the record in the meantime. */
  async #renewed(request: Request): Promise<Request> {
    if (this.options.stopSignal.aborted)
      throw new Failure('interrupted', phrase('interrupted while waiting for the site'))
    return this.#givenUp || !request.renew ? request : request.renew()
  }

  #noteAnswer(kind: 'read' | 'write'): void {
    // A site that carries out writes can also be reached.
    for (const one of kind === 'write' ? (['read', 'write'] as const) : (['read'] as const)) {
      this.#waited[one] = 0
      this.#next[one] = firstWait
    }
  }

  #startWaiting(refusal: Refusal, took: number, most: number): void {
    this.#pausing ??= this.#wait(refusal, took, most).finally(() => {
      this.#pausing = undefined
    })
  }

  /** `took` is how long the refusal took, in ms; it may have been a timeout. */
  async #wait({ failure, kind, asked }: Refusal, took: number, most: number): Promise<void> {
    // `Retry-After: 0` must not cause an endless loop.
    const ms = asked || this.#next[kind]
    this.#waited[kind] += took + ms
    if (this.#waited[kind] > most) {
      const { hint, problem, status } = failure.details
      this.#givenUp = new Failure(failure.kind, failure.message, { hint, problem, status, givenUp: true, done: 'no' })
      return
    }
    this.#next[kind] = Math.min(2 * this.#next[kind], longestPatience)
    const { notice, sleep, stopSignal } = this.options
    await notice(phrase('{problem}; waiting {seconds} s', { problem: failure.message, seconds: Math.ceil(ms / 1000) }))
    if (!stopSignal.aborted) await sleep(ms, stopSignal)
    this.#waits += 1
  }
}

const kindOf = (request: Request) => (isWrite(request) ? 'write' : 'read')

/** Sends a request. Returns the answer, or why the site refuses everything. */
async function attempt(transport: Transport, request: Request, options: PatienceOptions): Promise<Response | Refusal> {
  const { label, now } = options
  try {
    const response = await transport(request)
    const failure = await passingFailure(request, response, label)
    return failure ? { failure, kind: kindOf(request), asked: retryAfter(response, now()) } : response
  } catch (error) {
    if (!(error instanceof Failure && error.details.passes && error.details.done === 'no')) throw error
    const hint = phrase('try again when {calendar} answers', { calendar: label })
    return { failure: new Failure(error.kind, error.message, { ...error.details, hint }), kind: 'read' }
  }
}

/** Why the site refuses everything, if this request certainly had no effect. */
async function passingFailure(request: Request, response: Response, label: string): Promise<Failure | undefined> {
  const { status, headers } = response
  if (status < 300 && /^\s*[{[]/.test(String(response.body))) return undefined
  const { answerProblem } = await import('./problems/answer-problems.ts')
  const problem = answerProblem(response, { id: label, label })
  if (!problem?.passes) return undefined
  const isAnswer = status === 429 || (status === 503 && headers['retry-after'] !== undefined)
  if (kindOf(request) === 'write' && !problem.isInFront && !isAnswer) return undefined
  const { kind, message, hint, code } = problem
  return new Failure(kind, message, { hint, problem: code, status })
}
