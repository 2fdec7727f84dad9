import type { Request, Response } from '../contract/exchange.ts'
import type { Store } from './store/store.ts'

/** How a calendar is served. Times come from `now`, so that tests can hold the clock. */
export interface ServiceOptions {
  readonly store: Store
  readonly now: () => Date
  /** What stands before the namespace in every URL of an answer: `http://127.0.0.1:8787` and a base path. */
  readonly baseUrl: string
  readonly namespace: string
  /** Events per page when a list asks for none. */
  readonly perPage?: number
  readonly readOnly?: boolean
  readonly quirks?: boolean
  /** NAME → password. None: every caller is an editor. */
  readonly users?: ReadonlyMap<string, string>
}

/** The API itself: a plain request in, a plain answer out. Never throws for what a caller can send. */
export type Service = (request: Request) => Promise<Response>

export type CreateService = (options: ServiceOptions) => Service
