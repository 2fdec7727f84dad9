/**
 * What all kinds of files share: a record as a file has it, how records refer to others, and how a record is built from keys and values,
 * which are checked and normalized (`record-builder.ts`). The readers of CSV, iCalendar and so on build on this, and nothing here knows
 * where a record comes from.
 */

import { ignoreErrors } from '../../base/attempt.ts'
import { parseStrictJson } from '../../base/text/strict-json.ts'
import type { Field, ResourceName } from '../../contract/field.ts'
import type { Language } from '../../contract/languages.ts'

/** The actions that a file can ask for. By default, a record with an id is updated, and one without is created. */
export const actions = ['create', 'update', 'trash', 'restore', 'ignore'] as const

type Action = (typeof actions)[number]

/** How a record refers to another one: by id, by slug or name, or with the fields of one to be created. */
export type Reference = number | string | Values

/**
 * Values by field, normalized. Dates are `YYYY-MM-DD HH:MM:SS` unless they have an offset; `terms` and `posts` are lists of references, and
 * a field with `multiple: false` is a single reference.
 */
type Values = Readonly<Record<string, unknown>>

/** A value that a field cannot take. */
export interface Mistake {
  /** The field, or `id`, `action` and so on, if it is about one. */
  readonly field?: string
  /** The column or key, as in the file. */
  readonly column: string
  /** Completes "expected …". */
  readonly expected: string
  readonly value: string
  /** A sentence about the mistake, if "expected …, got …" is not clear enough. */
  readonly message?: string
  readonly example?: string
  /** What to do about it, if an example is not enough. */
  readonly advice?: string
  /** A valid word that is similar to the value. */
  readonly suggestion?: string
}

/** A record that can be written to a file. */
export interface WritableRecord {
  readonly resource: ResourceName
  readonly action?: Action
  readonly id?: number
  readonly lang_code?: Language
  /** The site to which its ids belong. */
  readonly origin?: string
  readonly values: Values
  /** The fields to empty. */
  readonly cleared?: readonly string[]
}

/** A record in a file. */
export interface FileRecord extends WritableRecord {
  readonly cleared: readonly string[]
  /** The alternative text of the image, if that is a file to be uploaded. */
  readonly image_alt?: string
  /** The fields that identify a record without an id, if the kind of file has its own rule. */
  readonly match?: readonly string[]
  /** Whether venues, organizers, categories and tags that the record names are created if they do not exist. */
  readonly makesLinks?: true
  /** Whether a number in place of a name is a name, not an ID: a venue may be called 1898. */
  readonly numbersAreNames?: true
  /** Whether the details that the sheet gives beside the name of a venue are used only if the venue has to be created. */
  readonly describesPlaces?: true
  /** Names with semicolons. Each is read as several names, unless a record has all of it as its name. */
  readonly unsplit?: readonly string[]
  readonly series?: FeedSeries
  /** Whether the record has another slug, or none, in the calendar of `origin`. */
  readonly hasSlugOfFile?: true
  /** Values that only a new record gets. */
  readonly valuesIfNew?: Values
  /** Whether the other records are applied even if this one is invalid. */
  readonly stopsOnlyItself?: true
  /** The record in another language of which this one is a copy. */
  readonly copyOf?: { readonly id: number; readonly lang_code: Language }
  /** Set for texts that come back from a translator. */
  readonly translation?: ReturnedTranslation
  /** The headings of a sheet that differ from the names of fields, by field. */
  readonly headings?: Readonly<Record<string, string>>
  /** The position in the file: `row 5`, `line 3`, `document 2`, `item 4`. */
  readonly place: string
  /** Its number among all records that are read. */
  readonly position?: number
  readonly mistakes: readonly Mistake[]
}

/** What a translator was given: the record from which the texts were translated, and fingerprints of both texts, by field. */
interface ReturnedTranslation {
  readonly of: { readonly id: number; readonly language: Language }
  readonly texts: Readonly<Record<string, { readonly source: string; readonly target: string }>>
}

