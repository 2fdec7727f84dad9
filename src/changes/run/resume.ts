import { badSettings, conflict, Failure, refused } from '../../base/failure.ts'
import { asOption, listOf, listOfFirst } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import { patchedAfterwards } from '../../client/adapters/new-record-result.ts'
import { findCreated, type WriteOutcome } from '../../client/adapters/reconcile.ts'
import { driftFailure } from '../../client/adapters/write-result.ts'
import type { Client, Values } from '../../client/client.ts'
import { listAllCommand } from '../../client/http/problems/unavailable.ts'
import { withUploadedImage } from '../../client/images/image-sources.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordKey } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import { stepLabel } from '../plan/names.ts'
import type { CreateStep, Plan, Step } from '../plan/plan.ts'
import { locationOf, SiteReader } from '../plan/site-reader.ts'
import { resolveReferences } from '../plan/steps.ts'
import { type CreatedRecords, settleDoubles } from './doubles.ts'
import { checkPlanWritten, isWhole, type JournaledRun } from './journal-reader.ts'
import type { Attempt } from './journal-replay.ts'
import type { EarlierSessions, StepResult } from './result.ts'

/**
 * Finds out which steps of a run remain. Those that were sent without an answer are looked for in the calendar; no create is sent again
 * before that.
 */
export async function prepareResume(
  client: Client,
  run: JournaledRun,
  clock: ResumeClock,
): Promise<EarlierSessions & Pick<JournaledRun, 'plan'>> {
  checkPlanWritten(run)
  checkPlanComplete(run)
  const writtenIds = writtenIdsOf(run)
  await waitForLastAttempt(run, writtenIds, clock)
  const created = await reconcileCreates(client, run, writtenIds, clock)
  return {
    plan: run.plan,
    writtenIds,
    knownResults: new Map([...passwordFailures(run, writtenIds), ...created]),
    isBeingTakenBack: ({ key }) => run.results.get(key)?.isBeingTakenBack === true,
    doneByOthers: ({ key }) => run.results.get(key)?.doneByOthers === true,
    wasSent: ({ key }) => attemptOf(run, key, clock) !== undefined,
    isOmitted: ({ key }) => run.omittedFields.has(key),
    published: run.published,
  }
}

/** The IDs of the records that a run wrote, by the key of the step. */
function writtenIdsOf({ results }: JournaledRun): Map<string, number> {
  const ids = new Map<string, number>()
  for (const [key, { state, id }] of results) if (state === 'done' && id !== undefined) ids.set(key, id)
  return ids
}

/** Failures for the remaining steps that cannot be sent because the journal does not have all of their fields. */
function passwordFailures({ plan, omittedFields }: JournaledRun, writtenIds: ReadonlyMap<string, number>) {
  const results = new Map<string, StepResult>()
  if (omittedFields.size === 0) return results
  for (const step of plan.steps) {
    const names = omittedFields.get(step.key)
    if (names && !writtenIds.has(step.key))
      results.set(step.key, { state: 'failed', failure: passwordFailure(step, names) })
  }
  return results
}

const passwordFailure = (step: Step, names: readonly string[]) =>
  refused(
    phrase('{record} needs a password, which the journal does not keep', { record: stepLabel(step) }),
    step.action === 'create'
      ? phrase('apply the file again')
      : phrase('update it separately with: {options}', { options: names.map(name => `${asOption(name)} …`).join(' ') }),
  )

/** Throws if steps are missing from the journal, because nobody knows then which ones remain. */
function checkPlanComplete({ run, file, header, plan, damagedLine }: JournaledRun): void {
  if (plan.steps.length === header.steps) return
  const message =
    damagedLine === undefined
      ? phrase('the plan in the journal {file} is damaged', { file })
      : phrase('the plan in the journal {file} is damaged at line {line}', { file, line: damagedLine })
  throw badSettings(
    message,
    phrase('review it with: {show}; undo it with: {undo}; then run the command again', {
      show: `calctl runs show ${run}`,
      undo: `calctl undo ${run}`,
    }),
  )
}

/** The results of the creates that were sent without an answer, except for those that were certainly not carried out. */
async function reconcileCreates(
  client: Client,
  run: JournaledRun,
  writtenIds: ReadonlyMap<string, number>,
  clock: ResumeClock,
): Promise<Map<string, StepResult>> {
  const results = new Map<string, StepResult>()
  const ids = new Map(writtenIds)
  const keys = new Set<string>()
  const add = ({ key, resource }: Step, id: number | undefined) => {
    if (id === undefined) return
    ids.set(key, id)
    keys.add(recordKey(resource, id))
  }
  for (const step of run.plan.steps) add(step, writtenIds.get(step.key))
  for (const step of run.plan.steps) {
    const attempt = attemptOf(run, step.key, clock)
    if (writtenIds.has(step.key) || step.action !== 'create' || !attempt) continue
    const settled = step.existing && (await settleOverwritten(client, run, step, clock))
    const result = withOmitted(
      step,
      run,
      settled ?? (await reconcileCreate(client, { step, attempt, ids, keys: withExisting(keys, step) }, clock)),
    )
    add(step, result?.id)
    if (result) results.set(step.key, result)
  }
  return results
}

