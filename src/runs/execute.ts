import { setTimeout as pause } from 'node:timers/promises'
import pMap from 'p-map'
import type { Client } from '../client/client.ts'
import { Failure } from '../failure.ts'
import { dependenciesOf, type Plan, type Step } from '../plan/plan.ts'
import { entryOf, type Journal } from './journal-writer.ts'
import { stages } from './order.ts'
import { nameOf, type Outcome, type Result } from './result.ts'
import { createSender } from './send-step.ts'

export interface RunOptions {
  readonly client: Client
  readonly journal?: Journal | undefined
  /** In ms. */
  now(): number
  sleep?(ms: number): Promise<unknown>
  /** How many steps are under way at once. */
  readonly jobs?: number | undefined
  /** Resolves when the next step may be sent. */
  pace?: (() => Promise<void>) | undefined
  /** Nothing more is sent after so many failures. */
  readonly stopAfter?: number | undefined
  /** Nothing more is sent once this is aborted. */
  readonly signal?: AbortSignal | undefined
  onResult?: (step: Step, result: Result) => void | Promise<void>
  /** The IDs that steps of an earlier session wrote, by key. */
  readonly written?: ReadonlyMap<string, number> | undefined
  /** What is known of some steps without sending them. */
  readonly settled?: ReadonlyMap<string, Result> | undefined
}

/** Carries a plan out: every step once, after those it needs; one that fails stops no other, but those that need it. */
export async function runPlan(plan: Plan, options: RunOptions): Promise<Outcome> {
  const {
    client,
    journal,
    now,
    sleep = pause,
    jobs = 4,
    stopAfter = Number.POSITIVE_INFINITY,
    signal,
    settled,
  } = options
  const written = new Map(options.written)
  const results = new Map<string, Result>()
  const underWay = new Map<string, Promise<void>>()
  const send = createSender(plan, { client, journal, now, sleep, written })
  let failures = 0

  /** What went wrong beside the writes, such as a journal that cannot be written: what is under way is let finish. */
  let broken: { readonly error: unknown } | undefined
  const isStopped = () => broken !== undefined || signal?.aborted === true || failures >= stopAfter

  const keep = (key: string, result: Result) => {
    const entry = entryOf(key, result)
    if (entry) journal?.write(entry)
  }

  const taken = async (step: Step): Promise<Result> => {
    if (isStopped()) return { state: 'skipped' }
    const known = settled?.get(step.key)
    if (known) return known
    const unmet = dependenciesOf(step).find(key => !written.has(key))
    if (unmet) return { state: 'skipped', failure: needing(step, unmet) }
    await options.pace?.()
    return isStopped() ? { state: 'skipped' } : send(step)
  }

  const take = async (step: Step): Promise<void> => {
    const { left, ...result } = await taken(step)
    if (!settled?.has(step.key)) keep(step.key, { ...result, ...(left && { left }) })
    if (result.id !== undefined) written.set(step.key, result.id)
    if (result.state === 'failed' || result.state === 'unknown') failures += 1
    // Of many steps, how they were left would fill the memory; the journal has it.
    results.set(step.key, result)
    await options.onResult?.(step, result)
  }

  const inTurn = async (step: Step): Promise<void> => {
    try {
      await Promise.all(dependenciesOf(step).map(key => underWay.get(key)))
      await take(step)
    } catch (error) {
      broken ??= { error }
    } finally {
      underWay.delete(step.key)
    }
  }

  const takeAll = (stage: readonly number[]) =>
    pMap(
      stage,
      index => {
        const step = plan.steps.at(index)
        if (!step || options.written?.has(step.key)) return undefined
        const work = inTurn(step)
        underWay.set(step.key, work)
        return work
      },
      { concurrency: jobs },
    )

  // What was found out about the last session may not be found out again after this one.
  for (const [key, result] of settled ?? []) keep(key, result)
  for (const stage of stages(plan.steps)) await takeAll(stage)
  if (broken) throw broken.error
  journal?.write({ ended: now() })
  return { results, interrupted: signal?.aborted === true }
}

const needing = (step: Step, key: string): Failure =>
  new Failure('refused', `${nameOf(step)} needs "${key}", which was not done`, {
    hint: 'mend that one, then do what is left with: calctl runs resume',
  })
