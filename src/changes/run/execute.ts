/**
 * Runs: executing a plan, with a journal on disk. Input: a plan, a client and an open journal. Output: a result for each step, and the
 * journal. `resume.ts` prepares a run that was stopped for another session; `already-applied.ts` keeps a
 * saved plan from being applied twice. Each step goes from this file to `check-steps.ts` (has somebody changed the record in the meantime?)
 * and `send-step.ts` (journal, request).
 */

import { setTimeout as delay } from 'node:timers/promises'
import pMap from 'p-map'
import { asFailure, type Failure, refused, usage } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { recordKey } from '../../contract/resource.ts'
import { stepLabel } from '../plan/names.ts'
import type { Plan, Step } from '../plan/plan.ts'
import { dependenciesOf, isOnlyIfNew, isRemoval } from '../plan/steps.ts'
import { createStepCheck } from './check-steps.ts'
import { resultEntry } from './journal-entries.ts'
import type { Journal } from './journal-writer.ts'
import { type LackedRight, lackedRight } from './lacked-rights.ts'
import { createPlaceKeeper, type PlaceKeeper } from './place-keeper.ts'
import type { EarlierSessions, RunOutcome, StepResult } from './result.ts'
import { createStepSender } from './send-step.ts'
import { TermsByName } from './terms-by-name.ts'

export interface ExecuteOptions extends Partial<Omit<EarlierSessions, 'isOmitted'>> {
  readonly client: Client
  readonly journal?: Journal | undefined
  /** In ms. */
  now(): number
  sleep?(ms: number): Promise<unknown>
  /** How many steps are sent at the same time. */
  readonly jobs?: number | undefined
  /** Resolves when the next step may be sent. */
  rateLimiter?: (() => Promise<void>) | undefined
  /** The number of failures after which no further step is sent. */
  readonly stopAfter?: number | undefined
  /** No further step is sent once this is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Gets each result with its answer, which the outcome of a run does not keep. */
  onResult?: (step: Step, result: StepResult) => void | Promise<void>
  /** Called when `signal` is aborted before the end, with the number of steps that are being sent and will be finished. */
  onStop?: (sending: number) => void | Promise<void>
  /** When the records of the plan were read, in ms, if known. */
  readonly readAt?: number | undefined
  /** Whether somebody approved the plan as it was saved: a record in which anything has changed since is left alone. */
  readonly isSaved?: boolean | undefined
  /** Called for a step whose record was taken back or was given its slug, after its result. */
  onCompared?(step: Step, result: StepResult): void | Promise<void>
}

/**
 * Few steps at a time for a site, which must not be overloaded, and for a run that is to stop early. In this process, thousands: concurrent
 * writes share one flush to the disk, which 100,000 events need.
 */
const defaultJobs = ({ client: { capabilities }, stopAfter }: ExecuteOptions): number =>
  capabilities.nobodyElseWrites && stopAfter === undefined ? 32 : 4

/** A run in progress. */
interface Run {
  readonly plan: Plan
  readonly options: ExecuteOptions
  readonly check: ReturnType<typeof createStepCheck>
  readonly send: ReturnType<typeof createStepSender>
  readonly places: PlaceKeeper
  readonly results: Map<string, StepResult>
  /** The IDs of the records that steps wrote, by key. */
  readonly writtenIds: Map<string, number>
  /** The records that the run created, by `recordKey`. */
  readonly ownRecords: Set<string>
  /** The labels of the steps that failed, for messages about steps that depend on them. */
  readonly unwritten: Map<string, string>
  /** The terms that events create by naming them. */
  readonly termsByName: TermsByName
  readonly inProgress: Map<string, Promise<void>>
  /** How many steps are being sent. */
  sending: number
  failures: number
  /** An error outside of the writes: steps in progress are finished, others are not sent. */
  fault?: { readonly error: unknown }
  /** Set if the run waited for the site in vain. */
  givenUp?: Failure | undefined
  /** The right without which the first refusal was given; asked for once. */
  lacked?: Promise<LackedRight | undefined>
  /** Why the records that the run created could not be compared with those of others. */
  unchecked?: Failure
}

/**
 * Executes a plan: sends every step once, after those on which it depends. If a step fails, only the steps that depend on it are not sent.
 */
export async function executePlan(plan: Plan, options: ExecuteOptions): Promise<RunOutcome> {
  const { journal, now, signal, knownResults = [] } = options
  const run = createRun(plan, options)
  // After this session, it may no longer be possible to find out what became of the last steps of the one before.
  for (const [key, result] of knownResults) writeEntry(run, key, result)
  let stillPublic: Failure[] = []
  const noteStop = () => void options.onStop?.(run.sending)
  signal?.addEventListener('abort', noteStop, { once: true })
  try {
    for (const stage of orderSteps(plan.steps)) {
      await executeStage(run, stage)
      if (run.fault) throw run.fault.error
      await compareCreated(run, stage)
    }
    for (const [step, result] of run.termsByName.left()) await report(run, step, result)
    stillPublic = await run.places.giveBack()
  } finally {
    signal?.removeEventListener('abort', noteStop)
  }
  const { results, givenUp, unchecked } = run
  // Without this entry, a resume compares the records that the run created.
  if (!unchecked) journal?.write({ ended: now() })
  return {
    results,
    interrupted: signal?.aborted === true,
    ...(givenUp && { givenUp }),
    ...(unchecked && { unchecked }),
    ...(stillPublic.length > 0 && { stillPublic }),
  }
}

