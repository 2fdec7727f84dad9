import type { Field, ResourceName } from './field.ts'
import { isUnpublished } from './post-status.ts'
import type { Resource } from './resource.ts'
import { costInstead, keepsWithPoint, readCost } from './site-cost.ts'

/**
 * What a site with The Events Calendar cannot do, so that a command can say it before anything is sent. The events API answers such
 * a request with 400, or with 200 and does nothing, or something else.
 */
interface Restriction {
  /** Whether a value cannot be written to a record that will have this status. */
  readonly forbids: (value: unknown, status: string) => boolean
  /** Completes "the site …". */
  readonly reason: (value: unknown) => string
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

const notCleared = (wayOut: string): Restriction => ({
  forbids: isEmpty,
  reason: () => 'cannot clear it',
  wayOut: () => wayOut,
})

const clearedText = notCleared('write another text, or clear it in WordPress')
const clearedImage: Restriction = { ...notCleared('clear it without --patch'), onlyPatch: true }

const restrictions: Partial<Record<ResourceName, Readonly<Record<string, Restriction>>>> = {
  events: {
    description: clearedText,
    excerpt: clearedText,
    image: clearedImage,
    venue: notCleared('choose another venue, or take it off in WordPress'),
    cost: {
      forbids: value => costInstead(value) !== undefined,
      reason: value =>
        `would not show ${JSON.stringify(value)} as it is written: it shows one amount, or the lowest and the highest`,
      wayOut: value => `write: ${costInstead(value)}; put what else there is to say into the description`,
      shownWrong: true,
      misleads: keepsWithPoint,
      readAs: readCost,
    },
  },
  venues: { image: clearedImage },
  organizers: { image: clearedImage },
  categories: {
    description: clearedText,
    parent: notCleared('choose another parent, or take it off in WordPress'),
  },
  tags: { description: clearedText },
}

/** The date of a draft is the moment of its last save, whatever is asked for. */
const floatingDate: Restriction = {
  forbids: (_, status) => isUnpublished(status),
  reason: () => 'dates a draft or pending record by its last save',
  wayOut: () => 'give the date when it is published: --status publish',
  everywhere: true,
}

/** The events API derives the slugs of venues and organizers from their names, and keeps them. */
const shownOnly: Restriction = {
  forbids: value => value !== '' && value !== null,
  reason: () => 'keeps the one that it made of the name',
  wayOut: () => 'leave it out, or set it in WordPress',
}

const notTaken: Restriction = {
  forbids: () => true,
  reason: () => 'does not take it through the events API',
  wayOut: () => 'leave it out, or set it in WordPress',
}

const restrictionOf = (resource: Resource, name: string, field: Field): Restriction | undefined =>
  (field.secret && notTaken) ||
  (field.patchOnly && shownOnly) ||
  (field.floats && floatingDate) ||
  restrictions[resource.name]?.[name]

/** A value that a site cannot write, and what to do instead. */
export interface Impossible {
  readonly field: string
  readonly reason: string
  readonly wayOut: string
  /** Whether WordPress's own API can do it. */
  readonly patchable: boolean
  /** Whether the site would show something else, whichever API has written it. */
  readonly shownWrong: boolean
  /** The value that a file means instead; undefined if there is none. */
  readonly meant: unknown
}

/**
 * Which of these values a site with The Events Calendar cannot write to a record that will have this status; for values of a file,
 * also those that it would not show as they are meant.
 */
export function impossibleValues(
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
  {
    status,
    isPatch,
    isFile = false,
  }: { readonly status: string; readonly isPatch: boolean; readonly isFile?: boolean },
): Impossible[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = resource.fields[name]
    const restriction = field && restrictionOf(resource, name, field)
    const forbids = restriction?.forbids(value, status) || (isFile && restriction?.misleads?.(value))
    if (!restriction || !forbids || (restriction.onlyPatch && !isPatch)) return []
    const { reason, wayOut, everywhere, shownWrong = false, readAs } = restriction
    const sentences = { reason: reason(value), wayOut: wayOut(value) }
    return [{ field: name, ...sentences, patchable: !everywhere, shownWrong, meant: readAs?.(value) }]
  })
}
