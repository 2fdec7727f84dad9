import type { Field, ResourceName } from '../contract/field.ts'
import type { Filter } from '../contract/filter.ts'
import type { Resource } from '../contract/resource.ts'
import type { Context, Ref } from './context.ts'
import type { Listing } from './list/manner.ts'
import type { Refusal } from './refusal.ts'
import type { Showing } from './render/manner.ts'
import type { Verb } from './routes.ts'
import type { EventRow, OrganizerRow, Rows, VenueRow } from './store/rows.ts'
import type { WritingManner } from './write/write.ts'

/** What a check may look at: the records of the request's language, who asks, and when. */
export type Scope = Pick<Context, 'store' | 'language' | 'caller' | 'now'>

/** A value as handlers take it, or a sentence saying what is wrong and what is expected. */
export type Verdict = { readonly value: unknown } | { readonly problem: string }

/** Checks one given parameter. */
export type Check = (scope: Scope, field: Field | Filter, value: unknown, name: string) => Verdict

/** Parameters as they were given, by name. */
export type Parameters = Readonly<Record<string, unknown>>

/** Checks what a path names before it is looked up: a sentence for each of its parameters that is wrong. */
export type RouteCheck = (
  scope: Scope,
  resource: Resource,
  verb: Verb,
  ref: Ref | undefined,
  parameters: Parameters,
) => Readonly<Record<string, string>>

/**
 * The places where implementations of the API differ, each a function. `documented.ts` keeps to the documentation;
 * another manner may follow a site that does not.
 */
export interface Manner extends Showing, Listing {
  /** Loads what checks parameters; asked only when there is something to check. */
  readonly loadCheck: () => Promise<Check>
  /** Loads how records are written; asked only for writes. */
  readonly loadWriting: () => Promise<WritingManner>
  /** Refuses parameters, with a sentence for each that was given wrong. */
  readonly invalid: (problems: Readonly<Record<string, string>>) => Refusal
  /** Refuses a record that is not there; `elsewhere` is what its id names in another language. */
  readonly notFound: (context: Context, of: ResourceName, ref: Ref, elsewhere?: Rows[ResourceName]) => Refusal
  readonly checkRoute: RouteCheck
  /** The record that is meant, after the path and the parameters were read. */
  readonly refOf: (ref: Ref, parameters: Parameters) => Ref
  /** What is said of a name that nobody has, and of a password that is not the one. */
  readonly wrongCredentials: { readonly name: (name: string) => string; readonly password: string }
  /** Refuses to show a record to this caller. */
  readonly checkMayRead: (context: Context, resource: Resource, row: EventRow | VenueRow | OrganizerRow) => void
}
