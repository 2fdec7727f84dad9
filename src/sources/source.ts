/**
 * Sources: places from which events come again and again. `sources-file.ts` reads `sources.yaml`, which names them; `read-source.ts` reads
 * what a source says now, as records. Nothing here writes to a calendar.
 */

import type { Language } from '../contract/languages.ts'

/** What answers at a place. Without one in the file, it is recognized from the answer. */
export const sourceKinds = ['icalendar', 'sheet', 'calendar', 'page', 'wordpress', 'json'] as const

export type SourceKind = (typeof sourceKinds)[number]

/** What becomes of events that a source no longer has. */
export const fates = ['cancel', 'trash', 'keep'] as const

/** Who decides about a field if the source and somebody else changed it. */
export const deciders = ['source', 'local'] as const

/** The statuses that new events of a source can get. */
export const newStatuses = ['pending', 'draft', 'publish'] as const

/** Events by words in their texts, and by the days on which they start. */
export interface EventChoice {
  /** Any of these; in a title, a description, or the name of a place, an organizer, a category or a tag. */
  readonly words?: readonly string[]
  /** `YYYY-MM-DD`, the first day. */
  readonly from?: string
  /** `YYYY-MM-DD`, the last day. */
  readonly until?: string
}

export interface Source {
  readonly name: string
  /** A path, or an address on the web. */
  readonly place: string
  readonly kind?: SourceKind
  readonly categories?: readonly string[]
  readonly tags?: readonly string[]
  readonly organizer?: string
  /** The status of new events. */
  readonly status?: (typeof newStatuses)[number]
  readonly language?: Language
  /** What the source calls a place → the name, slug or ID of a venue. */
  readonly places?: Readonly<Record<string, string | number>>
  readonly include?: EventChoice
  readonly exclude?: EventChoice
  /** Only these fields are taken. */
  readonly fields?: readonly string[]
  readonly vanished?: (typeof fates)[number]
  readonly decides?: Readonly<Record<string, (typeof deciders)[number]>>
  /** Header name → `env:NAME`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of a calendar: filters of its list of events, by the names of the API. */
  readonly filters?: Readonly<Record<string, string | number>>
  /** Of open data: field → key in the data, or the name of a known map. */
  readonly map?: string | Readonly<Record<string, string>>
}

export interface SourcesFile {
  readonly path: string
  /** The file as it was read, for `calctl trust`. */
  readonly text: string
  readonly sources: readonly Source[]
}

/** By what a later reading knows that nothing is new. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
  /** Of the bytes that were read, and of the settings with which they were. */
  readonly digest: string
  readonly settings: string
  /** The day of the reading, if what a later day reads of the same bytes may differ: series go on. */
  readonly day?: string
}
