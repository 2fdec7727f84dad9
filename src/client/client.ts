/**
 * A client for any implementation of the API. Input: resources of the contract, and values. Output: records, or a `Failure`.
 * `create-client.ts` makes a client from a transport; `http/` is the transport over the network, with retries; `adapters/` writes to each
 * kind of site without clearing values that were left out, and finds out what became of lost writes.
 */

import type { Failure } from '../base/failure.ts'
import type { Request, Response, Transport } from '../contract/exchange.ts'
import type { ResourceName } from '../contract/field.ts'
import type { PendingUpload } from '../contract/kinds/image-kind.ts'
import type { Language } from '../contract/languages.ts'
import type { Differences } from '../contract/record.ts'
import type { Answer, Resource } from '../contract/resource.ts'

/** How a record is named. On the command line digits are an ID, anything else a slug. */
export type Ref = { readonly id: number } | { readonly slug: string }

/** Values by field or filter name, in the form in which they are sent. */
export type Values = Readonly<Record<string, unknown>>

/** Builds the values of a write again from the current record; throws `conflict` if they must no longer be sent. */
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
  /** The language of requests without a `lang_code`; undefined if unknown. */
  readonly own: Language | undefined
  /** Empty as long as no answer has shown more than one. */
  readonly all: readonly Language[]
}

/** The user of the credentials, and what that user may do with events. */
export interface SiteUser {
  readonly id?: number
  /** As the site calls the user; undefined if it does not say, or without credentials. */
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
  /** Tells people what is unusual but not a failure. */
  readonly notice: ((text: string) => Promise<void>) | undefined
  /** The languages of the calendar that are known without asking. */
  languages(): CalendarLanguages
  /** Whether the service has said so far that an update leaves alone what it does not name. */
  takesPartialUpdates(): boolean
  list(resource: Resource, filters: Values): Promise<Page>
  /**
   * The pages from the requested one to the last, by number instead of links; reads one page ahead until there are `wanted` records. No
   * record comes twice; throws `partial` at the end if some are missing.
   */
  pages(resource: Resource, filters: Values, wanted?: number): AsyncIterable<Page>
  get(resource: Resource, ref: Ref, values?: Values): Promise<Answer>
  /** The name of a venue, organizer, category or tag that this client has read; undefined for others. */
  knownName(resource: ResourceName, id: number): string | undefined
  /** Whether records of a resource are read as an editor: then records with a password come whole, and nothing says that they have one. */
  readsAsEditor(resource: Resource): Promise<boolean>
  /** The time zone of the site, requested once; undefined if it does not say. */
  timezone(): Promise<string | undefined>
  /** The user of the credentials, and what that user may do. */
  user(): Promise<SiteUser>
  /** Sends any request to a path below the base URL, and returns the answer, whatever its status. */
  send(request: Request): Promise<Response>
  /** GET on the namespace root. */
  routes(values: Values): Promise<unknown>
  /** GET on `/doc`: the OpenAPI document. */
  doc(): Promise<unknown>
  /**
   * WordPress's own API of the same site, in this language; undefined for calendars that have only the events API, and for users who cannot
   * log in there. That a site has none is remembered for a day, unless `askAgain` is set.
   */
  wordpress(language?: unknown, options?: { readonly askAgain?: boolean }): Promise<WordPress | undefined>
  /** Where images were downloaded from; undefined for calendars that keep the URLs they are given. */
  readonly images: ImageSources | undefined
  /** What was uploaded before; undefined for calendars that exist only during the command. */
  readonly uploads: UploadStore | undefined
  /** Which records are translations of one another; undefined for calendars that exist only during the command. */
  readonly pairings: PairingStore | undefined
  /** The image in the media library of the site, in this language; uploaded unless that was done before. */
  uploadedImage(upload: PendingUpload['$upload'], language?: unknown): Promise<MediaItem>
}

/** A calendar by its requests: each write is one request. Adapters turn these into changes that lose nothing. */
export interface CalendarApi extends Reads {
  create(resource: Resource, values: Values): Promise<Answer>
  /** `renew` is called before the update is sent again, because somebody may have changed a field that it sends back. */
  update(resource: Resource, ref: Ref, values: Values, renew?: Renew): Promise<Answer>
  /** `renew` is called before the delete is sent again, because somebody may have changed or restored the record. */
  delete(resource: Resource, ref: Ref, values?: Values, renew?: Renew): Promise<Answer>
}

/** The result of a write: the record after it, and the fields that are not as they should be. */
export interface WriteResult {
  readonly record: Answer
  /** Fields that changed without being requested, and requested changes that were not applied. */
  readonly drift: Differences
}

/** How one kind of site is written to. All peculiarities of its APIs stay in here. */
export interface Adapter {
  /** Creates a record. If the answer lacks some of the values, a second request sets them, where that can help. */
  create(resource: Resource, values: Values): Promise<WriteResult>
  /** Sets the values of a new record that take a second request, if it does not have them yet. */
  complete(resource: Resource, record: Answer, values: Values): Promise<WriteResult>
  /** Makes these changes and no others. `base` is the record as it was just read; `inTrash` leaves a trashed record in the trash. */
  patch(resource: Resource, base: Answer, values: Values, options?: PatchOptions): Promise<WriteResult>
  /** Sends these values as they are, without reading the record first: fields that the site clears then are lost. */
  overwrite(resource: Resource, ref: Ref, values: Values): Promise<Answer>
  /** Moves a record to the trash, or deletes it permanently. `renew` is called before the request is sent again. */
  delete(resource: Resource, ref: Ref, values?: Values, renew?: Renew): Promise<WriteResult>
}

