/**
 * The client speaks to any implementation of the API. Input: resources of the contract, and values. Output: records, or a `Failure`.
 * `create-client.ts` makes one over a transport; `http/` is the transport over the network, with retries; `adapters/` writes to each
 * kind of site without losing values that it would clear, and finds out what became of lost writes.
 */

import type { Failure } from '../base/failure.ts'
import type { Request, Response, Transport } from '../contract/exchange.ts'
import type { ResourceName } from '../contract/field.ts'
import type { PendingUpload } from '../contract/kinds/image-kind.ts'
import type { Language } from '../contract/languages.ts'
import type { Differences } from '../contract/record.ts'
import type { Answer, Resource } from '../contract/resource.ts'
import type { Calendar, Capabilities } from './calendar.ts'

/** What names a record. On the command line digits are an ID, anything else a slug. */
export type Ref = { readonly id: number } | { readonly slug: string }

/** Values by field or filter name, as they go over the wire. */
export type Values = Readonly<Record<string, unknown>>

/** Builds the values of a write again from its record as it is now; throws `conflict` if they must not be sent any more. */
export type Renew = () => Promise<Values>

/** One page of a list, with the totals of the whole list. */
export interface Page {
  readonly records: Answer[]
  readonly total: number
  readonly pages: number
  /** The time on the service's clock, in ms; absent if it does not say. */
  readonly siteTime?: number
}

/** The languages that a calendar has records in. */
export interface CalendarLanguages {
  /** The language of requests that name none; undefined if unknown. */
  readonly own: Language | undefined
  /** Empty as long as nothing speaks of several. */
  readonly all: readonly Language[]
}

/** Who the credentials of a client belong to, and what they may do with events. */
export interface SiteUser {
  /** As the site calls the user; undefined where it does not say, or for everybody. */
  readonly name: string | undefined
  readonly roles: readonly string[]
  readonly may: {
    readonly write: boolean
    readonly publish: boolean
    readonly editOthers: boolean
    readonly upload: boolean
  }
}

/** What can be read from a calendar. Every method throws a `Failure` for what can go wrong outside. */
export interface Reads {
  readonly calendar: Calendar
  readonly namespace: string
  readonly capabilities: Capabilities
  /** Sent as `lang_code`; undefined if requests have none. */
  readonly language: Language | undefined
  /** The languages of the calendar, as far as they are known without asking. */
  languages(): CalendarLanguages
  /** Whether the service has said by now that an update leaves alone what it does not name. */
  takesPartialUpdates(): boolean
  list(resource: Resource, filters: Values): Promise<Page>
  /**
   * Pages from the requested one to the last, by number and never by links, one ahead until `wanted` records are there. No
   * record comes twice; throws `partial` at the end if some are missing.
   */
  pages(resource: Resource, filters: Values, wanted?: number): AsyncIterable<Page>
  get(resource: Resource, ref: Ref, values?: Values): Promise<Answer>
  /** The name of a venue, organizer, category or tag that this client has read; undefined for others. */
  knownName(resource: ResourceName, id: number): string | undefined
  /** Whether records of a resource are read as editors see them: those with a password whole, and nothing says that they have one. */
  readsAsEditor(resource: Resource): Promise<boolean>
  /** The site's own time zone, requested once; undefined if it does not say. */
  timezone(): Promise<string | undefined>
  /** Who the credentials belong to, and what they may do. */
  user(): Promise<SiteUser>
  /** Sends any request to a path below the base URL, and returns the answer, whatever it is. */
  send(request: Request): Promise<Response>
  /** GET on the namespace root. */
  routes(values: Values): Promise<unknown>
  /** GET on `/doc`: the OpenAPI document. */
  doc(): Promise<unknown>
  /**
   * WordPress's own API of the same site, in this language; undefined for a calendar that has the events API alone, and for
   * users who cannot log in there. That a site has none is remembered for a day, unless it is asked again.
   */
  wordpress(language?: unknown, options?: { readonly askAgain?: boolean }): Promise<WordPress | undefined>
  /** Where images were loaded from; undefined for calendars that keep the URLs they are given. */
  readonly images: ImageSources | undefined
  /** What was uploaded before; undefined for calendars that are gone when the command ends. */
  readonly uploads: UploadStore | undefined
  /** Which records are translations of one another; undefined for calendars that are gone when the command ends. */
  readonly pairings: PairingStore | undefined
  /** An image in the media library of the site, in this language; uploads it unless that was done before. */
  uploadedImage(upload: PendingUpload['$upload'], language?: unknown): Promise<MediaItem>
}

/** A calendar by the requests that it takes: each write is one. The adapters make changes of them that lose nothing. */
export interface CalendarApi extends Reads {
  create(resource: Resource, values: Values): Promise<Answer>
  /** `renew` is called before the update is sent again: an editor may have changed what it sends back. */
  update(resource: Resource, ref: Ref, values: Values, renew?: Renew): Promise<Answer>
  /** `renew` is called before the delete is sent again: somebody may have changed or restored the record. */
  delete(resource: Resource, ref: Ref, values?: Values, renew?: Renew): Promise<Answer>
}

