import type { Words } from './languages.ts'
import type { SiteField } from './site-field.ts'

/** The resources, as paths and commands name them. */
export type ResourceName = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

/** A JSON Schema, as plain data. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** What a value is made of, for what treats kinds alike: the cells of a sheet, prompts, `--where`. */
export type Shape = 'prose' | 'word' | 'number' | 'flag' | 'moment' | 'amount' | 'picture' | 'links' | 'list'

/** A field as a record shows it. */
export interface Shown {
  readonly name: string
  readonly field: Field
  /** The whole record: a date has its moment beside it, a cost its currency. */
  readonly answer: Readonly<Record<string, unknown>>
}

/** What a field allows of the values of its kind. */
export type Allowed = Pick<Field, 'choices' | 'nonEmpty' | 'relative'>

/** What a service does with the values that it stores. */
export interface Storing {
  /** A date in the time zone of the site. */
  wall(name: string, date: string): string
  /** The ID of an image that is given by its ID or URL. */
  imageId(image: number | string): number | null
  termIds(of: ResourceName, terms: readonly unknown[]): number[]
  placeIds(of: ResourceName, places: readonly unknown[]): number[]
}

/**
 * A kind of value, and all that is asked of it: one object for each, in `kinds/`. `Column` is its type in a calendar file, `Checked` that
 * in a request which a service has checked.
 */
export interface Kind<Column = unknown, Checked = Column> {
  readonly name: string
  readonly shape: Shape
  /** How an option shows its value, between angle brackets. */
  readonly placeholder: string
  readonly example: string
  /** The value that clears an optional field. */
  readonly empty: unknown
  /** What a calendar file has before anything is stored. */
  readonly emptyColumn: Column
  /** Only a type. */
  readonly checked?: Checked
  /** Whether services give it a value by themselves, so that no record is without one. */
  readonly isFilledIn?: true | undefined
  /** Whether services make a value if an empty one is written. */
  readonly isMadeIfNone?: true
  /** Whether an option for it can be repeated, and takes several values with commas. */
  readonly isRepeatable?: true
  /** Whether services take numbers and flags of this kind as text alone. */
  readonly isSentAsText?: true
  /** Whether it links to categories or tags, which are created by naming them. */
  readonly isTerms?: true
  /** Completes the sentence "expected …"; of a value that was given, what is wrong with it. */
  expected(field: Allowed, value?: unknown): string
  /** The keys that identify a record, of kinds that are answered with records. */
  readonly identity?: readonly string[]
  /** A value as one text, as sheets and sentences have it. */
  text(value: unknown): string
  /** The value in the form in which services take it: `"true"` as `true`, `"3,5"` as `[3, 5]`. Undefined for one of another kind. */
  read(value: unknown, field: Allowed): unknown
  /** Whether a site stores a text, where that differs from what `read` takes. */
  isStoredBySite?(text: string): boolean
  /** A text as the person means it who typed it; undefined for one that is no value. */
  asTyped?(text: string): string | undefined
  /**
   * A value of a file in the form that `read` takes, because services answer some in another one. Undefined if it stands for none of
   * this record, null if it empties the field.
   */
  inFile(value: unknown, field: Field): unknown
  /** What may be written or asked for. */
  schema(field: Field): Schema
  /** What an answer has. */
  answerSchema(field: Field): Schema
  /** An answered value in the form in which it is written and compared: embedded records as their IDs. */
  canonical(answered: unknown, field: Field): unknown
  /** A canonical value as it is sent, so that a record has it again. */
  written(canonical: unknown): unknown
  /** Whether a record shows what was asked for, allowing for how a site renders it. */
  isShown(asked: unknown, shown: Shown): boolean
  /** Whether a record shows exactly what was asked for, where that takes more than `isShown`. */
  isExactly?(asked: unknown, shown: Shown): boolean
  /** Whether what is asked for means a stored value that is written otherwise. */
  isMeantBy?(asked: unknown, stored: unknown, shown: Shown): boolean
  /** The value to send so that the field stays as this record shows it. */
  roundTrip(shown: Shown): unknown
  /** Whether the events API would lose a part of what is shown when that is sent back. */
  losesPart?(shown: Shown): boolean
  /** The value that a file has of what is shown, for this site and others. */
  exported(shown: Shown): unknown
  /** The column of a calendar file for a checked value. */
  column(value: unknown, field: Field, name: string, storing: Storing): unknown
  /** Whether `wp/v2` takes a value. */
  isPatchable(value: unknown): boolean
  /** A value as `wp/v2` takes it. */
  patched(value: unknown, field: Field): unknown
  /** A value of `wp/v2` as the events API shows it. */
  unpatched(value: unknown, field: Field): unknown
  /** A value as the events API takes it, where that differs from what is stored. */
  sent?(value: unknown): unknown
  /** Whether the events API drops a value from a new record, which a patch then stores. */
  isDropped?(value: unknown): boolean
  /** What `wp/v2` keeps of a value under other keys of `meta`: joins the value with them, and gives what belongs there. */
  readonly beside?: {
    join(value: unknown, meta: Readonly<Record<string, unknown>>): unknown
    split(value: unknown): Readonly<Record<string, unknown>>
    /** A value with what has to be written beside it, where this was stored before. */
    change(value: unknown, before: unknown): unknown
  }
}

/** One value that can be written or queried, and everything that the rest of the program needs to know about it. */
export interface Field {
  readonly kind: Kind
  readonly words: Words
  /** The words that the value can be. */
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
  /** How a site keeps it. */
  readonly site?: SiteField
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

/** What a field says besides its kind. */
export type FieldExtra = Omit<Partial<Field>, 'kind' | 'words'>

/**
 * Makes fields of a kind: `text(say('Població', 'City', 'Población'))`. Their properties other than the kind are kept in their type,
 * because the types of columns and values depend on them.
 */
export const fieldOf =
  <K extends Kind<unknown, unknown>>(kind: K) =>
  <const E extends FieldExtra = object>(words: Words, extra?: E): Field & { kind: K } & E =>
    ({ kind, words, ...extra }) as Field & { kind: K } & E