function createRun(plan: Plan, options: ExecuteOptions): Run {
  const { client, journal, now, sleep = delay, signal, readAt, isSaved = false, wasSent = () => false } = options
  const writtenIds = new Map(options.writtenIds)
  const termsByName = new TermsByName()
  const ownRecords = createdRecords(plan, writtenIds)
  const places = createPlaceKeeper(plan, { client, journal }, options.published)
  return {
    plan,
    options,
    check: createStepCheck(plan, { client, now, signal, readAt, isSaved, wasSent, writtenIds, ownRecords }),
    send: createStepSender(plan, { client, journal, now, sleep, writtenIds, termsByName, places }),
    places,
    results: new Map(),
    writtenIds,
    ownRecords,
    unwritten: new Map(),
    termsByName,
    inProgress: new Map(),
    sending: 0,
    failures: 0,
  }
}

function isStopped({ fault, givenUp, failures, options }: Run): boolean {
  const { journal, signal, stopAfter = Number.POSITIVE_INFINITY } = options
  if (fault !== undefined || givenUp !== undefined || journal?.fault() !== undefined) return true
  return signal?.aborted === true || failures >= stopAfter
}

function executeStage(run: Run, stage: readonly number[]): Promise<unknown> {
  const { plan, options, inProgress } = run
  return pMap(
    stage,
    (index, position) => {
      const step = plan.steps.at(index)
      if (!step || options.writtenIds?.has(step.key)) return undefined
      const work = executeInOrder(run, step, () => openSteps(run, stage, position))
      inProgress.set(step.key, work)
      return work
    },
    { concurrency: options.jobs ?? defaultJobs(options) },
  )
}

/** The steps of a stage, from a position on, that have not been sent yet. */
function* openSteps({ plan, writtenIds, options }: Run, stage: readonly number[], position: number): Generator<Step> {
  for (const index of stage.slice(position)) {
    const step = plan.steps.at(index)
    if (step && !writtenIds.has(step.key) && !options.knownResults?.has(step.key)) yield step
  }
}

async function executeInOrder(run: Run, step: Step, upcoming: () => Iterable<Step>): Promise<void> {
  let endTurn: (() => void) | undefined
  try {
    await Promise.all(dependenciesOf(step).map(key => run.inProgress.get(key)))
    if (run.termsByName.isNeededBy(step)) endTurn = await run.termsByName.takeTurn()
    await executeStep(run, step, upcoming)
  } catch (error) {
    run.fault ??= { error }
  } finally {
    endTurn?.()
    run.inProgress.delete(step.key)
  }
}

async function executeStep(run: Run, step: Step, upcoming: () => Iterable<Step>): Promise<void> {
  const outcome = await withRights(run, step, await resultFor(run, step, upcoming))
  const isGivenUp = outcome.failure?.details.givenUp === true && outcome.after === undefined
  if (isGivenUp) run.givenUp ??= outcome.failure
  // It was not carried out; a resume checks that again.
  const result: StepResult = isGivenUp ? { state: 'skipped' } : outcome
  if (run.termsByName.postpone(step, result)) return
  await report(run, step, result)
  if (result.record)
    for (const [term, id] of run.termsByName.createdBy(step, result.record))
      await report(run, term, { state: 'done', id })
}

/** The result, whose refusal says what the user may do. */
async function withRights(run: Run, step: Step, result: StepResult): Promise<StepResult> {
  const { failure } = result
  if (failure?.details.problem !== 'no-right') return result
  run.lacked ??= lackedRight(run.options.client, step)
  const lacked = await run.lacked
  return lacked?.isNeededBy(step) ? { ...result, failure: lacked.explain(failure) } : result
}

/** Writes the result of a step to the journal, and reports it. */
async function report(run: Run, step: Step, result: StepResult): Promise<void> {
  const { options, writtenIds, ownRecords } = run
  if (!options.knownResults?.has(step.key)) writeEntry(run, step.key, result)
  if (result.id === undefined) run.unwritten.set(step.key, stepLabel(step))
  else {
    writtenIds.set(step.key, result.id)
    if (isNewRecord(step)) ownRecords.add(recordKey(step.resource, result.id))
  }
  if (result.state === 'failed' || result.state === 'unknown') run.failures += 1
  // All answers would fill the memory; the journal has what is needed of them.
  const { after: _, record: __, ...kept } = result
  run.results.set(step.key, kept)
  await options.onResult?.(step, result)
}

