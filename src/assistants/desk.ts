/**
 * The calendar for programs that hold conversations. `server.ts` speaks the Model Context Protocol, `tools.ts` says what may be asked,
 * `asked-plans.ts` keeps what was planned until a person has settled it, and `short-answers.ts` makes answers small. Input: lines of the
 * protocol. Output: answers, and plans that a person approves on a page.
 */

import type { Plan } from '../changes/plan/plan.ts'
import type { ResourceName } from '../contract/field.ts'

/** The calendar that is asked. */
export interface About {
  readonly calendar: string
  readonly language: string
  readonly zone: string
}

/** A part of a list: from the row on that the last answer named. */
interface Part {
  readonly more?: number | undefined
}

export interface LookQuestion extends Part {
  readonly what: ResourceName | 'agenda' | 'everything'
  readonly text?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly status?: string | undefined
  readonly category?: string | undefined
  readonly venue?: string | undefined
}

export interface GetQuestion extends Part {
  readonly kind: ResourceName
  readonly id: number
  /** The field whose whole text is wanted. */
  readonly field?: string | undefined
}

export interface CheckQuestion extends Part {
  readonly what: 'problems' | 'gaps' | 'doubles' | 'queue'
  readonly kind?: ResourceName | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What is to be changed. Values are those of a file of records. */
export interface Wish {
  readonly action: 'create' | 'update' | 'apply' | 'move' | 'cancel' | 'merge'
  readonly kind?: ResourceName | undefined
  readonly records?: readonly Readonly<Record<string, unknown>>[] | undefined
  readonly ids?: readonly number[] | undefined
  readonly to?: string | undefined
  readonly reason?: string | undefined
  readonly allLanguages?: boolean | undefined
}

/** Rows, of which the first is row `start` of all, and what was said beside them. */
export interface Found {
  readonly rows: readonly unknown[]
  readonly start: number
  /** Whether more rows follow after these. */
  readonly goesOn: boolean
  readonly said: string
}

/** A plan that was made, and what was said beside it. */
export interface Made {
  readonly plan: Plan
  readonly said: string
  /** The run that it undoes. */
  readonly undoes?: string
}

/** What became of a plan that a person was shown. */
export type Settled =
  | { readonly state: 'approved'; readonly run?: string | undefined; readonly said: string }
  | { readonly state: 'refused' | 'expired' }

/** A page on which a person approves a plan. */
export interface Approval {
  readonly address: string
  readonly settled: Promise<Settled>
  close(): Promise<void>
}

/** The calendar, as whoever runs the server can ask it. A question that has no answer throws a `Failure`. */
export interface Desk {
  about(): Promise<About>
  look(question: LookQuestion): Promise<Found>
  get(question: GetQuestion): Promise<Found>
  check(question: CheckQuestion): Promise<Found>
  plan(wish: Wish): Promise<Made>
  undo(run: string): Promise<Made>
  approve(made: Made): Promise<Approval>
}
