/**
 * How a site of The Events Calendar keeps a field, and how its two APIs treat it. The adapters, the stand-in for production, and
 * the laws follow from it.
 */
export interface SiteField {
  /** Its key in WordPress's own API, `wp/v2`: `content`, `meta._EventCost`. A write there changes only that field. */
  readonly key?: string
  /** The only API that writes it: `patch` is `wp/v2`, whose values the events API shows but does not accept. Absent if both do. */
  readonly onlyBy?: 'patch' | 'events'
  /**
   * On a site, only `wp/v2` has it; the events API neither shows nor accepts it. The documented API does. In answers without it,
   * its value is unknown.
   */
  readonly apart?: true
  /** An update through the events API that omits it resets it, so it is sent back. */
  readonly resets?: true
  /** The key that answers fill in instead of an empty field. */
  readonly emptyAs?: string
  /** Another field with the same value: if that one is sent, this one is omitted. */
  readonly sameAs?: string
  /** While `date_utc` is zero, that is before the first publication, the date is that of the last save, whatever was sent. */
  readonly floats?: true
  /** The values that cannot be written. */
  readonly cannot?: Restriction
}

/**
 * Something that a site with The Events Calendar cannot do, so that a command can say it before anything is sent. The events API
 * answers such a request with 400, or with 200 and does nothing, or something else.
 */
export interface Restriction {
  /** Whether a value cannot be written to a record that will have this status. */
  readonly forbids: (value: unknown, status: string) => boolean
  /** Explains it in a sentence about the calendar. */
  readonly reason: (calendar: string, value: unknown) => string
  readonly wayOut: (value: unknown) => string
  /** The option with which a file that has such a value can be applied as it is. */
  readonly fileOption?: (value: unknown) => string | undefined
  /** WordPress's own API cannot do it either. */
  readonly everywhere?: true
  /** WordPress's own API stores it, but the site shows something else. */
  readonly shownWrong?: (value: unknown) => boolean
  /** Whether only WordPress's own API writes a new value: `8 € - 12 €`. */
  readonly needsPatch?: (value: unknown) => boolean
}
