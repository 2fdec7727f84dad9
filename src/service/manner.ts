import type { Field } from '../contract/field.ts'
import type { Filter } from '../contract/filter.ts'
import type { Context } from './context.ts'

/** What a check may look at: the records of the request's language. */
export type Scope = Pick<Context, 'store' | 'language'>

/** A value as handlers take it, or a sentence saying what is wrong and what is expected. */
export type Verdict = { readonly value: unknown } | { readonly problem: string }

/** Checks one given parameter. */
export type Check = (scope: Scope, field: Field | Filter, value: unknown) => Verdict

/**
 * The places where implementations of the API differ, each a function. `documented.ts` keeps to the documentation;
 * another manner may follow a site that does not.
 */
export interface Manner {
  /** Loads what checks parameters; asked only when there is something to check. */
  readonly loadCheck: () => Promise<Check>
}
