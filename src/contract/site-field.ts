import { phrase } from '../base/words/phrase.ts'
import { isUnpublished } from './post-status.ts'

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
  /** A request that omits the field can do it: `--patch` cannot, an update can. */
  readonly onlyPatch?: true
  /** WordPress's own API cannot do it either. */
  readonly everywhere?: true
  /** WordPress's own API stores it, but the site shows something else. */
  readonly shownWrong?: (value: unknown) => boolean
  /** Whether only WordPress's own API writes a new value: `8 € - 12 €`. */
  readonly needsPatch?: (value: unknown) => boolean
}

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === 0 || value === '0' || (Array.isArray(value) && value.length === 0)

export const notCleared = (wayOut: () => string): Restriction => ({
  forbids: isEmpty,
  reason: calendar => phrase('{calendar} cannot clear it', { calendar }),
  wayOut,
})

export const textCannotBeCleared = notCleared(() => phrase('write another text, or clear it in WordPress'))
export const imageCannotBeCleared: Restriction = {
  ...notCleared(() => phrase('clear it without --patch')),
  onlyPatch: true,
}

/** The date of a draft is that of its last save, whatever was sent; `null` takes a date away that it got when it was published. */
export const floatingDate: Restriction = {
  forbids: (value, status) => value !== null && isUnpublished(status),
  reason: (calendar, value) =>
    phrase('{calendar} dates a draft or pending record by its last save, not {value}', {
      calendar,
      value: JSON.stringify(value),
    }),
  wayOut: () => phrase('give the date when it is published: --status publish'),
  everywhere: true,
}

/** The events API derives the slugs of venues and organizers from their names, and does not change them later. */
export const slugIsMade: Restriction = {
  forbids: value => value !== '' && value !== null,
  reason: (calendar, value) =>
    phrase('{calendar} keeps the one that it made of the name, not {value}', {
      calendar,
      value: JSON.stringify(value),
    }),
  wayOut: () => phrase('leave it out, or set it in WordPress'),
}

/** A field that only `wp/v2` has; a new record has no value in it anyway. */
export const onlyForEditors: Restriction = {
  forbids: () => true,
  reason: calendar => phrase('{calendar} keeps it in wp/v2, which it does not offer to this user', { calendar }),
  wayOut: () => phrase('log in as an editor'),
}

export const onlyInWordPress: Restriction = {
  ...onlyForEditors,
  wayOut: () =>
    phrase('log in as an editor, or mark the event in its title with: {command}', { command: 'calctl events cancel' }),
}

export const notTaken: Restriction = {
  forbids: () => true,
  reason: calendar => phrase('{calendar} does not take it through the events API', { calendar }),
  wayOut: () => phrase('leave it out, or set it in WordPress'),
}
