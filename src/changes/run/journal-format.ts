import type { Failure, FailureKind } from '../../base/failure.ts'
import type { Values } from '../../client/client.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { mapStored, storedValues } from '../../contract/record.ts'
import type { LostLinks, Referrers } from '../plan/back-references.ts'
import type { Plan, Step } from '../plan/plan.ts'
import type { PublishedPlace } from '../plan/published-places.ts'
import type { StepResult } from './result.ts'

/**
 * The first line of a journal: the plan without its steps, which follow on a line each. See journal-lines.ts for the ends of lines, and
 * journal-reader.ts for checking a line.
 */
export interface JournalHeader {
  readonly calctl: 1
  readonly run: string
  /** When, as an ISO date. */
  readonly started: string
  readonly plan: Omit<Plan, 'steps' | 'invalid'>
  readonly steps: number
  /** The options that connect to the calendar of the run: ` --profile site`. */
  readonly to: string
  /** The name of the command that made the plan: `events update`. */
  readonly command?: string
  /** The run that this one undoes. */
  readonly undoes?: string
}

/** A step in a journal. */
export interface JournalStep {
  readonly step: Step
  /** The names of fields that are not kept because they are passwords. */
  readonly withheld?: readonly string[]
}

/** What follows the steps: `session` whenever a process begins to execute the plan, then what happens to each step. */
export type JournalEntry =
  | { readonly session: string; readonly at: number }
  /**
   * About to be sent. `newest` is the highest ID so far, for a create; `users` are the referrers, for a delete; `lost` are the links that
   * the site takes from events, for a venue or organizer; `publishes` are the places that it publishes with an event; `up` is how long the machine had been running, in ms.
   */
  | {
      readonly sent: string
      readonly at: number
      readonly up?: number
      readonly newest?: number
      readonly users?: Referrers
      readonly lost?: readonly LostLinks[]
      readonly publishes?: readonly PublishedPlace[]
    }
  | {
      readonly done: string
      readonly id: number
      /** When it was answered. */
      readonly at?: number
      readonly doneByOthers?: true
      readonly takenBack?: number
      readonly left?: Values
      /** When the site had saved the record, in UTC. */
      readonly modified?: string
      readonly failure?: StoredFailure
    }
  /** About to take back a record that a step has created, because somebody else created it first. */
  | { readonly takingBack: string; readonly id: number; readonly at: number; readonly left: Values }
  | { readonly failed: string; readonly failure: StoredFailure; readonly left?: Values }
  | { readonly unknown: string; readonly failure: StoredFailure; readonly left?: Values }
  /** A place that the site published has its status again. */
  | { readonly gaveBack: Pick<PublishedPlace, 'resource' | 'id'> }
  | { readonly ended: number }

/** A failure in a journal. */
export interface StoredFailure {
  readonly kind: FailureKind
  readonly message: string
  readonly hint?: string
}

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
