import type { FailureKind } from '../../base/failure.ts'
import type { Values } from '../../client/client.ts'
import type { LostLinks, Referrers } from '../plan/back-references.ts'
import type { Plan, Step } from '../plan/plan.ts'
import type { PublishedPlace } from '../plan/published-places.ts'

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
