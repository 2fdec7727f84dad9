/**
 * Runs: executing a plan, with a journal on disk. Input: a plan, a client and an open journal. Output: a result
 * for each step, the journal, and on request a report and an error sheet. `resume.ts` prepares a run that was stopped for another
 * session; `already-applied.ts` keeps a saved plan from being applied twice. A step: this file -> `check-steps.ts` (whether
 * somebody else was there meanwhile) -> `send-step.ts` (journal) -> `write-step.ts` (request).
 */
import { setTimeout as delay } from 'node:timers/promises'
import pMap from 'p-map'
import type { Client } from '../client/client.ts'
import { Failure } from '../failure.ts'
import { recordKey } from '../plan/current-records.ts'
import { dependenciesOf, isOnlyIfNew, type Plan, type Step } from '../plan/plan.ts'
import { createStepCheck } from './check-steps.ts'
import { takeBackDoubles } from './doubles.ts'
import { resultEntry } from './journal-format.ts'
import type { Journal } from './journal-writer.ts'
import { orderSteps } from './order.ts'
import { type RunOutcome, type StepResult, stepLabel } from './result.ts'
import { createStepSender } from './send-step.ts'

export interface ExecuteOptions {
  readonly client: Client
  readonly journal?: Journal | undefined
  /** In ms. */
  now(): number
  sleep?(ms: number): Promise<unknown>
  /** How many steps are in progress at once. */
  readonly jobs?: number | undefined
  /** Resolves when the next step may be sent. */
  rateLimiter?: (() => Promise<void>) | undefined
  /** Nothing more is sent after so many failures. */
  readonly stopAfter?: number | undefined
  /** Nothing more is sent once this is aborted. */
  readonly signal?: AbortSignal | undefined
  onResult?: (step: Step, result: StepResult) => void | Promise<void>
  /** Called when `signal` is aborted while steps are left, with the number of those that are being sent and will be finished. */
  onStop?: (sending: number) => void | Promise<void>
  /** The IDs of the records that steps of earlier sessions wrote, by key; those steps are not sent. */
  readonly writtenIds?: ReadonlyMap<string, number> | undefined
  /** When the records of the plan were read, in ms, if that is known. */
  readonly readAt?: number | undefined
  /** Whether an earlier session sent a step and was not answered. */
  wasSent?(step: Step): boolean
  /** Whether a step of an earlier session found its record created by somebody else. */
  isOthers?(step: Step): boolean
  /** Whether an earlier session was about to take back the record of a step. */
  isBeingTakenBack?(step: Step): boolean
  /** Called for a step whose record was taken back or got its slug, after its result. */
  onCompared?(step: Step, result: StepResult): void | Promise<void>
  /** Results that are known without sending the step, by key. */
  readonly knownResults?: ReadonlyMap<string, StepResult> | undefined
}

/**
 * A site must not be overrun. The writes to a calendar in this process that are in progress together share one flush of the disk, of
 * which 100,000 events need thousands; a run that is to stop early has few in progress.
 */
const defaultJobs = ({ calendar }: Client, stopAfter: number): number =>
  calendar.baseUrl === undefined && stopAfter === Number.POSITIVE_INFINITY ? 32 : 4

