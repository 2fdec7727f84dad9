/// <reference lib="esnext.disposable" />
import type { NewCategory, NewEvent, NewOrganizer, NewTag, NewVenue } from './client.mjs'

export { CalendarError, type ErrorKind } from './client.mjs'

export type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber'

export interface StartOptions {
  /** Begins with the demo: a town with some 60 events, in three languages, around `now`. */
  readonly demo?: boolean
  /** Serves a calendar file, which is created if it does not exist. */
  readonly file?: string
  /** Begins with these records, made in the order categories, tags, venues, organizers, events. */
  readonly records?: {
    readonly categories?: readonly NewCategory[]
    readonly tags?: readonly NewTag[]
    readonly venues?: readonly NewVenue[]
    readonly organizers?: readonly NewOrganizer[]
    readonly events?: readonly NewEvent[]
  }
  /** Answers like The Events Calendar, below `/wp-json`, with `wp/v2` beside the events API. */
  readonly quirks?: boolean
  /** Stops the clock of the calendar: an ISO time such as `2026-12-01T09:00:00Z`. By default it is the real one. */
  readonly now?: string | Date
  /** The namespace of the events API: by default `calendar/events/v1`, with quirks `tribe/events/v1`. */
  readonly namespace?: string
  /** The language of requests without a `lang_code`; `en` by default, in the demo `ca`. */
  readonly language?: 'ca' | 'en' | 'es'
  /** The time zone of the site; `UTC` by default, in the demo `Europe/Madrid`. */
  readonly timezone?: string
  /** Who may log in; without users, everyone may do everything. */
  readonly users?: readonly { readonly name: string; readonly password: string; readonly role?: Role }[]
  /** By default a free port. */
  readonly port?: number
  /** With the same seed, the same requests fail; 0 by default. */
  readonly seed?: number
}

/** A way in which requests fail: with a `status`, or with a `fault`. */
export interface Fault {
  /** `POST /events`, `GET /events/{id}`, `/venues`, `POST`; every request by default. */
  readonly route?: string
  /** How many requests fail; all by default. */
  readonly times?: number
  /** How many requests of the route succeed first. */
  readonly skip?: number
  /** The share of requests that fail, from 0 to 1. */
  readonly share?: number
  /** From 400 to 599. */
  readonly status?: number
  /** When to try again, for 429 and 503, in seconds; 1 by default. */
  readonly retryAfter?: number
  /**
   * Instead of a status: the connection is reset or never answered, an event is saved but not listed yet, or the answer is garbled as seen
   * on real sites: a PHP notice before it, a comment of a cache after it, a page instead of it, or nothing.
   */
  readonly fault?: 'reset' | 'timeout' | 'unlisted' | 'notice' | 'comment' | 'html' | 'empty' | 'accepted'
  /** Whether the request is carried out before it fails. */
  readonly moment?: 'before' | 'after'
}

/** A request that was answered. Passwords and tokens are `***`. */
export interface LoggedRequest {
  readonly method: string
  /** `POST /events`, `GET /events/{id}`. */
  readonly route: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON and forms as values, anything else as text. */
  readonly body: unknown
  /** Undefined if it was not answered. */
  readonly status: number | undefined
  /** When it arrived, by the clock of the calendar. */
  readonly at: Date
  /** How long the answer took, in ms. */
  readonly ms: number
}

/** A state of one calendar. */
export interface Snapshot {
  readonly sequence: unknown
}

/** A calendar that runs in this process, on a port of its own of 127.0.0.1. It keeps no process alive. */
export interface TestCalendar extends AsyncDisposable {
  /** The base URL: what `createCalendarClient` and `--base-url` take. */
  readonly url: string
  /** The URL of the events API: `url` and the namespace. */
  readonly apiUrl: string
  readonly namespace: string
  /** For `/__calctl/`, as the header `X-Calctl-Token`. */
  readonly token: string
  /** Answers in this process, without a socket. */
  readonly fetch: typeof fetch
  /** Restores the state at the start, without faults, latency and requests, and with the clock of the start. */
  reset(): Promise<void>
  snapshot(): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<void>
  fail(fault: Fault): void
  /** Removes all faults. */
  heal(): void
  /** Delays answers: `200ms`, `50ms-200ms`; `0ms` not at all. */
  latency(range: string): void
  /** Stops the clock of the calendar at a time. */
  travelTo(time: string | Date): void
  /** The last 1,000 requests, the oldest first. */
  requests(filter?: { readonly method?: string; readonly route?: string }): LoggedRequest[]
  close(): Promise<void>
}

/** Starts a calendar. Rejects with a `CalendarError`. */
export function startCalendar(options?: StartOptions): Promise<TestCalendar>
