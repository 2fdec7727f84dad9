import { ignoreFailure } from '../../base/attempt.ts'
import { conflict, type Failure } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import { readAnywhere } from '../../client/adapters/reconcile.ts'
import type { Client, Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { recordKey } from '../../contract/resource.ts'
import { stepLabel } from '../plan/names.ts'
import type { Step } from '../plan/plan.ts'
import { isOnlyIfNew, resolveReferences } from '../plan/steps.ts'
import { type CreatedRecords, settleDoubles } from './doubles.ts'
import { findExisting } from './existing-records.ts'
import { hasUnansweredSteps, type JournaledRun, readHeader, readJournal } from './journal-reader.ts'
import { undecidedSteps, writtenIdsOf } from './resume.ts'
import { listRuns } from './runs-folder.ts'

/** How many of the latest runs are checked, and how many creates of each are looked for. */
const latestRuns = 50
const mostSearched = 20

/**
 * Earlier runs that stopped early may have created records that another machine created as well, and never have compared them. Anybody who
 * applies the file again, instead of resuming that run, must be told: each record exists, so nothing else would show it.
 */
export async function* earlierDoubles(client: Client, folder: string): AsyncGenerator<Failure> {
  for (const { file } of listRuns(folder).slice(0, latestRuns)) {
    if (readHeader(file)?.plan.calendar.id !== client.calendar.id) continue
    const run = readUnanswered(file)
    if (!run) continue
    const created = createdBy(run)
    const creates = undecidedSteps(run).filter(step => step.action === 'create')
    for (const step of creates.slice(0, mostSearched)) {
      const values = resolveReferences(step.values, key => created.ids.get(key) ?? 0) as Values
      const { failure } = (await settleDoubles(client, step, values, created)) ?? {}
      if (failure) yield failure
    }
    const failure = run.hasEnded ? undefined : await uncomparedFailure(client, run, created)
    if (failure) yield failure
  }
}

/** A run that may have stopped before its end; undefined for one that is still running, and for a journal that cannot be read. */
function readUnanswered(file: string): JournaledRun | undefined {
  try {
    const run = hasUnansweredSteps(file) ? readJournal(file) : undefined
    return run?.isRunning ? undefined : run
  } catch (error) {
    return ignoreFailure(error)
  }
}

/** The records that a run is known to have created. */
function createdBy(run: JournaledRun): CreatedRecords {
  const ids = writtenIdsOf(run)
  const keys = new Set<string>()
  for (const { key, resource } of run.plan.steps) {
    const id = ids.get(key)
    if (id !== undefined) keys.add(recordKey(resource, id))
  }
  return { ids, keys }
}

/** The failure for records of a run that others have created as well; undefined if there are none. */
async function uncomparedFailure(
  client: Client,
  { run, header, plan, results }: JournaledRun,
  { ids, keys }: CreatedRecords,
): Promise<Failure | undefined> {
  const isOwn = (step: Step) => isOnlyIfNew(step) && ids.has(step.key) && !results.get(step.key)?.doneByOthers
  const creates = [...plan.steps].filter(isOwn).slice(-mostSearched)
  if (creates.length === 0) return undefined
  const existing = await findExisting(client, creates, key => ids.get(key))
  for (const step of creates) {
    const other = existing.get(step.key)?.find(({ id }) => !keys.has(recordKey(step.resource, id)))
    if (other && (await isThere(client, step, ids.get(step.key))))
      return conflict(
        phrase('{record} exists twice: {first}, and {id} by run {run}', {
          record: stepLabel(step),
          first: other.id,
          id: String(ids.get(step.key)),
          run,
        }),
        phrase('take back the duplicates with: {command}', { command: `calctl runs resume ${run}${header.to}` }),
      )
  }
  return undefined
}

/** Whether what a run created is still there: somebody may have trashed it since. */
async function isThere(client: Client, { resource, lang_code: language }: Step, id = 0): Promise<boolean> {
  const record = await readAnywhere(client, resourceNamed(resource), { id }, language ? { lang_code: language } : {})
  return record !== undefined && record.status !== 'trash'
}
