import { recordKey } from '../contract/resource.ts'
import type { Step } from '../plan/plan.ts'
import type { SiteReader } from '../plan/site-reader.ts'
import { type JournaledRun, readHeader, readJournal } from '../runs/journal-reader.ts'
import { listRuns, type RunFile } from '../runs/runs-folder.ts'
import { locationOf } from './done-steps.ts'
import { undoKey } from './undo-step.ts'

/** A category or tag that a run deleted and a later undo created again. */
export interface ReturnedTerm {
  /** The step that deleted it. */
  readonly step: Step
  readonly id: number
  readonly newId: number
}

/**
 * The terms that were created again since a run, the latest first. Records in the trash have lost them, and nobody could tell that
 * when the terms were deleted: they get them back when they are restored themselves.
 */
export function returnedTerms(folder: string, { run, plan }: JournaledRun): ReturnedTerm[] {
  const runs = listRuns(folder)
  const later = runs.slice(
    0,
    runs.findIndex(other => other.run === run),
  )
  return later.flatMap(({ file }) => {
    const header = readHeader(file)
    const undone = runs.find(other => other.run === header?.undoes)
    return undone && header?.plan.calendar.id === plan.calendar.id ? createdAgain(undone, file) : []
  })
}

function createdAgain(undone: RunFile, file: string): ReturnedTerm[] {
  const { results } = readJournal(file)
  const { plan, results: deleted } = readJournal(undone.file)
  const terms: ReturnedTerm[] = []
  for (const step of plan.steps) {
    if (step.action !== 'delete' || deleted.get(step.key)?.state !== 'done') continue
    const { state, id: newId } = results.get(undoKey(step)) ?? {}
    const { id } = step
    if (state === 'done' && id !== undefined && newId !== undefined) terms.push({ step, id, newId })
  }
  return terms
}

/** The IDs of returned terms that are still there, by the `recordKey` of what was deleted. */
export async function currentTerms(reader: SiteReader, terms: readonly ReturnedTerm[]): Promise<Map<string, number>> {
  const newest = new Map<string, number>()
  for (const { step, id, newId } of terms) {
    const key = recordKey(step.resource, id)
    // It may have been deleted and created again since.
    if (!newest.has(key)) newest.set(key, newest.get(recordKey(step.resource, newId)) ?? newId)
  }
  const keyOf = ({ step, id }: ReturnedTerm) => recordKey(step.resource, id)
  const current = await reader.readCurrent(terms.map(term => locationOf(term.step, newest.get(keyOf(term)))))
  const found = terms.flatMap(term => {
    const id = newest.get(keyOf(term))
    return id !== undefined && current.has(recordKey(term.step.resource, id)) ? [[keyOf(term), id] as const] : []
  })
  return new Map(found)
}
