import { phrase } from '../base/words/phrase.ts'
import { isUnpublished } from './post-status.ts'

/**
 * How a site of The Events Calendar keeps a field, and what its two APIs do with it. The adapters, the stand-in where it answers as
 * production does, and the laws follow from it.
 */
export interface SiteField {
  /** Where WordPress's own API, `wp/v2`, has the field: `content`, `meta._EventCost`. A write there changes that field and no other. */
  readonly key?: string
  /** The one API that writes it: `patch` is `wp/v2`, whose values the events API shows and ignores. Absent if both do. */
  readonly onlyBy?: 'patch' | 'events'
  /**
   * The events API of a site neither shows nor takes it, which has it in `wp/v2` alone; the API as it is documented does. Of an answer
   * without it nobody knows its value.
   */
  readonly apart?: true
  /** An update through the events API that leaves it out resets it, so it is sent back. */
  readonly resets?: true
  /** The key whose value answers have instead of an empty field. */
  readonly emptyAs?: string
  /** Another field that says the same: if that one is sent, this one is left out. */
  readonly sameAs?: string
  /**
   * The date of a record that was never published is the moment of its last save where `date_utc` is zero then, whatever was asked
   * for.
   */
  readonly floats?: true
  /** What cannot be written to it. */
  readonly cannot?: Restriction
}

/**
 * What a site with The Events Calendar cannot do, so that a command can say it before anything is sent. The events API answers such
 * a request with 400, or with 200 and does nothing, or something else.
 */
export interface Restriction {
  /** Whether a value cannot be written to a record that will have this status. */
  readonly forbids: (value: unknown, status: string) => boolean
  /** What the calendar of this name does, or does not. */
  readonly reason: (calendar: string, value: unknown) => string
  readonly wayOut: (value: unknown) => string
  /** Only a request that leaves the field out can do it, as an update does and `--patch` does not. */
  readonly onlyPatch?: true
  /** WordPress's own API cannot do it either. */
  readonly everywhere?: true
  /** WordPress's own API stores it, but the site shows something else. */
  readonly shownWrong?: true
  /** Whether a value in a file can be written as it stands, but would not be shown as it is meant: `12,50 €`. */
  readonly misleads?: (value: unknown) => boolean
  /** How a value in a file is read instead; undefined if it means nothing else. */
  readonly readAs?: (value: unknown) => unknown
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

/** The date of a draft is the moment of its last save, whatever is asked for. */
export const floatingDate: Restriction = {
  forbids: (_, status) => isUnpublished(status),
  reason: (calendar, value) =>
    phrase('{calendar} dates a draft or pending record by its last save, not {value}', {
      calendar,
      value: JSON.stringify(value),
    }),
  wayOut: () => phrase('give the date when it is published: --status publish'),
  everywhere: true,
}

/** The events API derives the slugs of venues and organizers from their names, and keeps them. */
export const slugIsMade: Restriction = {
  forbids: value => value !== '' && value !== null,
  reason: (calendar, value) =>
    phrase('{calendar} keeps the one that it made of the name, not {value}', {
      calendar,
      value: JSON.stringify(value),
    }),
  wayOut: () => phrase('leave it out, or set it in WordPress'),
}

/** What a site keeps in `wp/v2` alone: a new record has none anyway. */
export const onlyInWordPress: Restriction = {
  forbids: () => true,
  reason: calendar => phrase('{calendar} keeps it in wp/v2, which it does not offer to this user', { calendar }),
  wayOut: () =>
    phrase('log in as an editor, or mark the event in its title with: {command}', { command: 'calctl events cancel' }),
}

export const notTaken: Restriction = {
  forbids: () => true,
  reason: calendar => phrase('{calendar} does not take it through the events API', { calendar }),
  wayOut: () => phrase('leave it out, or set it in WordPress'),
}