export interface PatchOptions {
  readonly inTrash?: boolean
}

/** A calendar to read from and to write to. */
export type Client = Reads & Adapter

/** The IDs of records that are translations of one another, by language. */
export type Pairing = Readonly<Partial<Record<Language, number>>>

/** Records that are known to be translations of one another, where their slugs do not say so. */
export interface PairingStore {
  of(resource: ResourceName): Promise<readonly Pairing[]>
  remember(resource: ResourceName, pairing: Pairing): Promise<void>
}

/** WordPress's own API, `wp/v2`: stored texts, and updates that change only what they are sent. */
export interface WordPress {
  /**
   * A page of records, including hidden ones and the trash; undefined if the site does not show them for editing. Its totals count records
   * that this user may not edit, and that it leaves out.
   */
  list(resource: Resource, query: Values): Promise<Page | undefined>
  /** A record, also in a language that lists do not show; undefined if the site does not show it for editing. */
  get(resource: Resource, id: number): Promise<Answer | undefined>
  /** Whether the site shows this resource for editing. At most one request. */
  isOpen(resource: Resource): Promise<boolean>
  /** Whether the site has refused to show this resource. */
  isClosed(resource: Resource): boolean
  /** Sets these fields and no others. */
  patch(resource: Resource, id: number, values: Values, renew?: Renew): Promise<Answer>
  /**
   * Allows the events API to be used instead, and says so once: after this failure of a patch, or because `list` shows nothing. Throws if
   * the site did not refuse the patch, or if the events API must not be used.
   */
  fallBack(resource: Resource, failure?: Failure): Promise<void>
}

/**
 * Where the images of a site were downloaded from. A site stores an image that is given by URL under a name of its own, so that its answers
 * do not show the URL.
 */
export interface ImageSources {
  /** The URL that an image was downloaded from; undefined if it is not known. */
  sourceOf(id: number): Promise<string | undefined>
  remember(id: number, source: string): Promise<void>
}

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
  /** Whether requests carry credentials. */
  hasCredentials(): Promise<boolean>
  /** Whether the site had no `wp/v2` when it was last asked. */
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
  /** Only for WordPress sites: absent for others, and for calendars in this process. */
  readonly access?: EditorAccess | undefined
  readonly images?: ImageSources | undefined
  readonly uploads?: UploadStore | undefined
  readonly pairings?: PairingStore | undefined
  /** Reads an image on the web. */
  readonly download?: ((url: string) => Promise<Uint8Array>) | undefined
  /** Receives notices of what is unusual but not a failure. */
  readonly notice?: (text: string) => Promise<void>
}

/** The calendar that a client talks to. */
export interface Calendar {
  /**
   * What identifies it in plans, journals and exports: the base URL with the namespace, the `file:///` URL of a calendar file,
   * or `demo:`. Two calendars are the same if and only if their ids are.
   */
  readonly id: string
  /** How messages name it: `https://example.org/wp-json`, `the demo calendar`. Nothing compares or parses it. */
  readonly label: string
  /** The options that connect to it, as hints add them to commands: ` -p site`. Absent where none is needed. */
  readonly flags?: string
  /** Absent for a calendar in this process. */
  readonly baseUrl?: string
}

/** A calendar as plans and journals record it. */
export type CalendarName = Pick<Calendar, 'id' | 'label'>

/** What a calendar can do, and what it does with the values that it is given. */
export interface Capabilities {
  /** A calendar in this process: nobody else changes it at the same time, and concurrent writes share one flush to the disk. */
  readonly nobodyElseWrites: boolean
  /** Records have pages on the web. */
  readonly hasPages: boolean
  /** An update leaves alone what it does not name. */
  readonly keepsWhatIsLeftOut: boolean
  /** Answers show texts as they are stored, and not what is rendered from them. */
  readonly showsStoredTexts: boolean
  /** Records can have passwords. */
  readonly hasPasswords: boolean
  /** Every value that the contract allows is stored as given, except for fields that are read-only. */
  readonly takesEveryValue: boolean
  /** Lists have hidden events, too. */
  readonly listsHidden: boolean
  /** A request also changes other records: with a venue or organizer in the trash, events lose it. */
  readonly touchesOthers: boolean
  /** A new venue or organizer overwrites the one that has its name. */
  readonly overwritesSameName: boolean
  readonly keepsBackslashes: boolean
  /** A cost keeps its currency, however it is written. */
  readonly keepsCurrencies: boolean
  /** The UTC offset of a time counts. */
  readonly keepsOffsets: boolean
  /** Images keep the URL that was given: nothing downloads them. */
  readonly keepsImageUrls: boolean
  /** Requests may name any language; on a site, a plugin decides which ones there are. */
  readonly takesAnyLanguage: boolean
  /** There may be an API whose updates change only what they are sent; a site says for each user whether there is. */
  readonly mayPatch: boolean
}
