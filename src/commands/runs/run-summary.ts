import type { App } from '../../app.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { hiddenSecret } from '../../contract/field.ts'
import { describeStep, type Wording, wordingOf } from '../../plan/describe.ts'
import { isRemoval, planSummary, type Step } from '../../plan/plan.ts'
import { isWhole, type JournaledRun } from '../../runs/journal-reader.ts'
import type { JournalResult } from '../../runs/journal-replay.ts'
import { countDone, hasStepsLeft, isUncompared, type RelatedRun } from '../../runs/undo-relations.ts'

/** The state of a run, the same word wherever it is shown. `undoneBy` are the runs that undid it. */
export function runState(journal: JournaledRun, undoneBy: RelatedRun['undoneBy'] = []): string {
  if (journal.isRunning) return 'running'
  if (!isWhole(journal)) return 'damaged'
  if (undoneBy.length > 0) return 'undone'
  if (hasStepsLeft(journal) || isUncompared(journal)) return 'unfinished'
  return countDone(journal) < journal.header.steps ? 'incomplete' : 'done'
}

/** What a run did: its step, or how many of each kind. */
export function runSummary(journal: JournaledRun): string {
  const { plan, header } = journal
  const [step] = plan.steps
  if (header.steps === 0) return 'nothing was left to do'
  return step && plan.steps.length === 1 ? stepText(journal, step) : planSummary(plan)
}

/** `~ "Concert", Sat 5 Dec 19:00 (12): title "Concert" → "Recital"`; a record that was created has its ID. */
export function stepText(journal: JournaledRun, step: Step, wording: Wording = wordingOf(journal.plan)): string {
  const result = journal.results.get(step.key)
  const id = step.id ?? result?.id
  const shown = withOmitted(journal, step)
  const text = describeStep(id === undefined ? shown : { ...shown, id }, wording)
  return [text, ...remarksOn(step, result)].join('; ')
}

/** What a run did with a record that somebody else created or removed as well. */
function remarksOn(step: Step, { isOthers, takenBack, isBeingTakenBack, id }: Partial<JournalResult> = {}): string[] {
  if (isBeingTakenBack) return [`${id} was to be taken back, since somebody else had created one first`]
  if (takenBack !== undefined)
    return [`somebody else had created it first: ${takenBack}, created by this run, was taken back`]
  if (isOthers) return [`somebody else had ${isRemoval(step) ? 'removed' : 'created'} it`]
  return []
}

/** A step with marks in place of the passwords that the journal does not keep. */
export function withOmitted({ omittedFields }: JournaledRun, step: Step): Step {
  const { fields } = resourceNamed(step.resource)
  const names = (omittedFields.get(step.key) ?? []).filter(name => fields[name]?.secret)
  if (names.length === 0) return step
  return { ...step, values: { ...step.values, ...Object.fromEntries(names.map(name => [name, hiddenSecret])) } }
}

/** A terminal shows so many lines unless it is asked for more. */
const linesOnTerminal = 50

/** The first lines of a list, and a notice of how many there are. */
export async function withinLimit<T>(app: App, all: readonly T[], limit: number | undefined): Promise<readonly T[]> {
  const { output, world } = app
  const most = limit ?? (output === undefined && world.stdout.isTTY ? linesOnTerminal : all.length)
  if (all.length > most) await app.notice(`showing ${most} of ${all.length}; for all add: --limit ${all.length}`)
  return all.slice(0, most)
}

/** Whether what is printed is read by people, and not by a program. */
export const isForPeople = ({ output }: App): boolean => output === undefined || output === 'table'
