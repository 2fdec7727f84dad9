import { ignoreFailure } from '../../base/attempt.ts'
import { once } from '../../base/memoize.ts'
import { capitalized } from '../../base/text/sentence-parts.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Client } from '../../client/client.ts'
import { resources } from '../../contract/contract.ts'
import type { Answer } from '../../contract/resource.ts'
import { recordName } from '../../files/print/record-names.ts'
import { sourceNotes } from '../plan/making/source-notes.ts'
import { blockingRecords, conflictsIn, countRemovals, withBlockingRecords } from '../plan/overview.ts'
import type { Plan, Step } from '../plan/plan.ts'
import {
  checkConflicts,
  excessFailure,
  fixSkipped,
  invalidFailure,
  leftFailure,
  removalExcess,
} from '../plan/plan-checks.ts'
import { mayDropSome } from '../plan/private-steps.ts'
import { publishedNote } from '../plan/published-places.ts'
import { summaryLines } from '../plan/step-lines.ts'
import { executePlan } from '../run/execute.ts'
import { createRateLimiter, parseRate } from '../run/rate-limiter.ts'
import type { StepResult } from '../run/result.ts'
import { createSetMemory } from '../run/written-sets.ts'
import type { Front, NamedRecords, PlanOptions, Policy, Task, Warned } from './front.ts'
import { reportRun } from './report.ts'

/** Shows a plan, asks for confirmation, executes it, and reports the outcome; throws if something failed. */
export async function carryOut(front: Front, made: Plan, policy: Policy = {}): Promise<void> {
  const { options } = front
  const whole = await withNotes(await front.client(), await withBookings(front, made, policy))
  const plan = withSkipped(whole, options)
  if (policy.isSaved && front.runs !== undefined)
    (await import('../run/already-applied.ts')).checkNotApplied(front.runs, plan)
  await front.files.check()
  if (options.save !== undefined) await front.save(plan)
  if (isOnlyShown(options)) return showDryRun(front, plan, { policy, whole })
  const isBlocked = blockingRecords(whole).length > 0 && !options.skipInvalid
  if (plan.invalid.length > 0) await front.showInvalid(plan)
  if (!isBlocked && plan.steps.length > 0) await front.showFirst(plan, policy)
  const warnings = await warningsFor(await front.client(), plan, policy)
  for (const line of linesBefore(plan, { policy, warnings, isConfirmed: front.isConfirmed })) await front.notice(line)
  if (isBlocked) throw invalidFailure(plan, options)
  if (plan.steps.length === 0) return finishWithoutSteps(front, plan, policy)
  const excess = await excessOf(front.runs, whole, policy, options.maxTrash)
  if (excess) throw excessFailure(excess)
  const client = await front.writer()
  const confirmed = await front.ask(client, plan, { policy, warnings })
  await execute(front, {
    client,
    plan: confirmed,
    total: confirmed.steps.length,
    named: policy.named,
    isSaved: policy.isSaved,
    readAt: policy.isSaved ? undefined : Date.parse(plan.made),
    journal: () => openJournal(front, confirmed, policy),
  })
}

/** Adds to a new plan where it puts an event at the same place and hours as another one. A site that is slow or fails does not hold it up. */
async function withBookings(front: Front, plan: Plan, { isSaved }: Policy): Promise<Plan> {
  if (isSaved || plan.undoes !== undefined || !front.briefly || front.isQuiet) return plan
  const { bookingNotes } = await import('../plan/bookings.ts')
  const client = await front.client()
  const notes = await front.briefly(() => bookingNotes(client, plan).catch(ignoreFailure))
  return notes && notes.length > 0 ? { ...plan, notes: [...(plan.notes ?? []), ...notes] } : plan
}

/** Adds to a plan what an undo could not give back, links of hidden events and passwords that the site drops, and what the site publishes. */
export async function withNotes(client: Client, plan: Plan): Promise<Plan> {
  const { steps, note } = mayDropSome(client, plan.steps)
    ? await (await droppedPasswords()).withDroppedPasswords(client, plan.steps)
    : { steps: plan.steps, note: undefined }
  const hidden = hasRemovals(plan) ? await (await removalNotes()).hiddenLinksNote(client, steps) : undefined
  const published = publishedNote(client, { steps })
  // A saved plan may have the notes already.
  const notes = [...new Set([...(plan.notes ?? []), ...[hidden, note, published].flatMap(one => one ?? [])])]
  return { ...plan, steps, ...(notes.length > 0 && { notes }) }
}

/** What is said about a plan, but does not belong to it: what uses its records, and of records that were named, texts that get lost. */
const warningsFor = async (client: Client, plan: Plan, { named }: Policy): Promise<readonly string[]> => [
  ...(named ? sourceNotes(client, plan.steps) : []),
  // An undo keeps what others still use.
  ...(plan.undoes === undefined && hasRemovals(plan) ? await (await removalNotes()).usesNotes(client, plan) : []),
]

const hasRemovals = (plan: Plan): boolean => resources.some(({ name }) => countRemovals(plan, name) > 0)

const droppedPasswords = () => import('../plan/dropped-passwords.ts')

const removalNotes = () => import('../plan/making/notes.ts')

/** Whether nothing is written: a plan that is saved is carried out later. */
const isOnlyShown = ({ dryRun, save }: PlanOptions): boolean => dryRun === true || save !== undefined

