import type { Client, Values } from '../client/client.ts'
import { findCreated, type WriteOutcome } from '../client/reconcile.ts'
import { resourceNamed } from '../contract/contract.ts'
import { Failure } from '../failure.ts'
import { type Plan, resolveReferences, type Step } from '../plan/plan.ts'
import { recordKey } from '../plan/site-reader.ts'
import type { Clock } from './clock.ts'
import { checkWhole, type PastRun, type Sent } from './journal-reader.ts'
import { refresh } from './refresh.ts'
import { nameOf, type Result } from './result.ts'

/** What is left of a run, and what is known of it before anything is sent again. */
export interface Rest {
  readonly plan: Plan
  readonly written: ReadonlyMap<string, number>
  readonly settled: ReadonlyMap<string, Result>
}

/** How long a service gets to finish what it was doing when whoever asked was killed, in ms. */
const grace = 2000

/** Finds out what is left of a run. What was sent and not answered is looked up: no create is sent again before that. */
export async function rest(client: Client, past: PastRun, clock: Clock): Promise<Rest> {
  checkWhole(past)
  checkPlan(past)
  const written = new Map<string, number>()
  for (const [key, { state, id }] of past.past) if (state === 'done' && id !== undefined) written.set(key, id)
  await waitForTheLast(past, written, clock)
  const found = await lookUpAll(client, past, written, clock)
  const { plan, settled } = await refresh(client, past.plan, {
    isDone: ({ key }) => written.has(key),
    wasSent: ({ key }) => sentBy(past, key, clock) !== undefined,
    idOf: key => written.get(key) ?? found.get(key)?.id,
  })
  return { plan, written, settled: new Map([...lockedIn(past), ...settled, ...found]) }
}

/** The steps that cannot be sent again as they were, with why. */
function lockedIn({ plan, withheld }: PastRun): Map<string, Result> {
  const results = new Map<string, Result>()
  if (withheld.size === 0) return results
  for (const step of plan.steps) {
    const names = withheld.get(step.key)
    if (names) results.set(step.key, { state: 'failed', failure: locked(step, names) })
  }
  return results
}

const locked = (step: Step, names: readonly string[]) =>
  new Failure('refused', `${nameOf(step)} was given a ${names.join(' and a ')}, which is not kept in journals`, {
    hint: `do that one anew, with: ${names.map(name => `--${name} …`).join(' ')}`,
  })

/** What became of the creates that were sent and not answered, where that can be said. */
async function lookUpAll(
  client: Client,
  past: PastRun,
  written: ReadonlyMap<string, number>,
  clock: Clock,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>()
  const ids = new Map(written)
  const taken = new Set<string>()
  const take = ({ key, resource }: Step, id: number | undefined) => {
    if (id === undefined) return
    ids.set(key, id)
    taken.add(recordKey(resource, id))
  }
  for (const step of past.plan.steps) take(step, written.get(step.key))
  for (const step of past.plan.steps) {
    const sent = sentBy(past, step.key, clock)
    // One that is shared is looked for when its turn comes.
    if (written.has(step.key) || step.action !== 'create' || step.shared || !sent) continue
    const result = await lookUp(client, step, sent, { ids, taken }, clock)
    take(step, result?.id)
    if (result) results.set(step.key, result)
  }
  return results
}

/** Steps that are not known cannot be done, and what was done of them cannot be told from what was not. */
function checkPlan({ run, file, header, plan, damagedAt }: PastRun): void {
  if (plan.steps.length === header.steps) return
  throw new Failure('settings', `the plan in the journal ${file} is damaged at line ${damagedAt}`, {
    hint: `see what was done with: calctl runs show ${run}; take that back with: calctl runs undo ${run}; then run the command anew`,
  })
}

/** When a step was sent. What the journal had not on disk when the machine went down, or cannot tell any more, can have been, too. */
function sentBy(
  { sent, past, begun, ended, header, damagedAt }: PastRun,
  key: string,
  { upSince }: Clock,
): Sent | undefined {
  const known = sent.get(key)
  if (known) return known
  if (damagedAt !== undefined || past.get(key)?.state === 'unknown') return { at: Date.parse(header.started) }
  return !ended && upSince() > begun ? { at: begun } : undefined
}

async function waitForTheLast(
  { sent }: PastRun,
  written: ReadonlyMap<string, number>,
  { now, sleep }: Clock,
): Promise<void> {
  let last = 0
  for (const [key, { at }] of sent) if (!written.has(key)) last = Math.max(last, at)
  if (last + grace > now()) await sleep(last + grace - now())
}

/** The records that a run is known to have made: their IDs by step, and each by its resource and ID. */
interface Known {
  readonly ids: ReadonlyMap<string, number>
  readonly taken: ReadonlySet<string>
}

/** What became of a create that was sent; undefined if it was certainly not done. */
async function lookUp(
  client: Client,
  step: Step,
  { at, newest }: Sent,
  { ids, taken }: Known,
  { now }: Clock,
): Promise<Result | undefined> {
  const values = resolveReferences(step.values, key => ids.get(key) ?? 0) as Values
  const found: WriteOutcome = await findCreated(client, {
    resource: resourceNamed(step.resource),
    values: step.language ? { ...values, lang_code: step.language } : values,
    sent: at,
    newest: newest || undefined,
    now,
    isTaken: id => taken.has(recordKey(step.resource, id)),
  })
  if (found === 'not done') return undefined
  if (found !== 'undecided') return { state: 'done', id: found.id }
  return {
    state: 'unknown',
    failure: new Failure('conflict', `unknown: ${nameOf(step)} may have been created; it was sent and never answered`, {
      hint: `see what is there with: calctl ${step.resource} list; it is not sent again`,
      done: 'unknown',
    }),
  }
}
