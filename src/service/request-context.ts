import type { Language } from '../contract/languages.ts'
import type { Store } from './store/store.ts'

/** What names a record in a path: digits are an ID, `by-slug/` is followed by a slug. */
export type RecordRef = { readonly id: number } | { readonly slug: string }

/** Values by parameter name. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** The roles of WordPress. */
export const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

export type Role = (typeof roles)[number]

/** What the service knows of a request and of the calendar; `Context` adds the dialect to answer in. */
export interface RequestContext {
  readonly store: Store
  /** The moment of the request. */
  readonly now: Date
  /** The part of every URL of an answer that precedes the namespace, without a trailing slash. */
  readonly baseUrl: string
  readonly namespace: string
  /** Records per page when the request does not say. */
  readonly perPage: number
  /** The language whose records the request reads and writes. */
  readonly language: Language
  readonly caller: Role | 'public'
  /** Who writes: the author of what is created. */
  readonly user: { readonly id: number; readonly name: string }
  /** Whether users have names and passwords; without, every caller is an administrator. */
  readonly hasUsers: boolean
  /** Whether all writes are refused. */
  readonly readOnly: boolean
  /** The parameters of the route that were sent, checked and normalized; null clears a field. */
  readonly values: ParameterValues
  /** All parameters as they were sent, those that the route does not have included. */
  readonly parameters: ParameterValues
  /** Every pair of the query as it was sent, in order; page links repeat them. */
  readonly query: readonly (readonly [name: string, value: string])[]
  /** As they were sent; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  /** Whether the client has gone away. */
  readonly isAbandoned: () => boolean
}

/** What checks depend on: the records of a language, the caller, and the time. */
export type Scope = Pick<RequestContext, 'store' | 'language' | 'caller' | 'now'>

/** What a handler returns; an object becomes JSON. */
export interface HandlerResult {
  readonly status: number
  readonly body: object | Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
}
