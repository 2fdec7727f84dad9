import type { events } from '../contract/events.ts'
import type { Field, Fields, ResourceName } from '../contract/field.ts'
import type { Filter } from '../contract/filter.ts'
import type { Language } from '../contract/languages.ts'
import type { Status } from '../contract/post-status.ts'
import type { Resource } from '../contract/resource.ts'
import type { ClockKind } from './indexes/timeline.ts'
import type { Refusal } from './refusal.ts'
import type {
  CategoryRow,
  EventRow,
  PlaceTable,
  PostRow,
  PostTable,
  Rows,
  Site,
  TermRow,
  TermTable,
  VenueRow,
} from './store/rows.ts'
import type { Store, Writing } from './store/store.ts'

/**
 * A dialect has every function in which implementations of the API differ: `documented/` follows the documentation, `production/` follows
 * The Events Calendar where that contradicts it. Each has its parts put together in `dialect.ts`, and files for what only that dialect
 * does.
 */
export interface Dialect extends ListDialect, RenderDialect, RefusalDialect {
  readonly check: Check
  /** Loads the functions that write records, which only writes need. */
  readonly loadWriteDialect: () => Promise<WriteDialect>
  /** The record that a request is about, given its path and its parameters. */
  readonly refOf: (ref: RecordRef, parameters: ParameterValues) => RecordRef
  /** Headers of every answer, which say what the service does. */
  readonly headers: Readonly<Record<string, string>>
}

/** Everything that a handler needs: the request, and the dialect of the answer. */
export interface Context extends RequestContext {
  readonly dialect: Dialect
}

/** The methods of the APIs. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The kinds of requests. */
export type Operation = 'discovery' | 'doc' | 'list' | 'create' | 'get' | 'update' | 'remove'

/** How a path names a record: digits are an ID, `by-slug` is followed by a slug. */
export type RecordRef = { readonly id: number } | { readonly slug: string }

/** Answers the requests of an endpoint; `ref` counts only on the routes of one record. */
export type Handler = (context: Context, ref: RecordRef) => Promise<HandlerResult> | HandlerResult

/** The mistake in a parameter. */
export interface RequestProblem {
  /** A sentence that says what is expected. */
  readonly problem: string
  /** What WordPress adds to the sentence; nothing if a plugin refuses the value. */
  readonly detail?: { readonly code: string; readonly data: object | null }
  /** Whether WordPress reports it only if nothing else is wrong. */
  readonly isLate?: true
}

/** A checked value for handlers, or the mistake in it. */
export type Verdict = { readonly value: unknown } | RequestProblem

/** Checks one parameter. */
export type Check = (scope: Scope, field: Field | Filter, value: unknown, name: string) => Verdict

/** Reads the value of a parameter that is not a field of the contract. */
export type Reader = (value: unknown, name: string) => Verdict

export type Readers = Readonly<Record<string, Reader>>

/** Problems by parameter. */
export type Problems = Readonly<Record<string, RequestProblem>>

/** What is refused, and with which sentences. */
export interface RefusalDialect {
  /** Refuses wrong parameters. */
  readonly invalid: (problems: Problems) => Refusal
  /** Refuses a record that does not exist; `elsewhere` is the record that has this ID in another language. */
  readonly notFound: (
    context: RequestContext,
    of: ResourceName,
    ref: RecordRef,
    elsewhere?: Rows[ResourceName],
  ) => Refusal
  /** Checks what the path names before it is looked up. */
  readonly checkRoute: (
    context: Scope & Pick<RequestContext, 'parameters'>,
    resource: Resource,
    verb: Operation,
    ref: RecordRef | undefined,
  ) => Problems
  /** The errors for an unknown user name and for a wrong password. Only production says which it was. */
  readonly wrongCredentials: Readonly<Record<'name' | 'password', () => Refusal>>
  /** Throws unless the caller may read the record. */
  readonly checkMayRead: (context: RequestContext, resource: Resource, row: PostRow) => void
}

/** A page of a list. */
export interface Paging {
  readonly page: number
  readonly perPage: number
  readonly pages: number
}

/** The URLs of a page of a list and of the pages next to it. */
export interface PageLinks {
  readonly rest_url: string
  readonly next_rest_url?: string
  readonly previous_rest_url?: string
}

/** How records are listed. */
export interface ListDialect {
  readonly clock: (site: Site) => ClockKind
  /** The dates that narrow a list of events, including the default ones, and `strict_dates`. */
  readonly dates: (context: RequestContext) => ParameterValues
  /** How many of the next events `only_with_upcoming` looks at; undefined for all. */
  readonly upcomingLimit: (context: RequestContext) => number | undefined
  /** The fields of an event that a search covers. */
  readonly eventTexts: readonly string[]
  /** The words that a search requires and those that it excludes. */
  readonly readSearch: (
    text: string,
    of: ResourceName,
  ) => { readonly wanted: readonly string[]; readonly unwanted: readonly string[] }
  /** Whether lists contain events that are hidden from listings. */
  readonly showsHidden: (context: Pick<RequestContext, 'caller'>) => boolean
  /** The IDs of events that are missing in lists although they are not hidden. */
  readonly unlisted: (store: Store) => ReadonlySet<number>
  readonly links: (context: RequestContext, resource: Resource, paging: Paging) => PageLinks
  /** The total of a list when this many records match; `all` counts them without the search. */
  readonly total: (matching: number, context: RequestContext, resource: Resource, all: () => number) => number
}

/** The amounts and the currency in a cost's text, which answers contain next to the text. */
export interface CostDetails {
  currency_symbol: string
  currency_code: string
  currency_position: string
  values: string[]
}

