import type { Client, Values } from '../client/client.ts'
import { type Found, findCreated } from '../client/look-up.ts'
import { resourceNamed } from '../contract/contract.ts'
import { Failure } from '../failure.ts'
import type { Clock } from './clock.ts'
import { checkWhole, type PastRun, type Sent } from './past-run.ts'
import { type Plan, resolved, type Step } from './plan.ts'
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
  const written = new Map<string, number>()
  for (const [key, { state, id }] of past.past) if (state === 'done' && id !== undefined) written.set(key, id)
  await waitForTheLast(past, written, clock)
  const { plan, settled } = await refresh(client, past.plan, {
    isDone: ({ key }) => written.has(key),
    wasSent: ({ key }) => past.sent.has(key),
  })
  const taken = new Set(written.values())
  for (const step of past.plan.steps) {
    const sent = past.sent.get(step.key) ?? lostSent(past, clock)
    // One that is shared is looked for when its turn comes.
    if (written.has(step.key) || step.action !== 'create' || step.shared || !sent) continue
    const result = await lookUp(client, step, sent, written, taken, clock)
    if (result?.id !== undefined) taken.add(result.id)
    if (result) settled.set(step.key, result)
  }
  return { plan, written, settled }
}

/** What the journal had not on disk when the machine went down can have been sent, too. */
function lostSent({ begun, ended }: PastRun, { upSince }: Clock): Sent | undefined {
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

/** What became of a create that was sent; undefined if it was certainly not done. */
async function lookUp(
  client: Client,
  step: Step,
  { at, newest }: Sent,
  written: ReadonlyMap<string, number>,
  taken: ReadonlySet<number>,
  { now }: Clock,
): Promise<Result | undefined> {
  const values = resolved(step.values, key => written.get(key) ?? 0) as Values
  const found: Found = await findCreated(client, {
    resource: resourceNamed(step.resource),
    values: step.language ? { ...values, lang_code: step.language } : values,
    sent: at,
    newest: newest || undefined,
    now,
    isTaken: id => taken.has(id),
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
