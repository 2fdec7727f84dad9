import type { Failure } from '../../base/failure.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { mapStored, storedValues } from '../../contract/record.ts'
import type { Step } from '../plan/plan.ts'
import type { JournalEntry, JournalHeader, JournalStep, StoredFailure } from './journal-format.ts'
import type { StepResult } from './result.ts'

/** A step as a journal keeps it: without passwords, neither those that are written nor those that were read. */
export function journalStep(step: Step): JournalStep {
  const { fields } = resourceNamed(step.resource)
  const isUnlocking = (name: string) => fields[name]?.queryOnly === true || fields[name]?.secret === true
  // That a record had no password is no secret, and allows an undo to remove its first one.
  const secretsIn = (record: object) =>
    Object.entries(record).flatMap(([name, value]) => (isUnlocking(name) && value ? [name] : []))
  const withheld = secretsIn(step.values)
  const { before } = step
  const isBeforeSecret = before !== undefined && [before, storedValues(before)].some(one => secretsIn(one).length > 0)
  if (withheld.length === 0 && !isBeforeSecret) return { step }
  const without = <T extends object>(record: T): T => {
    const secrets = secretsIn(record)
    return Object.fromEntries(Object.entries(record).filter(([name]) => !secrets.includes(name))) as T
  }
  const values = without(step.values)
  const kept: Step = step.before
    ? { ...step, values, before: mapStored(without(step.before), without) }
    : { ...step, values }
  return { step: kept, ...(withheld.length > 0 && { withheld }) }
}

/** The entry for the result of a step; undefined if nothing was sent. */
export function resultEntry(
  key: string,
  { state, id, doneByOthers, takenBack, record, after, failure }: StepResult,
  at: number,
): JournalEntry | undefined {
  const stored = failure && storedFailure(failure)
  const left = after ? { left: after } : {}
  if (state === 'done' && id !== undefined)
    return {
      done: key,
      id,
      at,
      ...(doneByOthers && { doneByOthers }),
      ...(takenBack !== undefined && { takenBack }),
      ...left,
      ...(typeof record?.modified_utc === 'string' && { modified: record.modified_utc }),
      ...(stored && { failure: stored }),
    }
  if (state === 'failed' && stored) return { failed: key, failure: stored, ...left }
  if (state === 'unknown' && stored) return { unknown: key, failure: stored, ...left }
  return undefined
}

export const storedFailure = ({ kind, message, details: { hint } }: Failure): StoredFailure => ({
  kind,
  message,
  ...(hint && { hint }),
})

/** What to type to finish a run, and to undo it, with the options that connect to its calendar. */
export const resumeCommand = ({ run, to }: Pick<JournalHeader, 'run' | 'to'>): string =>
  `calctl runs resume ${run}${to}`

export const undoCommand = ({ run, to }: Pick<JournalHeader, 'run' | 'to'>): string => `calctl undo ${run}${to}`