/** Executes a plan: every step once, after those it depends on. A step that fails stops only those that depend on it. */
export async function executePlan(plan: Plan, options: ExecuteOptions): Promise<RunOutcome> {
  const {
    client,
    journal,
    now,
    sleep = delay,
    stopAfter = Number.POSITIVE_INFINITY,
    jobs = defaultJobs(client, stopAfter),
    signal,
    knownResults,
  } = options
  const writtenIds = new Map(options.writtenIds)
  /** The labels of the steps that were not written, for the steps that need them. */
  const unwritten = new Map<string, string>()
  const results = new Map<string, StepResult>()
  const inProgress = new Map<string, Promise<void>>()
  const send = createStepSender(plan, { client, journal, now, sleep, writtenIds })
  const ownRecords = createdRecords(plan, writtenIds)
  const { readAt, wasSent = () => false } = options
  const check = createStepCheck(plan, { client, now, signal, readAt, wasSent, writtenIds, ownRecords })
  let failures = 0

  /** An error outside the writes: steps in progress are finished, others are not sent, and so if the journal has a fault. */
  let fault: { readonly error: unknown } | undefined
  /** The site was waited for in vain. */
  let givenUp: Failure | undefined
  const isStopped = () =>
    fault !== undefined ||
    givenUp !== undefined ||
    journal?.fault() !== undefined ||
    signal?.aborted === true ||
    failures >= stopAfter

  let sending = 0
  const sendCounted = async (step: Step): Promise<StepResult> => {
    sending += 1
    try {
      return await send(step)
    } finally {
      sending -= 1
    }
  }

  const writeEntry = (key: string, result: StepResult) => {
    const entry = resultEntry(key, result, now())
    if (entry) journal?.write(entry)
  }

  const resultFor = async (step: Step, upcoming: () => Iterable<Step>): Promise<StepResult> => {
    if (isStopped()) return { state: 'skipped' }
    const known = knownResults?.get(step.key)
    if (known) return known
    const missing = dependenciesOf(step).find(key => !writtenIds.has(key))
    if (missing) {
      const label = unwritten.get(missing) ?? JSON.stringify(missing)
      return { state: 'skipped', failure: dependencyFailure(step, label) }
    }
    await options.rateLimiter?.()
    if (isStopped()) return { state: 'skipped' }
    const checked = await check(step, upcoming)
    if (isStopped()) return { state: 'skipped' }
    return 'result' in checked ? checked.result : sendCounted(checked.step)
  }

  const executeStep = async (step: Step, upcoming: () => Iterable<Step>): Promise<void> => {
    const { after, record: _, ...outcome } = await resultFor(step, upcoming)
    const isGivenUp = outcome.failure?.details.givenUp === true && after === undefined
    if (isGivenUp) givenUp ??= outcome.failure
    // It was not carried out; a resume makes sure of that.
    const result: StepResult = isGivenUp ? { state: 'skipped' } : outcome
    if (!knownResults?.has(step.key)) writeEntry(step.key, { ...result, ...(after && { after }) })
    if (result.id === undefined) unwritten.set(step.key, stepLabel(step))
    else {
      writtenIds.set(step.key, result.id)
      if (isNewRecord(step)) ownRecords.add(recordKey(step.resource, result.id))
    }
    if (result.state === 'failed' || result.state === 'unknown') failures += 1
    // The values after many steps would fill the memory; the journal has them.
    results.set(step.key, result)
    await options.onResult?.(step, result)
  }

  const executeInOrder = async (step: Step, upcoming: () => Iterable<Step>): Promise<void> => {
    try {
      await Promise.all(dependenciesOf(step).map(key => inProgress.get(key)))
      await executeStep(step, upcoming)
    } catch (error) {
      fault ??= { error }
    } finally {
      inProgress.delete(step.key)
    }
  }

  const isOpen = ({ key }: Step) => !writtenIds.has(key) && !knownResults?.has(key)

  /** The steps of a stage from a position on that are still to be sent. */
  function* openSteps(stage: readonly number[], position: number): Generator<Step> {
    for (const index of stage.slice(position)) {
      const step = plan.steps.at(index)
      if (step && isOpen(step)) yield step
    }
  }

  const executeStage = (stage: readonly number[]) =>
    pMap(
      stage,
      (index, position) => {
        const step = plan.steps.at(index)
        if (!step || options.writtenIds?.has(step.key)) return undefined
        const work = executeInOrder(step, () => openSteps(stage, position))
        inProgress.set(step.key, work)
        return work
      },
      { concurrency: jobs },
    )

  /** Whether the run created, or restored, the record of a step that was to be new only if there is none like it. */
  const isOwnCreate = (step: Step): boolean => {
    const isOthers = results.get(step.key)?.isOthers ?? options.isOthers?.(step) ?? false
    const isCompared = !step.shared || options.isBeingTakenBack?.(step) === true
    return isOnlyIfNew(step) && isCompared && writtenIds.has(step.key) && !isOthers
  }

  let unchecked: Failure | undefined
  /** Comes before the next stage, which links to what this one created. Nobody else writes to a calendar in this process. */
  async function compareCreated(stage: readonly number[]): Promise<void> {
    if (client.calendar.baseUrl === undefined || givenUp || signal?.aborted || journal?.fault()) return
    const creates = stage.flatMap(index => plan.steps.at(index) ?? []).filter(isOwnCreate)
    try {
      for await (const [step, result] of takeBackDoubles(creates, { client, journal, now, writtenIds, ownRecords })) {
        writeEntry(step.key, result)
        results.set(step.key, result)
        if (result.id !== undefined) writtenIds.set(step.key, result.id)
        await options.onCompared?.(step, result)
      }
      // The first one may be gone by now, so that nothing is left to take back.
      for (const step of creates) {
        const id = writtenIds.get(step.key)
        const isStillOpen = options.isBeingTakenBack?.(step) && !results.has(step.key)
        if (id !== undefined && isStillOpen) writeEntry(step.key, { state: 'done', id })
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      unchecked = error
    }
  }

  // After this session, it may be impossible to find out again what became of the steps of the last one.
  for (const [key, result] of knownResults ?? []) writeEntry(key, result)
  const noteStop = () => void options.onStop?.(sending)
  signal?.addEventListener('abort', noteStop, { once: true })
  try {
    for (const stage of orderSteps(plan.steps)) {
      await executeStage(stage)
      if (fault) throw fault.error
      await compareCreated(stage)
    }
  } finally {
    signal?.removeEventListener('abort', noteStop)
  }
  // Without this entry, a resume compares what the run created.
  if (!unchecked) journal?.write({ ended: now() })
  return {
    results,
    interrupted: signal?.aborted === true,
    ...(givenUp && { givenUp }),
    ...(unchecked && { unchecked }),
  }
}

const isNewRecord = (step: Step): boolean => step.action === 'create' || isOnlyIfNew(step)

/** The records that steps of earlier sessions created. */
function createdRecords({ steps }: Plan, writtenIds: ReadonlyMap<string, number>): Set<string> {
  const created = new Set<string>()
  if (writtenIds.size === 0) return created
  for (const step of steps) {
    const id = isNewRecord(step) ? writtenIds.get(step.key) : undefined
    if (id !== undefined) created.add(recordKey(step.resource, id))
  }
  return created
}

const dependencyFailure = (step: Step, dependency: string): Failure =>
  new Failure('refused', `${stepLabel(step)} needs ${dependency}, which was not written`, {
    hint: 'fix that record, then apply both with: calctl runs resume',
  })
