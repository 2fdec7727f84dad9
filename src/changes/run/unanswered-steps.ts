import { Failure } from '../../base/failure.ts'
import { listOf, listOfFirst, nounFor } from '../../base/text/words.ts'
import type { Client } from '../../client/client.ts'
import { listAllCommand } from '../../client/http/problems/unavailable.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordKey } from '../../contract/resource.ts'
import { isShared, type Plan, type Step } from '../plan/plan.ts'
import { SiteReader } from '../plan/site-reader.ts'
import type { JournaledRun } from './journal-reader.ts'
import type { Attempt } from './journal-replay.ts'
import { stepLabel } from './result.ts'
import { attemptOf, type ResumeClock, reconcileCreates, waitForLastAttempt, writtenIdsOf } from './resume.ts'

/**
 * A run with results for the steps that were sent and not answered, so that an undo takes back what they did. Created records and
 * deleted terms are looked for in the calendar. Every other step counts as done: an undo compares each of its fields with the
 * current record. The outcome of a create may stay unknown.
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
  const remaining = await remainingTerms(
    client,
    unanswered.map(({ step }) => step),
  )
  const results = new Map(run.results)
  const attempts = new Map(run.attempts)
  for (const { step, attempt } of unanswered) {
    const { key } = step
    const result = created.get(key)
    const id = result?.id ?? step.id
    const isDone = step.action === 'create' ? result?.state === 'done' : !remaining.has(termKey(step))
    if (isDone && id !== undefined) results.set(key, { state: 'done', id })
    else if (result || isShared(step)) attempts.set(key, attempt)
    else attempts.delete(key)
  }
  const keys = new Set(unanswered.map(({ step }) => step.key))
  return { ...run, results, attempts, valuesAfter: key => (keys.has(key) ? {} : run.valuesAfter(key)) }
}

/** The steps of which it is still not known whether they were done. */
export const undecidedSteps = ({ plan, results, attempts }: JournaledRun): Step[] =>
  [...plan.steps].filter(({ key }) => attempts.has(key) && results.get(key)?.state !== 'done')

/** The failure of an undo of a run that may have created more than its journal knows. */
export function undecidedStepsFailure(
  { calendar }: Client,
  { run }: Pick<JournaledRun, 'run'>,
  { steps }: Pick<Plan, 'steps'>,
  undecided: readonly Step[],
): Failure {
  const resources = [...new Set(undecided.map(({ resource }) => resource))].map(resourceNamed)
  const rest = steps.length > 0 ? 'all else was undone' : 'nothing else was left to undo'
  const them = nounFor(undecided.length, 'it', 'them')
  return new Failure(
    'conflict',
    `it is unknown whether run ${run} created ${listOfFirst(undecided.map(stepLabel), namedSteps)}; ${rest}`,
    {
      hint: `look for ${them} with: ${listOf(resources.map(resource => listAllCommand(resource, calendar)))}; if the run created ${them}, delete ${them}`,
    },
  )
}

/** How many steps a failure names. */
const namedSteps = 5

interface UnansweredStep {
  readonly step: Step
  readonly attempt: Attempt
}

const unansweredSteps = (run: JournaledRun, clock: ResumeClock): UnansweredStep[] =>
  [...run.plan.steps].flatMap(step => {
    const attempt = run.results.get(step.key)?.state === 'done' ? undefined : attemptOf(run, step.key, clock)
    return attempt ? [{ step, attempt }] : []
  })

const termKey = ({ resource, id }: Step): string | undefined => (id === undefined ? undefined : recordKey(resource, id))

/** The terms that steps were to delete and that are still there. */
async function remainingTerms(
  client: Client,
  steps: readonly Step[],
): Promise<ReadonlyMap<string | undefined, unknown>> {
  const locations = steps.flatMap(({ action, resource, id, language }) =>
    action === 'delete' && id !== undefined ? [{ resource, id, language }] : [],
  )
  return new SiteReader(client).readCurrent(locations)
}