async function resultFor(run: Run, step: Step, upcoming: () => Iterable<Step>): Promise<StepResult> {
  const { options, writtenIds, unwritten, termsByName } = run
  if (isStopped(run)) return { state: 'skipped' }
  const known = options.knownResults?.get(step.key)
  if (known) return known
  const isNamed = (key: string) => step.resource === 'events' && termsByName.nameOf(key) !== undefined
  const missing = dependenciesOf(step).find(key => !writtenIds.has(key) && !isNamed(key))
  if (missing) {
    const label = unwritten.get(missing) ?? JSON.stringify(missing)
    return { state: 'skipped', failure: dependencyFailure(step, label) }
  }
  await options.rateLimiter?.()
  if (isStopped(run) || (await run.lacked)?.isNeededBy(step)) return { state: 'skipped' }
  const checked = await run.check(step, upcoming)
  if (isStopped(run)) return { state: 'skipped' }
  if ('result' in checked) return checked.result
  run.sending += 1
  return run.send(checked.step).finally(() => {
    run.sending -= 1
  })
}

function writeEntry({ options: { journal, now } }: Run, key: string, result: StepResult): void {
  const entry = resultEntry(key, result, now())
  if (entry) journal?.write(entry)
}

/** Takes back records that others created at the same time. Must come before the next stage, which links to the records of this one. */
async function compareCreated(run: Run, stage: readonly number[]): Promise<void> {
  const { plan, options, results, writtenIds, ownRecords, givenUp } = run
  const { client, journal, now, signal } = options
  if (client.capabilities.nobodyElseWrites || givenUp || signal?.aborted || journal?.fault()) return
  const creates = stage.flatMap(index => plan.steps.at(index) ?? []).filter(step => isOwnCreate(run, step))
  if (creates.length === 0) return
  const { takeBackDoubles } = await import('./doubles.ts')
  try {
    for await (const [step, result] of takeBackDoubles(creates, { client, journal, now, writtenIds, ownRecords })) {
      writeEntry(run, step.key, result)
      results.set(step.key, result)
      if (result.id !== undefined) writtenIds.set(step.key, result.id)
      await options.onCompared?.(step, result)
    }
    // The first record may be gone by now, so that there is nothing to take back.
    for (const step of creates) {
      const id = writtenIds.get(step.key)
      const isStillOpen = options.isBeingTakenBack?.(step) && !results.has(step.key)
      if (id !== undefined && isStillOpen) writeEntry(run, step.key, { state: 'done', id })
    }
  } catch (error) {
    run.unchecked = asFailure(error)
  }
}

/** Whether the run itself created or restored the record of a step that is sent only if no such record exists. */
function isOwnCreate({ options, results, writtenIds }: Run, step: Step): boolean {
  const doneByOthers = results.get(step.key)?.doneByOthers ?? options.doneByOthers?.(step) ?? false
  return isOnlyIfNew(step) && writtenIds.has(step.key) && !doneByOthers
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
  refused(
    phrase('{record} needs {dependency}, which was not written', { record: stepLabel(step), dependency }),
    phrase('fix that record, then apply both with: calctl runs resume'),
  )

/**
 * The indexes of the steps in three stages, each after those on which it depends: what events link to, events, and the removal of what the
 * first two may still use.
 */
function orderSteps(steps: Iterable<Step>): [linked: number[], events: number[], removals: number[]] {
  const nodes = Array.from(steps, step => ({ key: step.key, rank: rankOf(step), dependencies: dependenciesOf(step) }))
  const dependedOn = new Set(nodes.flatMap(({ dependencies }) => dependencies))
  const indexByKey = new Map(nodes.flatMap(({ key }, index) => (dependedOn.has(key) ? [[key, index]] : [])))
  const state: ('visiting' | 'sorted' | undefined)[] = []
  const sorted: number[] = []
  const visit = (index: number, path: readonly string[]) => {
    const { key = '', dependencies = [] } = nodes[index] ?? {}
    if (state[index] === 'sorted') return
    if (state[index] === 'visiting') throw circular([...path.slice(path.indexOf(key)), key])
    state[index] = 'visiting'
    for (const dependency of dependencies) {
      const other = indexByKey.get(dependency)
      if (other !== undefined) visit(other, [...path, key])
    }
    state[index] = 'sorted'
    sorted.push(index)
  }
  const rankAt = (index: number) => nodes[index]?.rank ?? 0
  const ranked = [...nodes.keys()].toSorted((one, other) => rankAt(one) - rankAt(other))
  for (const index of ranked) if (rankAt(index) < firstRemoval) visit(index, [])
  const writes = sorted.splice(0)
  for (const index of ranked) visit(index, [])
  const isOfEvent = (index: number) => rankAt(index) === eventRank
  return [writes.filter(index => !isOfEvent(index)), writes.filter(isOfEvent), sorted]
}

const eventRank = 1
const firstRemoval = 2

function rankOf(step: Step): number {
  const isEvent = step.resource === 'events'
  if (isRemoval(step)) return firstRemoval + (isEvent ? 0 : 1)
  return isEvent ? eventRank : 0
}

const circular = (path: readonly string[]) =>
  usage(
    phrase('circular references: {path}', { path: path.join(' → ') }),
    phrase('create one of them without the other, and link it afterwards'),
  )
