import type { Client } from '../client/client.ts'
import type { Step } from '../plan/plan.ts'
import { createSiteReader, readCurrentRecords, recordKey } from '../plan/site-reader.ts'
import type { JournaledRun } from './journal-reader.ts'
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
  const remaining = await remainingTerms(client, unanswered)
  const results = new Map(run.results)
  const attempts = new Map(run.attempts)
  for (const step of unanswered) {
    const { key, action, shared } = step
    const result = created.get(key)
    const isDone = action === 'create' ? result?.state === 'done' : !remaining.has(termKey(step))
    const id = result?.id ?? step.id
    if (isDone && id !== undefined) results.set(key, { state: 'done', id })
    else if (!result && !shared) attempts.delete(key)
  }
  const keys = new Set(unanswered.map(({ key }) => key))
  return { ...run, results, attempts, valuesAfter: key => (keys.has(key) ? {} : run.valuesAfter(key)) }
}

const unansweredSteps = (run: JournaledRun, clock: ResumeClock): Step[] =>
  [...run.plan.steps].filter(
    ({ key }) => run.results.get(key)?.state !== 'done' && attemptOf(run, key, clock) !== undefined,
  )

const termKey = ({ resource, id = 0 }: Step): string => recordKey(resource, id)

/** The terms that steps were to delete and that are still there. */
async function remainingTerms(client: Client, steps: readonly Step[]): Promise<ReadonlyMap<string, unknown>> {
  const locations = steps.flatMap(({ action, resource, id, language }) =>
    action === 'delete' && id !== undefined ? [{ resource, id, language }] : [],
  )
  return readCurrentRecords(createSiteReader(client), locations)
}
