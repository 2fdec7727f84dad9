import { Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { isComparedByRevision } from '../plan/record-state.ts'
import { isOnlyIfNew, isRemoval } from '../plan/steps.ts'
import { resultOfFailure } from './result.ts'
import {
  type CheckContext,
  judge,
  readTogether,
  removedRecords,
  resultOfDouble,
  type StepReading,
  type StepVerdict,
} from './step-verdict.ts'

/**
 * The check of a step just before it is sent: whether its record is still as the plan has it, and whether somebody else has created its
 * record in the meantime. Input: the steps that are about to be sent. Output: how to send a step, or its result.
 */

/** How many changes are checked together: as many records as are on one page of a list; a page of stored records has twice as many. */
const changesTogether = 50
const shareOf = (step: Step): number => (isComparedByRevision(step) ? 0.5 : 1)

/** How many creates are checked together: few, so that two machines that start at once find out early. */
const createsTogether = 10

const sentAtOnce = 3

/**
 * How long a check is valid, in ms. It is shorter for a create, which others may do as well, and for an update that sends back values as
 * they were read: through the events API, or of an event with a cost.
 */
const longestWaitOf = (step: Step): number => {
  if (isOnlyIfNew(step)) return 3000
  if (isRemoval(step) || (isComparedByRevision(step) && !step.before?.cost)) return 10_000
  return 3000
}

/**
 * Creates the function that checks a step just before it is sent. It reads what several steps need at once, and reads again what a step
 * needs that has waited for longer than a check is valid. `upcoming` are the steps from this one on, in order.
 */
export function createStepCheck(plan: Plan, context: CheckContext) {
  const { client, now, signal, readAt, wasSent } = context
  const readings = new Map<string, Promise<StepReading>>()
  /** How many steps were sent since the last reading; on a slow site, the next reading is for as many. */
  let sent = 0
  let hasWaited = false
  const isGood = (step: Step, at: number) => Math.abs(now() - at) <= longestWaitOf(step)

  const readNext = (upcoming: Iterable<Step>): Promise<StepReading> => {
    const steps = stepsToRead(upcoming, hasWaited ? Math.max(sent, 1) : Number.POSITIVE_INFINITY)
    sent = 0
    const reading = untilAborted(readTogether(steps, context), signal)
    for (const { key } of steps) readings.set(key, reading)
    return reading
  }

  const readingFor = async (step: Step, upcoming: () => Iterable<Step>): Promise<StepReading> => {
    for (let tried: Promise<StepReading> | undefined; ; ) {
      const reading = readings.get(step.key)
      // Another step may have read the record while this one waited.
      if (reading === tried) break
      tried = reading
      const read = await reading?.catch(() => undefined)
      if (read && isGood(step, read.at)) return read
      hasWaited ||= read !== undefined
    }
    return readNext(upcoming())
  }

  /** Whether the check of a step is still valid. */
  const isFresh = (step: Step): boolean => {
    if (readAt === undefined || wasSent(step)) return false
    // A few steps are sent at once: what was just read for them is not read again.
    const isSoon = plan.steps.length <= sentAtOnce && isGood(step, readAt)
    const isRead = isSoon || client.capabilities.nobodyElseWrites
    return isRead && (step.action === 'create' || !isOnlyIfNew(step))
  }

  return async (step: Step, upcoming: () => Iterable<Step>): Promise<StepVerdict> => {
    if (!isChecked(step) || isFresh(step)) return { step }
    try {
      const reading = await readingFor(step, upcoming)
      readings.delete(step.key)
      sent += 1
      const double = resultOfDouble(step, reading, context)
      if (double) return { result: double }
      if (step.before === undefined || reading.unchanged.has(step.key)) return { step }
      return await judge(step, reading, removedRecords(plan), context)
    } catch (error) {
      if (error instanceof Failure) return { result: resultOfFailure(error) }
      throw error
    }
  }
}

/** The next steps to check together, at most this many. */
function stepsToRead(upcoming: Iterable<Step>, most: number): Step[] {
  const steps: Step[] = []
  let share = 0
  let creates = 0
  for (const step of upcoming) {
    if (!isChecked(step)) continue
    steps.push(step)
    share += shareOf(step)
    if (isOnlyIfNew(step)) creates += 1
    if (steps.length >= most || share >= changesTogether || creates >= createsTogether) break
  }
  return steps
}

/** StepReading can be interrupted at once. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Failure('interrupted', phrase('interrupted')))
    signal?.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })
}

/** Whether a step is checked here. */
const isChecked = (step: Step): boolean =>
  step.action === 'create' ? step.match !== undefined : step.before !== undefined
