import type { ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/words.ts'

/** What a record in a file asks for. Without one, a record with an id is updated and one without is created. */
export const actions = ['create', 'update', 'trash', 'restore', 'ignore'] as const

/** One of the actions. */
type Action = (typeof actions)[number]

/** How a record names another: its id, its slug or name, or the fields of one that is to be made. */
export type Reference = number | string | Values

/**
 * Values by field name, normalised. Dates are `YYYY-MM-DD HH:MM:SS` unless they have an offset, `terms` and `posts` are lists
 * of references, and one that is not `multiple` is a reference.
 */
type Values = Readonly<Record<string, unknown>>

/** A value that a field cannot take. */
export interface Mistake {
  /** The column or key, as the file has it. */
  readonly column: string
  /** Completes the sentence "expected …". */
  readonly expected: string
  readonly given: string
  readonly example?: string
  /** A known word near the one given. */
  readonly meant?: string
}

/** What can be written to a file. */
export interface WritableRecord {
  readonly resource: ResourceName
  readonly action?: Action
  readonly id?: number
  readonly lang_code?: Language
  /** The site whose ids these are. */
  readonly origin?: string
  /** The slug of a venue or organizer, which names it although it cannot be written; other resources have the field. */
  readonly slug?: string
  readonly values: Values
  /** Names of the fields to empty. */
  readonly cleared?: readonly string[]
}

/** A record as a file has it, whichever kind of file that is. */
export interface FileRecord extends WritableRecord {
  readonly cleared: readonly string[]
  /** The fields that say which record this is, where the kind of file has its own rule and there is no id. */
  readonly match?: readonly string[]
  /** Whether venues, organizers, categories and tags that it names are to be made where they are not there. */
  readonly makesLinks?: true
  readonly series?: Series
  /** Where it stood: `row 5`, `line 3`, `document 2`, `item 4`. */
  readonly place: string
  readonly mistakes: readonly Mistake[]
  /** What stood there, as it was read, where there are mistakes. */
  readonly source?: Readonly<Record<string, unknown>>
}

/** All that a feed tells of one UID, a series or a single event. */
export interface Series {
  /** What the slugs of its events begin with. */
  readonly slug: string
  /** What people call it. */
  readonly name: string
  /** Where it has no end, the day before which its events are left as they are. */
  readonly from?: string
  /** How far it was read, a wall time. */
  readonly until: string
}

/** Hears what a reader decided or left alone; one sentence each. */
export type Notice = (sentence: string) => void

/** `row 5, Event Website: expected an http or https URL, got "93 123 45 67"`. */
export const sentence = (place: string, { column, expected, given }: Mistake): string =>
  `${place}${column && `, ${column}`}: expected ${expected}, got "${given}"`
