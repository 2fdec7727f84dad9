import type { Field, Fields, Kind, ResourceName } from '../../contract/field.ts'
import { msWall } from '../../time/dates.ts'
import type { Context, Values } from '../context.ts'
import type { CategoryRow, EventRow, Rows, TermRow } from '../store/rows.ts'
import type { Store, Writing } from '../store/store.ts'
import type { TermTable } from '../terms.ts'
import type { EventValues } from '../values.ts'

/** What a write works with. */
export interface Write {
  readonly context: Context
  readonly writing: Writing
  readonly manner: WritingManner
}

/** The tables of the posts that events link to. */
export type PlaceTable = 'venues' | 'organizers'

/** When an event is. */
export type Schedule = Pick<
  EventRow,
  'all_day' | 'timezone' | 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date'
>

/** The places where implementations of the API write differently, each a function. */
export interface WritingManner {
  /** What a write sets, out of what was given; may refuse. `old` is the record as it was. */
  readonly prepare: (write: Write, of: ResourceName, values: Values, old?: Rows[ResourceName]) => Values
  readonly schedule: (write: Write, values: EventValues, old?: EventRow) => Schedule
  /** A record that a new one of this name is written over. */
  readonly twin: <T extends PlaceTable>(context: Context, of: T, name: string) => Rows[T] | undefined
  /** The ids of linked categories or tags; may create them. */
  readonly termIds: (write: Write, of: TermTable, given: readonly (number | string)[]) => number[]
  /** The ids of linked venues or organizers; may create them. */
  readonly postIds: (write: Write, of: PlaceTable, given: readonly (number | Values)[]) => number[]
  /** The parent of a category that was told to become its own ancestor; may refuse. */
  readonly ownAncestor: (before: number | null) => number | null
  /** Refuses a name that another term has. */
  readonly checkTermName: (context: Context, of: TermTable, term: TermRow | CategoryRow, old?: object) => void
  /** The slug of a post or term that is about to be written. */
  readonly slugFor: <T extends ResourceName>(context: Context, of: T, row: Rows[T], title: string) => string
  /** Runs the work of a write; nothing of work that throws stays, as a rule. */
  readonly commit: <T>(store: Store, work: (writing: Writing) => T) => Promise<T>
}

/** Kinds whose values are stored as they are. */
const plain = new Set<Kind>(['text', 'boolean', 'url', 'email', 'cost'])

/** The given values of plain fields, ready to be laid over a row; what is cleared becomes what a new record holds. */
export const plainValues = <R extends object>(fields: Fields, values: Values, blank: R): Partial<R> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fields[name]
      const isStored = field && value !== undefined && plain.has(field.kind) && name in blank
      return isStored ? [[name, stored(field, value ?? blank[name as keyof R])]] : []
    }),
  ) as Partial<R>

/** Names are stored without the space around them. */
const stored = (field: Field, value: unknown): unknown =>
  field.nonEmpty && typeof value === 'string' ? value.trim() : value

/** The moment of the request, in UTC. */
export const utcNow = ({ now }: Pick<Context, 'now'>): string => msWall(now.getTime())
