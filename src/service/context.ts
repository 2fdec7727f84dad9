import type { Resource } from '../contract/resource.ts'
import type { Language } from '../contract/words.ts'
import type { Manner } from './manner.ts'
import type { Store } from './store/store.ts'

/** What names a record in a path: digits are an id, `by-slug/` is followed by a slug. */
export type Ref = { readonly id: number } | { readonly slug: string }

/** Values by parameter name. */
export type Values = Readonly<Record<string, unknown>>

/** All that a handler may know of the request and of the calendar. */
export interface Context {
  readonly store: Store
  /** The moment of the request. */
  readonly now: Date
  /** What stands before the namespace in every URL of an answer, without a slash at its end. */
  readonly baseUrl: string
  readonly namespace: string
  /** Records per page when a list asks for none. */
  readonly perPage: number
  /** Whose records the request sees and writes. */
  readonly language: Language
  readonly caller: 'editor' | 'public'
  readonly manner: Manner
  /** The parameters of the route that were given, checked and normalised; a field that is to be cleared is null. */
  readonly values: Values
  /** All parameters as they came, those that the route does not have included. */
  readonly parameters: Values
  /** Every pair of the query as it came, in order: what links keep. */
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** What a handler answers; an object becomes JSON. */
export interface Answered {
  readonly status: number
  readonly body: object | Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
}

/** One verb on a resource. `ref` is there on the routes of one record. */
export type Handler = (context: Context, resource: Resource, ref: Ref) => Promise<Answered> | Answered

/** Where the API begins for a language: the default language has no segment. */
export const apiRoot = ({ store, baseUrl, namespace }: Context, language: Language): string =>
  language === store.site.language ? `${baseUrl}/${namespace}` : `${baseUrl}/${language}/${namespace}`