/** All events in a feed with one UID: a series, or a single event. */
export interface FeedSeries {
  /** The part with which the slugs of its events begin. */
  readonly slug: string
  /** Its title. */
  readonly name: string
  /** The first day that was read, for an endless series; earlier events stay as they are. */
  readonly from?: string
  /** The wall time up to which it was read. */
  readonly until: string
}

/**
 * Whether a field is written, if only some are. Venues and organizers always have their slugs, by which other sites know them. An event
 * always has its password, without which it would be public there.
 */
export const isWrittenField = (name: string, { site }: Field, written: readonly string[] = [name]): boolean =>
  site?.onlyBy === 'patch' || written.includes(name)

/** Receives sentences about what a reader decided or skipped. */
export type Notice = (sentence: string) => void

const item = /\s*("(?:[^"]|"")*"(?=\s*(?:[,;]|$))|[^,;]*)\s*([,;]|$)/y

/**
 * Parses `3, Jazz, "Concerts, recitals"`: digits are an id unless they are quoted, and quoted names can contain commas and semicolons. JSON
 * is parsed as JSON, for records to be created. `A; B` stays one name, because only a site knows whether a record is called so.
 */
export const readReferences = (text: string): Reference[] =>
  parseJsonReferences(text) ?? readItems(text).map(parseReference)

/** The same where digits are names, too. */
export const readNames = (text: string): Reference[] => parseJsonReferences(text) ?? readItems(text).map(unquote)

function readItems(text: string): string[] {
  const items: string[] = []
  let names: string[] = []
  let start = 0
  item.lastIndex = 0
  for (let match = item.exec(text); match; match = item.exec(text)) {
    const [, part = '', end = ''] = match
    if (part.trim() !== '') names.push(part.trim())
    if (end === ';') continue
    const mayBeOne = names.length > 1 && !names.some(isQuoted)
    items.push(...(mayBeOne ? [text.slice(start, item.lastIndex - end.length).trim()] : names))
    names = []
    start = item.lastIndex
    if (end === '') break
  }
  return items
}

/** The texts in a list that are several names each, unless a record is called so: `Jazz; Blues`. */
export const readUnsplit = (text: string): string[] =>
  parseJsonReferences(text) ? [] : readItems(text).filter(one => one.includes(';') && !isQuoted(one))

/** The names in a text from `readUnsplit`. */
export const splitNames = (text: string): string[] => text.split(';').flatMap(name => name.trim() || [])

/** Parses a single reference, in which commas need no quotes. */
export const readReference = (text: string): Reference => parseJsonReferences(text)?.[0] ?? parseReference(text.trim())

function parseReference(text: string): Reference {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  return unquote(text)
}

const isQuoted = (text: string): boolean => /^"(?:[^"]|"")*"$/.test(text)

const unquote = (text: string): string => (isQuoted(text) ? text.slice(1, -1).replaceAll('""', '"') : text)

function parseJsonReferences(text: string): Reference[] | undefined {
  if (!/^\s*(\{|\[\s*[[{\d"])/.test(text)) return undefined
  return ignoreErrors(() => [parseStrictJson(text)].flat() as Reference[])
}

/** The text that `readReferences` parses into these references. */
export function referencesText(references: readonly Reference[]): string {
  if (references.some(reference => typeof reference === 'object')) return JSON.stringify(references)
  return references.map(reference => referenceText(reference, /[,;]/)).join(', ')
}

/** The text of one reference, quoted if it would be parsed as something else or contains a separator. */
export function referenceText(reference: Reference, separator?: RegExp): string {
  if (typeof reference === 'object') return JSON.stringify(reference)
  if (typeof reference === 'number') return String(reference)
  const isPlain =
    reference === reference.trim() && !/^(\d*$|["{[])/.test(reference) && separator?.test(reference) !== true
  return isPlain ? reference : `"${reference.replaceAll('"', '""')}"`
}