/** The plan, in which skipped records count, so that the exit status shows them even if they stop nothing else. */
const withSkipped = (plan: Plan, options: PlanOptions): Plan =>
  isOnlyShown(options) || (options.allowInvalid && !options.skipInvalid) ? plan : withBlockingRecords(plan)

/** What a plan removes above the limit. Records that were named, and in an undo those that its run created, need no --max-trash. */
export async function excessOf(runs: string | undefined, plan: Plan, { named, isSaved }: Policy, maxTrash?: number) {
  const isOwn = async () => !isSaved || (await import('../undo/undo-plan.ts')).removesOnlyOwn(runs, plan)
  const isFree = named !== undefined || (plan.undoes !== undefined && (await isOwn()))
  return isFree && maxTrash === undefined ? undefined : removalExcess(plan, maxTrash)
}

/** What is said before a plan is carried out, unless a question about records that were named says it. */
function linesBefore(plan: Plan, { policy, warnings, isConfirmed }: Warned & { readonly isConfirmed: boolean }) {
  const { named, ask, already } = policy
  if (!named) return [...new Set([...warnings, ...summaryLines(plan)])]
  const kept = named.items.flatMap(item =>
    typeof item === 'string' ? [] : (already?.(item) ?? alreadySo(named, item)),
  )
  const said = [...(plan.notes ?? []), ...warnings]
  return isConfirmed || !(ask ?? warnings.length > 0) ? [...kept, ...said] : kept
}

const alreadySo = ({ resource }: NamedRecords, record: Answer): string =>
  phrase('{record} already has these values; nothing was changed', {
    record: capitalized(recordName(resource, { record })),
  })

async function showDryRun(
  front: Front,
  plan: Plan,
  { policy, whole }: { readonly policy: Policy; readonly whole: Plan },
): Promise<void> {
  const { options } = front
  await front.show(plan, policy)
  for (const warning of await warningsFor(await front.client(), plan, policy)) await front.notice(warning)
  const excess = await excessOf(front.runs, whole, policy, options.maxTrash)
  if (excess)
    await front.notice(
      phrase('{problem}: it needs --max-trash {count}', { problem: excess.message, count: excess.needed }),
    )
  if (plan.invalid.length === 0) return
  if (blockingRecords(plan).length > 0 && !options.skipInvalid) throw invalidFailure(plan, options)
  checkConflicts(plan)
}

/** Opens the journal. Another process may have started the same saved plan in the meantime. */
async function openJournal(front: Front, plan: Plan, policy: Policy) {
  if (!policy.isSaved || front.runs === undefined) return front.openJournal(plan, policy)
  const { startOnce } = await import('../run/already-applied.ts')
  return startOnce(front.runs, plan, () => front.openJournal(plan, policy))
}

/** Reports the outcome of a plan without steps, which starts no run. */
async function finishWithoutSteps(front: Front, plan: Plan, { named }: Policy): Promise<void> {
  await front.print({ plan, outcome: { results: new Map(), interrupted: false }, named, answers: new Map() })
  if (blockingRecords(plan).length > 0) throw leftFailure('partial', plan, fixSkipped())
  if (conflictsIn(plan).length > 0) throw leftFailure('conflict', plan)
}

/** In ms: while it updates plugins, a site asks for 10 minutes. */
const defaultMaxWait = 600_000

/** Executes a plan, shows progress and reports the outcome; throws if something failed or the run was interrupted. */
export async function execute(front: Front, task: Task): Promise<void> {
  const { options } = front
  const { client, plan, named } = task
  const progress = named ? undefined : front.progress(task.total)
  const now = () => front.now().getTime()
  const journal = await task.journal()
  if (!named) front.waitForSite(options.maxWait ?? defaultMaxWait)
  const setMemory = once(() => createSetMemory(client, plan, task.writtenIds))
  const rememberInSet = async (step: Step, id: number | undefined) => {
    if (step.action === 'create') await setMemory()(step, id)
  }
  const answers = new Map<string, StepResult>()
  let hasWritten = !named
  const outcome = await executePlan(plan, {
    ...task,
    // The records may have changed while this run waited for another one.
    ...(journal?.hasWaited && { readAt: undefined }),
    journal,
    jobs: named ? 1 : options.jobs,
    stopAfter: options.stopAfter,
    rateLimiter: rateLimiterOf(front),
    now,
    sleep: front.sleep,
    signal: front.stopping(),
    async onResult(step, result) {
      hasWritten ||= result.state === 'done' || result.state === 'unknown' || result.after !== undefined
      if (named) answers.set(step.key, await front.withLinkedRecords(step, result))
      await rememberInSet(step, result.id)
      if (result.state !== 'skipped') await progress?.step(result.state !== 'done')
    },
    async onStop(sending) {
      if (sending > 0 && !front.isJson) await (progress ?? { say: front.notice }).say(finishing(sending))
    },
    async onCompared(step, result) {
      await rememberInSet(step, result.id)
    },
  }).finally(async () => {
    await (hasWritten ? journal?.close() : journal?.discard())
    await progress?.end()
  })
  await reportRun(front, task, {
    outcome,
    answers,
    journal,
    hasWritten,
  })
}

const finishing = (sending: number): string =>
  phrase('finishing {count, plural, one {# request} other {# requests}}; press Ctrl-C again to quit at once', {
    count: sending,
  })

function rateLimiterOf({ options: { rate }, now, sleep }: Front) {
  return rate === undefined ? undefined : createRateLimiter(parseRate(rate), { now: () => now().getTime(), sleep })
}
