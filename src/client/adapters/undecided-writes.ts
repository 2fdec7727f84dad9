import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Answer } from '../../contract/resource.ts'
import type { Renew } from '../client.ts'
import type { RetryOptions } from '../http/retry.ts'
import type { WriteOutcome } from './reconcile.ts'

/**
 * What becomes of a write whose answer was lost: it is looked up, sent again, or said to be undecided.
 */

/** One write: how to send it, how to find out whether it was carried out, and what messages call it. */
export interface SentWrite {
  send(): Promise<Answer>
  reconcile(): Promise<WriteOutcome>
  /** Builds the write again before it is sent again; throws `conflict` if it must no longer be sent. */
  renew?: Renew | undefined
  /** Whether sending it twice has the same result as sending it once, even while the first request is still under way. */
  readonly isRepeatable: boolean
  /** `the event` */
  readonly record: string
  readonly verb: 'create' | 'change' | 'delete'
  /** The command that shows whether it was carried out. */
  readonly command: string
  /** What else to try if the calendar does not show the record either. */
  readonly otherwise?: string
}

/** How a write is sent; `grace` is how long a service gets to finish it, in ms. */
export interface SendOptions extends RetryOptions {
  grace(): number
}

/**
 * The record if a lost write was carried out, undefined if it was not and is to be sent again; throws if neither is certain, or if it may
 * not be sent again.
 */
export async function recordOfLost(options: SendOptions, write: SentWrite, lost: Failure, mayRetry: boolean) {
  const done = await findDone(options, write, lost)
  if (done) return done
  if (!mayRetry) throw notDoneFailure(write, lost)
  await renew(write, lost)
  await options.notice(
    phrase(
      '{problem}; {record} was not {verb, select, create {created} change {changed} other {deleted}}, retrying',
      outcomePlaces(write, lost),
    ),
  )
  return undefined
}

/** The record if a lost write was carried out, undefined if it was not and may be sent again; throws if neither is certain. */
async function findDone(options: SendOptions, write: SentWrite, lost: Failure): Promise<Answer | undefined> {
  const outcome = await reconcileTwice(options, write, lost)
  if (typeof outcome === 'object') {
    await options.notice(
      phrase(
        '{problem}; {record} was {verb, select, create {created} change {changed} other {deleted}} anyway',
        outcomePlaces(write, lost),
      ),
    )
    return outcome
  }
  const mayStillRun = lost.details.done === 'late'
  if (outcome === 'undecided' || (mayStillRun && !write.isRepeatable)) throw undecidedFailure(write, lost)
  return undefined
}

/** Builds a write again: somebody may have changed the record since. */
async function renew(write: SentWrite, lost: Failure): Promise<void> {
  try {
    await write.renew?.()
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'conflict') throw undecidedFailure(write, lost, error)
    throw error
  }
}

async function reconcileTwice({ pause, grace }: SendOptions, write: SentWrite, lost: Failure): Promise<WriteOutcome> {
  try {
    const outcome = await write.reconcile()
    if (outcome !== 'not done') return outcome
    await pause(grace())
    return await write.reconcile()
  } catch (error) {
    if (error instanceof Failure) throw undecidedFailure(write, lost, error)
    throw error
  }
}

/** The words for a write in sentences about its outcome. */
const outcomePlaces = ({ record, verb }: SentWrite, { message: problem }: Failure) => ({ problem, record, verb })

function undecidedFailure(write: SentWrite, lost: Failure, cause?: Failure): Failure {
  const { command, otherwise } = write
  const kind = cause?.kind === 'interrupted' ? 'interrupted' : lost.kind
  const message = phrase(
    '{problem}; {record} may have been {verb, select, create {created} change {changed} other {deleted}}',
    outcomePlaces(write, lost),
  )
  return new Failure(kind, message, {
    ...lost.details,
    ...(!cause && otherwise && { otherwise }),
    // What kept calctl from looking it up may still be the case.
    hint: [
      phrase('before you try again, check with: {command}', { command }),
      ...(cause?.kind === 'settings' ? [cause.details.hint] : []),
      ...(cause || !otherwise ? [] : [otherwise]),
    ].join('; '),
  })
}

function notDoneFailure(write: SentWrite, lost: Failure): Failure {
  const message = phrase(
    '{problem}; {record} was not {verb, select, create {created} change {changed} other {deleted}}',
    outcomePlaces(write, lost),
  )
  return new Failure(lost.kind, message, { ...lost.details, hint: phrase('try again later'), done: 'no' })
}