/** The result of a write: the record after it, and the fields that are not as they should be. */
export interface WriteResult {
  readonly record: Answer
  /** Fields that changed without being requested, and requested changes that were not applied. */
  readonly drift: Differences
}

/** How one kind of site is written to: every peculiarity of its APIs stays behind it. */
export interface Adapter {
  /** Creates a record; what the answer to the first request lacks is sent once more where that can help. */
  create(resource: Resource, values: Values): Promise<WriteResult>
  /** Gives a new record what another request has to write, as far as it lacks that. */
  complete(resource: Resource, record: Answer, values: Values): Promise<WriteResult>
  /** Makes these changes and no others. `base` is the record as it has just been read; `inTrash` leaves a trashed record there. */
  patch(resource: Resource, base: Answer, values: Values, options?: PatchOptions): Promise<WriteResult>
  /** Sends these values as they are, without a look at the record: what the site clears then is lost. */
  overwrite(resource: Resource, ref: Ref, values: Values): Promise<Answer>
  /** Moves a record to the trash, or removes it for good. `renew` is called before that is sent again. */
  delete(resource: Resource, ref: Ref, values?: Values, renew?: Renew): Promise<Answer>
}

export interface PatchOptions {
  readonly inTrash?: boolean
}

/** A calendar to read from and to write to. */
export type Client = Reads & Adapter

/** IDs of records that are one thing, by language. */
export type Pairing = Readonly<Partial<Record<Language, number>>>

/** The records of a calendar that are known to be translations of one another, where their slugs cannot say it. */
export interface PairingStore {
  of(resource: ResourceName): Promise<readonly Pairing[]>
  remember(resource: ResourceName, pairing: Pairing): Promise<void>
}

/** WordPress's own API, `wp/v2`: stored texts, and updates that change nothing else. */
export interface WordPress {
  /**
   * A page of records, hidden ones and the trash included; undefined if the site does not show them for editing. It counts records
   * that this user may not edit, and leaves them out.
   */
  list(resource: Resource, query: Values): Promise<Page | undefined>
  /** A record, also one of another language than lists show; undefined if the site does not show it for editing. */
  get(resource: Resource, id: number): Promise<Answer | undefined>
  /** Whether the site shows this resource for editing. One request, once. */
  isOpen(resource: Resource): Promise<boolean>
  /** Whether the site has refused to show this resource. */
  isClosed(resource: Resource): boolean
  /** Sets these fields and no others. */
  patch(resource: Resource, id: number, values: Values, renew?: Renew): Promise<Answer>
  /**
   * Lets the events API be used in its place, and says so once: after this failure of a patch, or because `list` shows nothing. Throws
   * if the site did not refuse the patch, or if the events API must not be used.
   */
  fallBack(resource: Resource, failure?: Failure): Promise<void>
}

/**
 * Where the images of a site were loaded from. A site downloads an image that is given by URL and stores it under a name of its own,
 * so that the answer does not say which URL it was.
 */
export interface ImageSources {
  /** The URL that an image was loaded from; undefined if it is not known. */
  sourceOf(id: number): Promise<string | undefined>
  remember(id: number, source: string): Promise<void>
}

/** An image of a site. */
export interface MediaItem {
  readonly id: number
  readonly url: string
  readonly alt: string
  /** Its media type; empty if the site does not say. */
  readonly type: string
  /** In pixels; null if the site does not say. */
  readonly width: number | null
  readonly height: number | null
}

/** The images that were uploaded to a site, by the SHA-256 of their contents. */
export interface UploadStore {
  find(sha256: string): Promise<{ readonly id: number; readonly url: string } | undefined>
  /** The address that an image was copied from. */
  sourceOf(id: number): Promise<string | undefined>
  remember(sha256: string, image: { readonly id: number; readonly url: string }, source?: string): Promise<void>
}

/** Whether a site can be asked as an editor, and what is known about it. */
export interface EditorAccess {
  /** Whether requests have credentials. */
  hasCredentials(): Promise<boolean>
  /** Whether the site had no `wp/v2` when it was asked last. */
  lacksWordPress(): Promise<boolean>
  rememberNoWordPress(): Promise<void>
  forgetNoWordPress(): Promise<void>
  readonly requiresWordPress: boolean
}

export interface ConnectionToClient {
  readonly transport: Transport
  readonly calendar: Calendar
  readonly namespace: string
  /** Sent as `lang_code`; absent if the base URL implies it. */
  readonly language?: Language
  /** For sites of WordPress: absent for others, and for calendars in this process. */
  readonly access?: EditorAccess | undefined
  readonly images?: ImageSources | undefined
  readonly uploads?: UploadStore | undefined
  readonly pairings?: PairingStore | undefined
  /** Reads an image on the web. */
  readonly download?: ((url: string) => Promise<Uint8Array>) | undefined
  /** Receives notices of what is odd but not a failure. */
  readonly notice?: (text: string) => Promise<void>
}
