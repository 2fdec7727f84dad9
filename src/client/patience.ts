import type { Request, Response, Transport } from '../contract/exchange.ts'
import { Failure } from '../failure.ts'
import type { Problem } from './problems/problem.ts'
import { retryAfter } from './response.ts'

interface PatienceOptions {
  /** What messages call the site. */
  readonly label: string
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

/**
 * A transport that waits, once `begin` was called, while the site refuses everything: maintenance, a captcha, 429 or 503. All requests
 * wait together, as long as the site asks or twice as long each time, and are then sent again, unless a write may have been done. After
 * `maxWait` ms in a row without an answer, they and all later ones fail with `givenUp`.
 */
export function withPatience(transport: Transport, options: PatienceOptions) {
  const { now } = options
  let maxWait: number | undefined
  let pausing: Promise<void> | undefined
  let givenUp: Failure | undefined
  /** How many waits are over: a refusal from before one says nothing new. */
  let waits = 0
  /** Reads may be answered while writes are refused. */
  const waited = { read: 0, write: 0 }
  const next = { read: firstWait, write: firstWait }

  async function wait(kind: 'read' | 'write', response: Response, problem: Problem, most: number): Promise<void> {
    // `Retry-After: 0` must not make a loop without end.
    const ms = retryAfter(response, now()) || next[kind]
    if (waited[kind] + ms > most) {
      givenUp = new Failure(problem.kind, problem.message, {
        hint: problem.hint,
        problem: problem.code,
        status: response.status,
        givenUp: true,
        done: 'no',
      })
      return
    }
    waited[kind] += ms
    next[kind] = Math.min(2 * next[kind], longestWait)
    await options.notice(`${problem.message}; waiting ${Math.ceil(ms / 1000)} s`)
    for (let left = ms; left > 0 && !options.stopSignal.aborted; left -= slice)
      await options.sleep(Math.min(left, slice))
    waits += 1
  }

  const patient: Transport = async request => {
    const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write'
    let current = request
    for (;;) {
      await pausing
      if (givenUp) throw givenUp
      const before = waits
      const response = await transport(current)
      if (maxWait === undefined) return response
      const problem = await passingProblem(current, response, options.label)
      if (!problem) {
        if (before === waits) {
          waited[kind] = 0
          next[kind] = firstWait
        }
        return response
      }
      if (before === waits && !pausing)
        pausing = wait(kind, response, problem, maxWait).finally(() => {
          pausing = undefined
        })
      await pausing
      if (options.stopSignal.aborted) throw new Failure('interrupted', 'interrupted while waiting for the site')
      // Somebody may have changed the record meanwhile.
      if (!givenUp && current.renew) current = await current.renew()
    }
  }
  return {
    transport: patient,
    begin(most: number) {
      maxWait = most
    },
  }
}

/** Why the site refuses everything, if this request certainly had no effect. */
async function passingProblem(request: Request, response: Response, label: string): Promise<Problem | undefined> {
  if (response.status < 300 && /^\s*[{[]/.test(String(response.body))) return undefined
  const { answerProblem } = await import('./problems/answer-problems.ts')
  const problem = answerProblem(response, { id: label, label })
  if (!problem?.passes) return undefined
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const { status, headers } = response
  const isAnswer = status === 429 || (status === 503 && headers['retry-after'] !== undefined)
  return isRead || problem.isInFront || isAnswer ? problem : undefined
}