/** The result of a create that overwrote a record instead of creating another; the record gets its old values back. */
async function settleOverwritten(
  client: Client,
  { run, header }: JournaledRun,
  step: CreateStep,
  { onlyReads }: ResumeClock,
): Promise<StepResult | undefined> {
  const { overwrittenBy, giveBack } = await import('./second-record.ts')
  const found = await overwrittenBy(client, step, step.values)
  if (!found) return undefined
  const resource = resourceNamed(step.resource)
  if (onlyReads)
    throw conflict(
      phrase('run {run} changed {record} instead of creating another', {
        run,
        record: namedRecord(resource.name, found.before.id),
      }),
      phrase('restore its former values with: {command}', { command: `calctl runs resume ${run}${header.to}` }),
    )
  return { state: 'failed', failure: await giveBack(client, resource, found, step.values) }
}

const withExisting = (keys: ReadonlySet<string>, { resource, existing = [] }: CreateStep): ReadonlySet<string> =>
  new Set([...keys, ...existing.map(({ id }) => recordKey(resource, id))])

/** The result of a create that was sent without its password, so that the record is private. */
function withOmitted(step: Step, { omittedFields }: JournaledRun, result: StepResult | undefined) {
  const names = omittedFields.get(step.key)
  return names && result?.state === 'done' ? { ...result, failure: passwordFailure(step, names) } : result
}

/** A create that was sent, and the other records that the run has created. */
interface SentCreate extends CreatedRecords {
  readonly step: CreateStep
  readonly attempt: Attempt
}

/** The result of a create that was sent; undefined if it was certainly not carried out. */
async function reconcileCreate(
  client: Client,
  { step, attempt: { at, newest }, ids, keys }: SentCreate,
  { now, onlyReads }: ResumeClock,
): Promise<StepResult | undefined> {
  const values = await withUploadedImage(client, resolveReferences(step.values, key => ids.get(key) ?? 0) as Values)
  const outcome: WriteOutcome = await findCreated(client, {
    resource: resourceNamed(step.resource),
    values: step.lang_code ? { ...values, lang_code: step.lang_code } : values,
    sent: at,
    newest: newest || undefined,
    now,
    isTaken: id => keys.has(recordKey(step.resource, id)),
    rewrite: onlyReads ? undefined : client.overwrite,
  })
  if (outcome === 'not done') return undefined
  if (outcome !== 'undecided') {
    const resource = resourceNamed(step.resource)
    const found = await client.complete(resource, outcome, patchedAfterwards(resource, values).patch)
    const failure = driftFailure(resource, found)
    return { state: 'done', id: outcome.id, ...(failure && { failure }) }
  }
  const settled = onlyReads ? undefined : await settleDoubles(client, step, values, { ids, keys })
  if (settled) return settled
  return {
    state: 'unknown',
    failure: new Failure(
      'conflict',
      phrase('{record}: outcome unknown: it was sent but not answered', { record: stepLabel(step) }),
      {
        hint: phrase('it will not be sent again; check whether it exists with: {command}', {
          command: listAllCommand(resourceNamed(step.resource), client.calendar),
        }),
        done: 'unknown',
      },
    ),
  }
}

/** In ms. */
export interface ResumeClock {
  now(): number
  /** When the machine was last started, in ms. */
  upSince(): number
  /** How long it has been running, in ms; unlike the clock, nobody can set it. */
  up?(): number
  /** Its boot; empty if that is not known. */
  readonly boot?: string
  sleep(ms: number): Promise<void>
  /** Set where nothing may be written: a record that is missing in lists stays so. */
  readonly onlyReads?: true
}

/**
 * How long a service gets to finish the requests of a process that was killed, in ms: twice the time of its slowest answer, and at least
 * the first value; the second value if no answer was seen.
 */
const shortestGrace = 2000
const graceOfUnknown = 10_000

const graceOf = ({ slowestAnswer }: JournaledRun): number =>
  slowestAnswer === undefined ? graceOfUnknown : Math.max(2 * slowestAnswer, shortestGrace)

/**
 * When a step was sent, as far as is known. A step without an entry may have been sent, too, if the machine crashed before the journal was
 * on disk, or if the journal is damaged.
 */
