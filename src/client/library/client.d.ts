/// <reference lib="esnext.disposable" />

import type { components, operations } from './records.mjs'

type Schemas = components['schemas']

/** An event as the API answers it. Its times are in its own time zone; those that begin with `utc_` are in UTC. */
export type Event = Schemas['Event']
export type Venue = Schemas['Venue']
export type Organizer = Schemas['Organizer']
export type Category = Schemas['Category']
export type Tag = Schemas['Tag']

/**
 * A new event: `title`, `start_date` and `end_date` are required. A link is an ID, the slug or the name of a record, alone or in a list; a
 * venue or an organizer also a record with its ID, or a new one.
 */
export type NewEvent = Schemas['NewEvent']
export type NewVenue = Schemas['NewVenue']
export type NewOrganizer = Schemas['NewOrganizer']
export type NewCategory = Schemas['NewCategory']
export type NewTag = Schemas['NewTag']

/** Changes of an event: what is left out stays as it is, and `null` empties a field. */
export type EventChanges = Schemas['EventChanges']
export type VenueChanges = Schemas['VenueChanges']
export type OrganizerChanges = Schemas['OrganizerChanges']
export type CategoryChanges = Schemas['CategoryChanges']
export type TagChanges = Schemas['TagChanges']

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** Filters of the API in camel case: `startsAfter` is `starts_after`. */
type FiltersOf<Operation extends { parameters: { query?: object } }> = {
  readonly [Name in keyof NonNullable<Operation['parameters']['query']> as CamelCase<Name & string>]?: NonNullable<
    Operation['parameters']['query']
  >[Name]
}

export type EventFilters = FiltersOf<operations['listEvent']>
export type VenueFilters = FiltersOf<operations['listVenue']>
export type OrganizerFilters = FiltersOf<operations['listOrganizer']>
export type CategoryFilters = FiltersOf<operations['listCategory']>
export type TagFilters = FiltersOf<operations['listTag']>

/** An event, venue or organizer by its ID, or by its slug. A category or tag is given by its ID. */
export type Ref = number | string

/** The records of one resource. Every method rejects with a `CalendarError`. */
export interface Records<Shown, New, Changes, Filters, By = number> {
  /** All records that match, from all pages. Without a filter of dates, events of all times. */
  list(filters?: Filters): AsyncIterable<Shown>
  get(ref: By): Promise<Shown>
  create(values: New): Promise<Shown>
  /** Changes these fields and no others, on any site. Rejects with `conflict` if the record differs from the request afterwards. */
  update(ref: By, changes: Changes): Promise<Shown>
  /** Moves an event, venue or organizer to the trash; removes a category or tag for good. */
  delete(ref: By): Promise<Shown>
}

/** The records of a resource with a trash. */
export interface TrashableRecords<Shown, New, Changes, Filters> extends Records<Shown, New, Changes, Filters, Ref> {
  /** Takes a record out of the trash, as a draft. */
  restore(ref: Ref): Promise<Shown>
}

/** A calendar to read from and to write to. */
export interface CalendarClient extends AsyncDisposable {
  readonly url: string
  readonly events: TrashableRecords<Event, NewEvent, EventChanges, EventFilters>
  readonly venues: TrashableRecords<Venue, NewVenue, VenueChanges, VenueFilters>
  readonly organizers: TrashableRecords<Organizer, NewOrganizer, OrganizerChanges, OrganizerFilters>
  readonly categories: Records<Category, NewCategory, CategoryChanges, CategoryFilters>
  readonly tags: Records<Tag, NewTag, TagChanges, TagFilters>
  /** Closes its connections. A client that is not closed keeps no process alive. */
  close(): Promise<void>
}

export interface ClientOptions {
  /** The address of a site, or of its API: `https://town.example`, `http://127.0.0.1:8787`. */
  readonly url: string
  /** `tribe/events/v1` and the like; `url` is then that of the API. By default the site is asked for both, once. */
  readonly namespace?: string
  readonly user?: string
  /** On a site of WordPress, an application password. */
  readonly password?: string
  /** Sent as `Authorization: Bearer`, in place of a user. */
  readonly token?: string
  /** Only records in this language. */
  readonly language?: 'ca' | 'en' | 'es'
  /** How long a request may take, in ms; 30,000 by default. */
  readonly timeout?: number
  /** How often a request is sent again after a transient failure; 3 by default. A write is never done twice. */
  readonly retries?: number
  /** Sends the requests in place of a connection, such as the `fetch` of a calendar of `calctl/testing`. */
  readonly fetch?: typeof fetch
}

/** Makes a client. Nothing is sent before the first call. */
export function createCalendarClient(options: ClientOptions): CalendarClient

/** What went wrong, as the exit statuses of the command line tell it apart. */
export type ErrorKind =
  | 'usage'
  | 'settings'
  | 'denied'
  | 'missing'
  | 'refused'
  | 'unreachable'
  | 'partial'
  | 'conflict'
  | 'declined'
  | 'interrupted'

export class CalendarError extends Error {
  readonly kind: ErrorKind
  /** The error code of the answer, or the kind where there was no answer. */
  readonly code: string
  /** The HTTP status of the answer. */
  readonly status: number | undefined
  /** The next step. */
  readonly hint: string | undefined
  /** After a write: the fields that are not as requested, or that changed without being requested. */
  readonly drift: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>> | undefined
  /** The record after a write with drift. */
  readonly record: { readonly id: number; readonly [field: string]: unknown } | undefined
}