/** How stored values are rendered in answers. */
export interface RenderDialect {
  /** Titles of events, names of venues and organizers. */
  readonly title: (text: string) => string
  /** Descriptions of events, venues and organizers. */
  readonly prose: (context: RequestContext, row: PostRow) => string
  readonly excerpt: (text: string) => string
  /** Whether answers contain what a site shows only in `wp/v2`. */
  readonly showsApart: boolean
  /** Names of categories and tags. */
  readonly term: (text: string) => string
  readonly termDescription: (text: string) => string
  readonly cost: (row: EventRow) => string
  readonly costDetails: (row: EventRow) => CostDetails
  /** The website of an event; `url` is the address of its page. */
  readonly website: (row: EventRow, url: string) => string
  /** When a post was published, in UTC. */
  readonly publishedUtc: (row: PostRow) => string
  /** The slug of a post; production gives none to what is not published. */
  readonly slug: (row: { readonly slug: string; readonly status: string }) => string
  /** Whether lists leave blank what a password protects. */
  readonly hidesProtected: (context: RequestContext, event: EventRow) => boolean
  /** The `Location` of a new term. */
  readonly termAddress: (context: RequestContext, term: TermRow | CategoryRow) => string
  /** The `_links` of a term that is answered on its own. */
  readonly termLinks: (context: RequestContext, term: TermRow | CategoryRow) => object
  /** The answer to a GET of one record, made from the text that lists and writes return. */
  readonly item: (context: RequestContext, row: Rows[ResourceName], body: Uint8Array) => Uint8Array
  /** Whether a record shows images other than its own. */
  readonly hasGallery: (row: Rows[ResourceName]) => boolean
  /** The text of a record with a gallery as the item of a list with this index. */
  readonly listedGalleries: (text: Buffer, index: number) => Buffer
  /** The state or province of a venue, whichever it has. */
  readonly stateprovince: (row: VenueRow) => string
}

/** The context of a write. */
export interface Write {
  readonly context: Context
  readonly writing: Writing
  readonly dialect: WriteDialect
}

/** When an event takes place. */
export type EventTimes = Pick<
  EventRow,
  'all_day' | 'timezone' | 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date'
>

/** How records are written. */
export interface WriteDialect {
  /** The values that a write sets, made from those that were sent; may refuse. `old` is the record before. */
  readonly prepare: (
    write: Write,
    of: ResourceName,
    values: ParameterValues,
    old?: Rows[ResourceName],
  ) => ParameterValues
  /** Whether a post with this status has no publication date, so that a requested date is not stored. */
  readonly floats: (status: Status, old?: PostRow) => boolean
  /** Whether an event with this status keeps its password. */
  readonly keepsPassword: (status: Status) => boolean
  /** The column for its currency, after an event gets this cost. */
  readonly currency: (cost: string, old?: EventRow) => string
  readonly eventTimes: (write: Write, values: EventValues, old?: EventRow) => EventTimes
  /** The existing venue or organizer that a new one of this name overwrites. */
  readonly overwritten: <T extends PlaceTable>(context: Context, of: T, name: string) => Rows[T] | undefined
  /** The IDs of linked categories or tags; may create them. */
  readonly termIds: (write: Write, of: TermTable, terms: readonly (number | string)[]) => number[]
  /** The IDs of linked venues or organizers; may create them. */
  readonly placeIds: (write: Write, of: PlaceTable, links: readonly (number | ParameterValues)[]) => number[]
  /** The parent of a category that would become its own ancestor; may refuse. */
  readonly ownAncestor: (before: number | null) => number | null
  /** Refuses a name that another term has. */
  readonly checkTermName: (context: Context, of: TermTable, term: TermRow | CategoryRow, old?: object) => void
  /** What a site does to other records when a post has been written or moved to the trash; `before` is undefined for a new one. */
  readonly effects: <T extends PostTable>(write: Write, of: T, before: Rows[T] | undefined, after: Rows[T]) => void
  /** Called when an event has been written. */
  readonly saved: (context: RequestContext, event: EventRow) => void
  /** The slug of a record that is about to be written. */
  readonly slugFor: <T extends ResourceName>(context: Context, of: T, row: Rows[T], title: string) => string
  /** Runs the work of a write; if it throws, the write is normally undone. */
  readonly commit: <T>(store: Store, work: (writing: Writing) => T) => Promise<T>
}

/** The checked values of a resource's fields; null clears. A link is an ID, or the values of a record to create. */
export type ValuesOf<F extends Fields> = {
  readonly [N in keyof F]?: N extends 'status' ? Status | null : NonNullable<F[N]['kind']['checked']> | null
}

/** The checked values of an event's fields. */
export type EventValues = ValuesOf<typeof events.fields>

/** Values by parameter name. */
export type ParameterValues = Readonly<Record<string, unknown>>

/** The roles of WordPress. */
export const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

export type Role = (typeof roles)[number]

/** What the service knows about a request and the calendar; `Context` adds the dialect of the answer. */
export interface RequestContext {
  readonly store: Store
  /** The moment of the request. */
  readonly now: Date
  /** What comes before the namespace in every URL of an answer, without a trailing slash. */
  readonly baseUrl: string
  readonly namespace: string
  /** Records per page when the request does not say. */
  readonly perPage: number
  /** The language whose records the request reads and writes. */
  readonly language: Language
  readonly caller: Role | 'public'
  /** The user who writes, and becomes the author of new records. */
  readonly user: { readonly id: number; readonly name: string }
  /** Whether users have names and passwords; without, every caller is an administrator. */
  readonly hasUsers: boolean
  readonly hasControl: boolean
  /** Whether all writes are refused. */
  readonly readOnly: boolean
  /** The parameters of the route that were sent, checked and normalized; null clears a field. */
  readonly values: ParameterValues
  /** All parameters as they were sent, including those that the route does not have. */
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