function attemptOf(run: JournaledRun, key: string, clock: ResumeClock): Attempt | undefined {
  const { attempts, results, sessionStart, hasEnded, header } = run
  const attempt = attempts.get(key)
  if (attempt) return attempt
  if (!isWhole(run) || results.get(key)?.state === 'unknown') return attemptAt(Date.parse(header.started))
  return !hasEnded && hasRestarted(run, clock) ? attemptAt(sessionStart) : undefined
}

/** Whether the machine was started again since the last session began. */
const hasRestarted = (run: JournaledRun, { upSince, boot = '' }: ResumeClock): boolean =>
  run.boot === '' || boot === '' ? upSince() > run.sessionStart : run.boot !== boot

const attemptAt = (at: number): Attempt => ({ at, latest: at })

/** Waits for requests of a process that was killed, which the service may still be carrying out. */
async function waitForLastAttempt(run: JournaledRun, writtenIds: ReadonlyMap<string, number>, clock: ResumeClock) {
  const grace = graceOf(run)
  let wait = 0
  for (const [key, attempt] of run.attempts)
    if (!writtenIds.has(key)) wait = Math.max(wait, grace - timeSince(run, attempt, clock))
  if (wait > 0) await clock.sleep(wait)
}

/** How long ago a step was sent, in ms. While the machine is running, this does not depend on the clock, which may have been set since. */
function timeSince(run: JournaledRun, { latest, up }: Attempt, clock: ResumeClock): number {
  const upNow = clock.up?.()
  if (up !== undefined && upNow !== undefined && upNow >= up && !hasRestarted(run, clock)) return upNow - up
  return Math.max(clock.now() - latest, 0)
}

/**
 * A run with results for the steps that were sent without an answer, so that an undo reverts what they did. Created records and deleted
 * terms are looked for in the calendar. Every other step counts as done, because an undo compares each of its fields with the current
 * record. The outcome of a create may stay unknown.
 */
export async function withUnansweredSteps(
  client: Client,
  run: JournaledRun,
  clock: ResumeClock,
): Promise<JournaledRun> {
  const unanswered = unansweredSteps(run, clock)
  if (unanswered.length === 0) return run
  const writtenIds = writtenIdsOf(run)
  await waitForLastAttempt(run, writtenIds, clock)
  const created = await reconcileCreates(client, run, writtenIds, { ...clock, onlyReads: true })
  // The terms that steps were to delete and that still exist.
  const deletes = unanswered.flatMap(({ step }) => (step.action === 'delete' ? [locationOf(step, step.id)] : []))
  const remaining = await new SiteReader(client).readCurrent(deletes)
  const results = new Map(run.results)
  const attempts = new Map(run.attempts)
  for (const { step, attempt } of unanswered) {
    const { key } = step
    const result = created.get(key)
    const id = result?.id ?? step.id
    const isDone =
      step.action === 'create' ? result?.state === 'done' : !remaining.has(recordKey(step.resource, step.id ?? 0))
    if (isDone && id !== undefined) results.set(key, { state: 'done', id })
    else if (result) attempts.set(key, attempt)
    else attempts.delete(key)
  }
  const keys = new Set(unanswered.map(({ step }) => step.key))
  return { ...run, results, attempts, valuesAfter: key => (keys.has(key) ? {} : run.valuesAfter(key)) }
}

/** The steps of which nobody knows whether they were carried out. */
export const undecidedSteps = ({ plan, results, attempts }: JournaledRun): Step[] =>
  [...plan.steps].filter(({ key }) => attempts.has(key) && results.get(key)?.state !== 'done')

/** The failure for the undo of a run that may have created more than its journal shows. */
export function undecidedStepsFailure(
  { calendar }: Client,
  { run }: Pick<JournaledRun, 'run'>,
  { steps }: Pick<Plan, 'steps'>,
  undecided: readonly Step[],
): Failure {
  const resources = [...new Set(undecided.map(({ resource }) => resource))].map(resourceNamed)
  const places = { run, records: listOfFirst(undecided.map(stepLabel), namedSteps) }
  const message =
    steps.length > 0
      ? phrase('could not determine whether run {run} created {records}; everything else was undone', places)
      : phrase('could not determine whether run {run} created {records}; nothing else was left to undo', places)
  return conflict(
    message,
    phrase(
      'look for {count, plural, one {it} other {them}} with: {commands}; if the run created {count, plural, one {it} other {them}}, delete {count, plural, one {it} other {them}}',
      { count: undecided.length, commands: listOf(resources.map(resource => listAllCommand(resource, calendar))) },
    ),
  )
}

/** How many steps a failure names. */
const namedSteps = 5

const unansweredSteps = (run: JournaledRun, clock: ResumeClock): { step: Step; attempt: Attempt }[] =>
  [...run.plan.steps].flatMap(step => {
    const attempt = run.results.get(step.key)?.state === 'done' ? undefined : attemptOf(run, step.key, clock)
    return attempt ? [{ step, attempt }] : []
  })
