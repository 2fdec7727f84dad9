import { phrase } from '../base/words/phrase.ts'
import { isUnpublished } from './post-status.ts'
import type { Restriction } from './site-field.ts'

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === 0 || value === '0' || (Array.isArray(value) && value.length === 0)

const cannotBeCleared: Pick<Restriction, 'forbids' | 'reason'> = {
  forbids: isEmpty,
  reason: calendar => phrase('{calendar} cannot clear it', { calendar }),
}

export const textCannotBeCleared: Restriction = {
  ...cannotBeCleared,
  wayOut: () => phrase('write another text, or clear it in WordPress'),
}

export const parentCannotBeCleared: Restriction = {
  ...cannotBeCleared,
  wayOut: () => phrase('choose another parent, or take it off in WordPress'),
}

export const venueCannotBeCleared: Restriction = {
  ...cannotBeCleared,
  wayOut: () => phrase('choose another venue, or take it off in WordPress'),
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
