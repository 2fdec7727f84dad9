import { isWhole, type JournaledRun } from './journal-reader.ts'
import type { Attempt } from './journal-replay.ts'

/** In ms. */
export interface ResumeClock {
  now(): number
  /** When the machine was started last. */
  upSince(): number
  /** How long it has been up, in ms; unlike a clock, nobody sets it. */
  up?(): number
  /** Its boot; empty where that cannot be seen. */
  readonly boot?: string
  sleep(ms: number): Promise<void>
  /** Set where nothing may be written: a record that lists miss stays as it is. */
  readonly onlyReads?: true
}

/**
 * How long a service gets to finish the requests of a process that was killed, in ms: twice as long as it was seen to take, and
 * at least the first; the second if it was not seen to answer.
 */
const shortestGrace = 2000
const graceOfUnknown = 10_000

const graceOf = ({ slowestAnswer }: JournaledRun): number =>
  slowestAnswer === undefined ? graceOfUnknown : Math.max(2 * slowestAnswer, shortestGrace)

/**
 * When a step was sent, as far as it is known. A step without an entry may have been sent too if the machine crashed before its
 * journal was on disk, or if the journal is damaged.
 */
export function attemptOf(run: JournaledRun, key: string, clock: ResumeClock): Attempt | undefined {
  const { attempts, results, sessionStart, hasEnded, header } = run
  const attempt = attempts.get(key)
  if (attempt) return attempt
  if (!isWhole(run) || results.get(key)?.state === 'unknown') return attemptAt(Date.parse(header.started))
  return !hasEnded && hasRestarted(run, clock) ? attemptAt(sessionStart) : undefined
}

/** Whether the machine was started since the last session began. */
const hasRestarted = (run: JournaledRun, { upSince, boot = '' }: ResumeClock): boolean =>
  run.boot === '' || boot === '' ? upSince() > run.sessionStart : run.boot !== boot

const attemptAt = (at: number): Attempt => ({ at, latest: at })

/** Requests of a process that was killed may still be under way. */
export async function waitForLastAttempt(
  run: JournaledRun,
  writtenIds: ReadonlyMap<string, number>,
  clock: ResumeClock,
): Promise<void> {
  const grace = graceOf(run)
  let wait = 0
  for (const [key, attempt] of run.attempts)
    if (!writtenIds.has(key)) wait = Math.max(wait, grace - timeSince(run, attempt, clock))
  if (wait > 0) await clock.sleep(wait)
}

/** How long ago a step was sent, in ms: as long as the machine is up, no clock is asked, which may have been set meanwhile. */
function timeSince(run: JournaledRun, { latest, up }: Attempt, clock: ResumeClock): number {
  const upNow = clock.up?.()
  if (up !== undefined && upNow !== undefined && upNow >= up && !hasRestarted(run, clock)) return upNow - up
  return Math.max(clock.now() - latest, 0)
}
