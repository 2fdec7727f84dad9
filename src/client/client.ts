import type { Transport } from '../contract/exchange.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import type { Language } from '../contract/words.ts'
import type { Calendar } from './calendar.ts'

/** What names a record on the command line: digits are an id, anything else a slug. */
export type Ref = { readonly id: number } | { readonly slug: string }

/** Values by field or filter name, as they go over the wire. */
export type Values = Readonly<Record<string, unknown>>

/** One page of a list, with the totals the service gave for the whole of it. */
export interface Page {
  readonly records: Answer[]
  readonly total: number
  readonly pages: number
  /** What the service's clock showed, in ms; absent where it does not say. */
  readonly siteTime?: number
}

/** Speaks to any implementation of the API. Every method throws a `Failure` for what can go wrong outside. */
export interface Client {
  /** What it talks to. */
  readonly calendar: Calendar
  /** The label of the calendar. Deprecated: take `calendar.label` for messages and `calendar.id` for identity. */
  readonly site: string
  readonly namespace: string
  /** What it sends as `lang_code`, where it does. */
  readonly language: Language | undefined
  list(resource: Resource, filters: Values): Promise<Page>
  /**
   * Pages from the first asked for to the last, walked with our own parameters and never by links; one ahead, unless `wanted`
   * records are there. No record comes twice; throws `partial` at the end where some never came.
   */
  pages(resource: Resource, filters: Values, wanted?: number): AsyncIterable<Page>
  get(resource: Resource, ref: Ref, values?: Values): Promise<Answer>
  create(resource: Resource, values: Values): Promise<Answer>
  update(resource: Resource, ref: Ref, values: Values): Promise<Answer>
  delete(resource: Resource, ref: Ref, values?: Values): Promise<Answer>
  /** The site's own time zone, asked for once; undefined where it does not tell. */
  timezone(): Promise<string | undefined>
  /** GET on the namespace root. */
  routes(values: Values): Promise<unknown>
  /** GET on `/doc`: the OpenAPI document. */
  doc(): Promise<unknown>
}

export interface ClientOptions {
  readonly transport: Transport
  readonly calendar: Calendar
  readonly namespace: string
  /** Sent as `lang_code`; absent where the base URL already says it. */
  readonly language?: Language
  /** Told of what is odd and yet no failure. */
  readonly notice?: (text: string) => Promise<void>
}
