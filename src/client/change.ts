import type { Allow } from './adapters/allowed-values.ts'
import type { AsMarks } from './adapters/event-marks.ts'
import type { Values } from './client.ts'
import type { KnownImages } from './images/image-sources.ts'
import type { NameLookup } from './name-lookup.ts'

/** A change as it was requested, for any number of records. */
export interface Change {
  readonly values: Values
  /** Links to add to those of a record, and to remove from them, by field. */
  readonly add?: Values
  readonly remove?: Values
  /** Moves both ends, in ms of wall time. */
  readonly shift?: number
  /** Moves the start to this day or time, as it was typed, and the end along with it; what it does not mention stays, but is moved by `shift`. */
  readonly moveTo?: string
  /** The option with that text, if it is one. */
  readonly moveOption?: string
  /** How long the event lasts, in ms. */
  readonly duration?: number | undefined
}

/** The context in which a change is resolved: the clock, time zones, names, and where notices go. */
export interface ChangeContext {
  readonly now: Date
  /** The time zone of the site, or the user's if the site does not say. */
  readonly zone: string
  /** The zone of the site, where `zone` is the user's and few records depend on it. */
  siteZone?(): Promise<string | undefined>
  readonly names: NameLookup
  readonly notice: (text: string) => Promise<void>
  /** False for a site that drops the UTC offsets of dates. */
  readonly keepsOffsets?: boolean
  /** Whether an end that follows from the length of an event is sent without a UTC offset, which the site would drop. */
  readonly endsInWallTime?: boolean
  /** What is known about the images of the site. */
  readonly known?: KnownImages | undefined
  /** Refuses what the site cannot do. */
  readonly allow?: Allow
  /** Puts the status of an event into its title, on sites that do not store one. */
  readonly marks?: AsMarks
  /** What messages call a field: an option by default, a column in a file. */
  readonly fieldLabel?: (field: string) => string
}
