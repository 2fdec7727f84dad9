import type { App } from '../../app.ts'
import { describeStep, linkNames, type NameOf } from '../../plan/describe.ts'
import { planSummary, type Step } from '../../plan/plan.ts'
import { isWhole, type JournaledRun } from '../../runs/journal-reader.ts'
import { countDone, type RelatedRun } from '../../runs/undo-relations.ts'

/** The state of a run, the same word wherever it is shown. `undoneBy` are the runs that undid it. */
export function runState(journal: JournaledRun, undoneBy: RelatedRun['undoneBy'] = []): string {
  if (journal.isRunning) return 'running'
  if (!isWhole(journal)) return 'damaged'
  if (undoneBy.length > 0) return 'undone'
  return countDone(journal) < journal.header.steps ? 'unfinished' : 'done'
}

/** What a run did: its step, or how many of each kind. */
export function runSummary(journal: JournaledRun): string {
  const { plan, header } = journal
  const [step] = plan.steps
  if (header.steps === 0) return 'nothing was left to do'
  return step && plan.steps.length === 1 ? stepText(journal, step) : planSummary(plan)
}

/** `~ event 12 "Concert": title "Concert" → "Recital"`; a record that was created has its ID. */
export function stepText({ plan, results }: JournaledRun, step: Step, nameOf: NameOf = linkNames(plan.steps)): string {
  const id = step.id ?? results.get(step.key)?.id
  return describeStep(id === undefined ? step : { ...step, id }, nameOf)
}

/** Whether what is printed is read by people, and not by a program. */
export const isForPeople = ({ output }: App): boolean => output === undefined || output === 'table'
