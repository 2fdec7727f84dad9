import type { Meaning } from '../base/meaning.ts'
import type { Words } from './languages.ts'
import type { SiteField } from './site-field.ts'

export type ResourceName = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

/** A JSON Schema, as plain data. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** The form of a value, for code that treats kinds alike: cells of sheets, prompts, `--where`. */
export type ValueShape = 'prose' | 'word' | 'number' | 'flag' | 'moment' | 'amount' | 'picture' | 'links' | 'list'

/** A field as a record shows it. */
export interface Shown {
  readonly name: string
  readonly field: Field
  /** The whole record: a date needs its UTC date beside it, a cost its currency. */
  readonly answer: Readonly<Record<string, unknown>>
}

/** The part of a field that restricts the values of its kind. */
export type Allowed = Pick<Field, 'choices' | 'nonEmpty' | 'relative'>

/** How a service converts values that it stores. */
export interface Storing {
  /** A date in the time zone of the site. */
  wall(name: string, date: string): string
  /** The ID of an image by its ID or URL. */
  imageId(image: number | string): number | null
  termIds(of: ResourceName, terms: readonly unknown[]): number[]
  placeIds(of: ResourceName, places: readonly unknown[]): number[]
}

/**
 * A kind of value: one object for each, in `kinds/`. `Column` is its type in a calendar file, `Checked` its type in a validated
 * request.
 */
export interface Kind<Column = unknown, Checked = Column> {
  readonly name: string
  readonly shape: ValueShape
  /** How an option shows its value, between angle brackets. */
  readonly placeholder: string
  readonly example: string
  /** The value that clears an optional field. */
  readonly empty: unknown
  /** The value in a new calendar file. */
  readonly emptyColumn: Column
  /** Never set: it carries the type. */
  readonly checked?: Checked
  /** Whether services always fill it in, so that no record lacks it. */
  readonly isFilledIn?: true | undefined
  /** Whether services generate a value if an empty one is written. */
  readonly isMadeIfNone?: true
  /** Whether its option can be repeated, and takes lists with commas. */
  readonly isRepeatable?: true
  /** Whether services accept numbers and flags of this kind only as text. */
  readonly isSentAsText?: true
  /** Whether it links to categories or tags, which are created when they are named. */
  readonly isTerms?: true
  /** Completes "expected …"; for a given value, says what is wrong with it. */
  expected(field: Allowed, value?: unknown): string
  /** The keys that identify an embedded record, for kinds that are answered as records. */
  readonly identity?: readonly string[]
  /** A value as one text, for sheets and sentences. */
  text(value: unknown): string
  /** The value in the form that services take: `"true"` as `true`, `"3,5"` as `[3, 5]`. Undefined if it is not of this kind. */
  read(value: unknown, field: Allowed): unknown
  /** Whether a site stores a text, if its rules differ from those of `read`. */
  isStoredBySite?(text: string): boolean
  /** What a person means by a text, as a text that always means this. */
  asTyped?(text: string): Meaning<string>
  /** The value of a text that a person wrote, for this record: an amount without a currency keeps that of the record. */
  forRecord?(value: unknown, shown: Shown, takesEveryText: boolean): Meaning<unknown>
  /**
   * Converts a value in a file to the form of `read`, because answers, and so files, have some in another form. Undefined if it
   * says nothing about this record, null if it empties the field.
   */
  inFile(value: unknown, field: Field): unknown
  /** The schema of requests. */
  schema(field: Field): Schema
  /** The schema of answers. */
  answerSchema(field: Field): Schema
  /** An answered value in the form of requests and comparisons: embedded records as their IDs. */
  canonical(answered: unknown, field: Field): unknown
  /** A canonical value as it must be sent to be stored again. */
  written(canonical: unknown): unknown
  /** Whether a record shows the requested value, allowing for how a site renders it. */
  isShown(asked: unknown, shown: Shown): boolean
  /** Whether a record shows exactly the requested value, for kinds in which `isShown` is more lenient. */
  isExactly?(asked: unknown, shown: Shown): boolean
  /** Whether the requested value is another way to write the stored one. */
  isMeantBy?(asked: unknown, stored: unknown, shown: Shown): boolean
  /** The value to send so that the field keeps its shown value. */
  roundTrip(shown: Shown): unknown
  /** Whether the events API would lose a part of the shown value if it were sent back. */
  losesPart?(shown: Shown): boolean
  /** A shown value as files contain it, for this site and others. */
  exported(shown: Shown): unknown
  /** A checked value as a column of a calendar file. */
  column(value: unknown, field: Field, name: string, storing: Storing): unknown
  /** Whether `wp/v2` takes a value. */
  isPatchable(value: unknown): boolean
  /** A value as `wp/v2` takes it. */
  patched(value: unknown, field: Field): unknown
  /** A value of `wp/v2` as the events API shows it. */
  unpatched(value: unknown, field: Field): unknown
  /** A value as the events API takes it, if that differs from the stored form. */
  sent?(value: unknown): unknown
  /** Whether the events API ignores a value in a new record, so that a patch has to store it. */
  isDropped?(value: unknown): boolean
  /** The parts of a value that `wp/v2` keeps under other keys of `meta`: `join` adds them to it, `split` returns them. */
  readonly beside?: {
    join(value: unknown, meta: Readonly<Record<string, unknown>>): unknown
    split(value: unknown): Readonly<Record<string, unknown>>
    /** A value with the other keys that must be written with it; `before` is the stored value. */
    change(value: unknown, before: unknown): unknown
  }
}

/** A value that can be written or queried, with everything that the rest of the program needs to know about it. */
export interface Field {
  readonly kind: Kind
  readonly words: Words
  /** The allowed words. */
  readonly choices?: readonly string[]
  /** The linked resource. */
  readonly of?: ResourceName
  /** Documented as a string although it means something else: production accepts only text. */
  readonly asText?: true
  /** A date that can also be given relative to now: `tomorrow`, `+1 week`. */
  readonly relative?: true
  /** A text that must not be blank; as a name, something of it must be seen on a page. */
  readonly nonEmpty?: true | 'name'
  /** Holds at most one record, although the documented type is a list. */
  readonly multiple?: false
  /** A password that unlocks an existing record: sent with requests, never stored. */
  readonly queryOnly?: true
  /**
   * Visible only to editors: read and written through `wp/v2`, and left out of answers, output and journals. Files have
   * `hiddenSecret` instead of a value that was not shown.
   */
  readonly secret?: true
  /** The field that a column of this name means in files. */
  readonly inFiles?: string
  /** A typical value, if the example of the kind would mislead. */
  readonly example?: string
  /** The documented default. It belongs to the API, so no client sends it. */
  readonly default?: string | number | boolean | null
  /** The value in a new record, if it differs from the empty value of the kind. */
  readonly initial?: boolean
  readonly site?: SiteField
  /**
   * How the translations of a record relate. A `text` is in the language of the record; an `own` value belongs to this record
   * alone, like its author; `words` are both, and cleared together. Otherwise the field is a fact: equal in all languages, with links to the translations of the linked
   * records.
   */
  readonly acrossLanguages?: 'text' | 'words' | 'own'
  /** Fields that a service may change by itself when this one changes. */
  readonly affects?: readonly string[]
}

/** Replaces a secret that is hidden or unknown, in exports, printed plans and messages. */
export const hiddenSecret = '***'

export type Fields = Readonly<Record<string, Field>>

export type FieldExtra = Omit<Partial<Field>, 'kind' | 'words'>
