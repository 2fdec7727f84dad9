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
export interface TrackedWrite {
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

/** The record if a lost write was carried out, undefined if it was not and may be sent again; throws if neither is certain. */
export async function findDone(options: SendOptions, write: TrackedWrite, lost: Failure): Promise<Answer | undefined> {
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
export async function renew(write: TrackedWrite, lost: Failure): Promise<void> {
  try {
    await write.renew?.()
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'conflict') throw undecidedFailure(write, lost, error)
    throw error
  }
}

async function reconcileTwice(
  { pause, grace }: SendOptions,
  write: TrackedWrite,
  lost: Failure,
): Promise<WriteOutcome> {
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
export const outcomePlaces = ({ record, verb }: TrackedWrite, { message: problem }: Failure) => ({
  problem,
  record,
  verb,
})

function undecidedFailure(write: TrackedWrite, lost: Failure, cause?: Failure): Failure {
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

export function notDoneFailure(write: TrackedWrite, lost: Failure): Failure {
  const message = phrase(
    '{problem}; {record} was not {verb, select, create {created} change {changed} other {deleted}}',
    outcomePlaces(write, lost),
  )
  return new Failure(lost.kind, message, {
    ...lost.details,
    hint: phrase('try again later'),
    done: 'no',
  })
}
