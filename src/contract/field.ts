import type { Words } from './languages.ts'

/** The resources, as paths and commands name them. */
export type ResourceName = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

/** How a value looks, for help and for messages. */
export interface KindWords {
  /** How an option shows its value, between angle brackets. */
  readonly placeholder: string
  /** Completes the sentence "expected …". */
  readonly expected: string
  readonly example: string
}

/**
 * What a value is, and everything that is asked of such values. `Checked` is the type of a value in a service, `Column` the type in
 * its file.
 */
export interface Kind<Checked = unknown, Column = unknown> {
  readonly name: string
  words(field: Field): KindWords
  /** What is wrong with a value that cannot be read, if more can be said than what was expected. */
  mistakeIn?(value: unknown): string | undefined
  /**
   * The value in the form in which services take it: `"true"` as `true`, `"3,5"` as `[3, 5]`. Undefined for one of another kind.
   */
  read(value: unknown, field: Field): unknown
  /** The value that clears an optional field. */
  readonly empty: unknown
  /** The value of a column before anything is stored in it. */
  readonly blank: Column
  /** Only for the compiler. */
  readonly checked?: Checked
}

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
export const fieldOf =
  <K extends Kind>(kind: K) =>
  <const E extends Extra = object>(words: Words, extra?: E): Field & { kind: K } & E =>
    ({ kind, words, ...extra }) as Field & { kind: K } & E
