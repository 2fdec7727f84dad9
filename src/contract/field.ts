import type { Words } from './words.ts'

/** The resources, as paths and commands name them. */
export type ResourceName = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

/** What a value is; `schema.ts` says how each kind is checked. */
export type Kind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'dateTime'
  | 'timeZone'
  | 'url'
  | 'email'
  | 'image'
  | 'cost'
  | 'ids'
  | 'terms'
  | 'posts'

/** One thing that can be written or asked for: its kind, its words, and what the kind needs to know. */
export interface Field {
  readonly kind: Kind
  readonly words: Words
  /** The values of a `choice`. */
  readonly choices?: readonly string[]
  /** The resource that `terms`, `posts` and some ids name. */
  readonly of?: ResourceName
  /** The documented type is a string although the meaning is another: sent as text, which production insists on. */
  readonly asText?: true
  /** A date that can also be given in words: `tomorrow`, `+1 week`. */
  readonly relative?: true
  /** A text that may not be empty or blank. */
  readonly nonEmpty?: true
  /** Holds one record at most, although the documented type is a list. */
  readonly multiple?: false
  /** Accepted on the routes of an existing record only. */
  readonly queryOnly?: true
  /** A value in the way of this field, where that of its kind would mislead. */
  readonly example?: string
  /** The documented default, sent by nobody: it belongs to the API. */
  readonly default?: string | number | boolean | null
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>

type Extra = Omit<Partial<Field>, 'kind' | 'words'>

const kind =
  <K extends Kind>(name: K) =>
  (words: Words, extra: Extra = {}): Field & { kind: K } => ({ kind: name, words, ...extra })

/** Fields of each kind, from their words. */
export const text = kind('text')
export const integer = kind('integer')
export const number = kind('number')
export const boolean = kind('boolean')
export const dateTime = kind('dateTime')
export const timeZone = kind('timeZone')
export const url = kind('url')
export const email = kind('email')
export const image = kind('image')
export const cost = kind('cost')
export const ids = kind('ids')

/** One of a few words. */
export const choice = (words: Words, choices: readonly string[], extra: Extra = {}) =>
  kind('choice')(words, { choices, ...extra })

/** Several choices, comma-separated. */
export const choices = (words: Words, allowed: readonly string[], extra: Extra = {}) =>
  kind('choices')(words, { choices: allowed, ...extra })

/** Categories or tags: ids, slugs or names. */
export const terms = (of: ResourceName, words: Words, extra: Extra = {}) => kind('terms')(words, { of, ...extra })

/** Venues or organizers: ids, or inline records. */
export const posts = (of: ResourceName, words: Words, extra: Extra = {}) => kind('posts')(words, { of, ...extra })
