import type { Plan } from '../changes/plan/plan.ts'
import type { ResourceName } from '../contract/field.ts'
import type { Approval, Decided } from './approval.ts'

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

interface GetQuestion extends Part {
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

/** Rows, of which the first is row `start` of all. */
export interface Found {
  readonly rows: readonly unknown[]
  readonly start: number
  /** Whether more rows follow after these. */
  readonly goesOn: boolean
}

/** The calendar as an assistant can ask it, whatever answers. A question without an answer throws a `Failure`. */
export interface Desk {
  about(): Promise<About>
  look(question: LookQuestion): Promise<Found>
  get(question: GetQuestion): Promise<Found>
  check(question: CheckQuestion): Promise<Found>
  plan(wish: Wish): Promise<Plan>
  undo(run: string): Promise<Plan>
  approve(plan: Plan): Promise<Approval>
  /** What a person has decided about a plan elsewhere. */
  decided(plan: Plan): Decided | undefined
  /** Opens a page of this machine for the person who sits at it, or prints its address where there is no browser. */
  show(approval: Approval): Promise<void>
}
