import type { Request, Response, Transport } from '../../contract/exchange.ts'
import { Failure } from '../../failure.ts'
import { retryAfter } from './response.ts'

/** How the requests of a command are sent: it changes that as it goes on, for all of its connections. */
export interface Sending {
  /** Writes are built on what is read: no cache may answer, and a calendar file is locked. */
  toWrite?: boolean
  /** How long requests wait in a row while the site refuses everything, in ms; undefined if they do not. */
  maxWait?: number
  /** Each request is sent once, and fails when this resolves. */
  deadline?: Promise<unknown> | undefined
}

interface PatienceOptions {
  /** What messages call the site. */
  readonly label: string
  readonly sending: Sending
  /** In ms. */
  now(): number
  sleep(ms: number): Promise<unknown>
  /** Aborted when the user stops the command. */
  readonly stopSignal: AbortSignal
  notice(text: string): Promise<void>
}

/** The first wait, in ms; each one after it is twice as long, up to the longest. */
const firstWait = 1000
const longestWait = 120_000

/** In ms: a wait is cut into slices, so that an interrupt is noticed within one. */
const slice = 1000

/** Why a request certainly had no effect, and others would have none either. */
interface Refusal {
  readonly failure: Failure
  /** Reads may be answered while writes are refused; without a connection, nothing is answered. */
  readonly kind: 'read' | 'write'
  /** How long the site asks to wait, in ms. */
  readonly asked?: number | undefined
}

/**
 * A transport that waits, as soon as there is a `maxWait`, while the site refuses everything: maintenance, a captcha, 429 or 503, or no
 * connection. All requests wait together, as long as the site asks or twice as long each time, and are then sent again, unless a write
 * may have been done. After `maxWait` ms in a row without an answer, they and all later ones fail with `givenUp`.
 */
export function withPatience(transport: Transport, options: PatienceOptions): Transport {
  const { now, sending } = options
  let pausing: Promise<void> | undefined
  let givenUp: Failure | undefined
  /** How many waits are over: a refusal from before one says nothing new. */
  let waits = 0
  /** By the kind of request, in ms. */
  const waited = { read: 0, write: 0 }
  const next = { read: firstWait, write: firstWait }

  function noteAnswer(kind: 'read' | 'write'): void {
    waited[kind] = 0
    next[kind] = firstWait
  }

  /** `took` is how long the refusal took, in ms: it may be a timeout. */
  async function wait({ failure, kind, asked }: Refusal, took: number, most: number): Promise<void> {
    // `Retry-After: 0` must not make a loop without end.
    const ms = asked || next[kind]
    waited[kind] += took + ms
    if (waited[kind] > most) {
      const { hint, problem, status } = failure.details
      givenUp = new Failure(failure.kind, failure.message, { hint, problem, status, givenUp: true, done: 'no' })
      return
    }
    next[kind] = Math.min(2 * next[kind], longestWait)
    await options.notice(`${failure.message}; waiting ${Math.ceil(ms / 1000)} s`)
    for (let left = ms; left > 0 && !options.stopSignal.aborted; left -= slice)
      await options.sleep(Math.min(left, slice))
    waits += 1
  }

  return async request => {
    const { maxWait } = sending
    if (maxWait === undefined) return transport(request)
    const kind = kindOf(request)
    let current = request
    for (;;) {
      await pausing
      if (givenUp) throw givenUp
      const before = waits
      const sent = now()
      const outcome = await attempt(transport, current, options)
      if (!('failure' in outcome)) {
        if (before === waits) {
          noteAnswer(kind)
          // A site that carries out writes can be reached.
          if (kind === 'write') noteAnswer('read')
        }
        return outcome
      }
      if (before === waits && !pausing)
        pausing = wait(outcome, now() - sent, maxWait).finally(() => {
          pausing = undefined
        })
      await pausing
      if (options.stopSignal.aborted) throw new Failure('interrupted', 'interrupted while waiting for the site')
      // Somebody may have changed the record meanwhile.
      if (!givenUp && current.renew) current = await current.renew()
    }
  }
}

const kindOf = ({ method }: Request) => (method === 'GET' || method === 'HEAD' ? 'read' : 'write')

/** Sends a request: its answer, or why the site refuses everything. */
async function attempt(transport: Transport, request: Request, options: PatienceOptions): Promise<Response | Refusal> {
  const { label, now } = options
  try {
    const response = await transport(request)
    const failure = await passingFailure(request, response, label)
    return failure ? { failure, kind: kindOf(request), asked: retryAfter(response, now()) } : response
  } catch (error) {
    if (!(error instanceof Failure && error.details.passes && error.details.done === 'no')) throw error
    const hint = `try again when ${label} answers`
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
