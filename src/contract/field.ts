import type { Words } from './languages.ts'

/** The resources, as paths and commands name them. */
export type ResourceName = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

/** What a value is; `kinds.ts` says how the values of each kind are checked. */
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

/** One value that can be written or queried, and everything that the rest of the program needs to know about it. */
export interface Field {
  readonly kind: Kind
  readonly words: Words
  /** The values of a `choice`. */
  readonly choices?: readonly string[]
  /** The resource that `terms`, `posts` and some IDs refer to. */
  readonly of?: ResourceName
  /** The documented type is a string although the meaning is another: sent as text, which production insists on. */
  readonly asText?: true
  /** A date that can also be given in words: `tomorrow`, `+1 week`. */
  readonly relative?: true
  /** A text that may not be empty or blank. */
  readonly nonEmpty?: true
  /** Holds one record at most, although the documented type is a list. */
  readonly multiple?: false
  /** Sent with requests for an existing record, never stored: a password. */
  readonly queryOnly?: true
  /**
   * Nobody but editors may see the value: it is read and written through `wp/v2`, and stays out of answers, output and journals. What
   * a file has in place of one that was not shown is `hiddenSecret`.
   */
  readonly secret?: true
  /** The field that a column of this name in a file means. */
  readonly inFiles?: string
  /** A typical value of this field, if the example of its kind would mislead. */
  readonly example?: string
  /** The documented default. It belongs to the API, so no client sends it. */
  readonly default?: string | number | boolean | null
  /** The value in a new record, if it differs from the empty value of the kind: `''`, `false`, null or `[]`. */
  readonly initial?: boolean
  /**
   * An update that leaves the field out resets it on The Events Calendar, so the client sends it back, and the service resets it
   * when it answers as production does.
   */
  readonly preserved?: true
  /** The key whose value a site returns instead of an empty field. */
  readonly emptyAs?: string
  /** Another field that says the same: if that one is sent, this one is left out. */
  readonly sameAs?: string
  /**
   * Where WordPress's own API, `wp/v2`, has the field: `content`, `meta._EventCost`. A write there changes that field and no
   * other. Absent if the field is not there.
   */
  readonly wordpress?: string
  /** Only `wp/v2` writes the field: the events API shows it, and ignores what is sent. */
  readonly patchOnly?: true
  /** `wp/v2` shows the field, but only the events API writes it. */
  readonly patchable?: false
  /**
   * The date of a record that was never published is the moment of its last save on a site whose `date_utc` is zero then,
   * whatever was asked for.
   */
  readonly floats?: true
  /**
   * What a field has to do with the translations of its record. A `text` is in the language of the record; `own` belongs to this
   * record alone, such as its author. Without it, the field is a fact: equal in all languages, and a link leads to the translation
   * of the linked record.
   */
  readonly acrossLanguages?: 'text' | 'own'
  /** Fields that a service may change by itself when this one changes. */
  readonly affects?: readonly string[]
}

/** What stands for a secret that cannot be seen, or should not be: in exports, plans that are printed, and messages. */
export const hiddenSecret = '***'

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>

type Extra = Omit<Partial<Field>, 'kind' | 'words'>

/** The properties of a field other than its kind are kept in its type, because the types of columns and values depend on them. */
const kind =
  <K extends Kind>(name: K) =>
  <const E extends Extra = object>(words: Words, extra?: E): Field & { kind: K } & E =>
    ({ kind: name, words, ...extra }) as Field & { kind: K } & E

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
export const choice = <const E extends Extra = object>(words: Words, choices: readonly string[], extra?: E) =>
  kind('choice')(words, { choices, ...extra } as E)

/** Several choices, comma-separated. */
export const choices = (words: Words, allowed: readonly string[]) => kind('choices')(words, { choices: allowed })

/** Categories or tags: ids, slugs or names. */
export const terms = <const E extends Extra = object>(of: ResourceName, words: Words, extra?: E) =>
  kind('terms')(words, { of, ...extra } as E)

/** Venues or organizers: ids, or inline records. */
export const posts = <const E extends Extra = object>(of: ResourceName, words: Words, extra?: E) =>
  kind('posts')(words, { of, ...extra } as E)
