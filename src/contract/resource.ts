import { lookupTable } from '../base/memoize.ts'
import { decodeEntities, sanitizeLine } from '../base/text/escaping.ts'
import { readDate } from '../base/time/dates.ts'
import type { Field, Fields, ResourceName } from './field.ts'
import type { Filters } from './filter.ts'
import type { Language, Words } from './languages.ts'

/** Only posts can be restored, and only events can be moved, published, and so on. */
export type VerbName =
  | 'list'
  | 'get'
  | 'create'
  | 'update'
  | 'merge'
  | 'delete'
  | 'restore'
  | 'history'
  | 'cancel'
  | 'uncancel'
  | 'postpone'
  | 'unpostpone'
  | 'publish'
  | 'unpublish'
  | 'move'
  | 'duplicate'
  | 'series'

/** One of the five kinds of record, as pure data. */
export interface Resource {
  readonly name: ResourceName
  readonly singular: string
  readonly words: Words
  /** How a record can be addressed. */
  readonly keys: readonly ('id' | 'slug')[]
  /** Its route in WordPress's own API, below `wp/v2`. */
  readonly wordpress: string
  /** The field with the title or name. */
  readonly title: string
  readonly fields: Fields
  readonly required: readonly string[]
  readonly filters: Filters
  /** The columns of a table, as paths into a record. */
  readonly columns: readonly string[]
  /** Whether a delete can be undone: posts go to the trash, terms are deleted for good. */
  readonly trashable: boolean
}

/** The keys in answers that do not follow from fields. */
type Answered = 'id' | 'lang_code' | 'status' | 'slug' | 'url' | 'count'

interface Definition<F extends Fields> extends Omit<Resource, 'fields' | 'required' | 'filters' | 'columns' | 'title'> {
  readonly title: keyof F & string
  readonly fields: F
  readonly required: readonly (keyof F & string)[]
  readonly filters: Filters<(keyof F & string) | Answered>
  readonly columns: readonly ((keyof F & string) | Answered)[]
}

/** Checks at compile time that columns, required fields and filter targets exist. */
export const defineResource = <const F extends Fields>(definition: Definition<F>): Definition<F> => ({
  ...definition,
  fields: lookupTable(definition.fields),
  filters: lookupTable(definition.filters),
})

/** The fields that a write takes: all except passwords that unlock a record. */
export const writableFields = (resource: Resource): [string, Field][] =>
  Object.entries(resource.fields).filter(([, field]) => !field.queryOnly)

/** The fields that answers show. */
export const shownFields = (resource: Resource): [string, Field][] =>
  writableFields(resource).filter(([, field]) => !field.secret)

/** The fields with a text of their own in each language. */
export const textFields = (resource: Resource): [string, Field][] =>
  writableFields(resource).filter(([, field]) => field.acrossLanguages === 'text')

/** The fields that all translations of a record share. */
export const factFields = (resource: Resource): [string, Field][] =>
  writableFields(resource).filter(([, field]) => field.acrossLanguages === undefined)

/** The fields that a site's events API does not show. */
export const apartFields = ({ fields }: Resource): string[] =>
  Object.keys(fields).filter(name => fields[name]?.site?.apart)

/** The fields that the events API accepts in a request. */
export const requestFields = ({ fields }: Resource): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => field.site?.onlyBy !== 'patch')

/** The fields that the events API accepts for a new record. */
export const creationFields = (resource: Resource): [string, Field][] =>
  requestFields(resource).filter(([, field]) => !field.queryOnly)

/** A field with those that a service may change along with it. */
export const withAffectedFields = ({ fields }: Resource, name: string): string[] => [
  name,
  ...(fields[name]?.affects ?? []),
]

/** The filter that includes terms without events. */
export const emptyToo = ({ trashable }: Resource) => (trashable ? {} : { hide_empty: false })

/** Unique across resources. */
export const recordKey = (resource: ResourceName, id: number): string => `${resource} ${id}`

export interface Answer {
  id: number
  lang_code?: Language
  /** Stored texts and costs by field, if the site shows them; the record itself has the rendered ones. */
  raw?: Readonly<Record<string, unknown>>
  [key: string]: unknown
}

/** The title or name of a record as people read it; empty if it has none. */
export const titleOf = ({ title }: Resource, record: Readonly<Record<string, unknown>> = {}): string =>
  decodeEntities(String(record[title] ?? ''))

const longestText = 60

/** A text of a record within a sentence: quoted, on one line, shortened. */
export function quoted(text: string, longest = longestText): string {
  const line = sanitizeLine(decodeEntities(text)).trim()
  return JSON.stringify(line.length > longest ? `${line.slice(0, longest - 1)}…` : line)
}

/** Whether a date is a day without an hour. */
export const isDayAlone = (date: unknown): boolean => readDate(String(date))?.dayOnly === true

/** The required fields that a new record lacks. The end of an event may follow from its duration, from `all_day`, or from a start without an hour. */
export const missingFields = (
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
  duration?: number,
): string[] =>
  resource.required.filter(
    name =>
      values[name] === undefined &&
      !(name === 'end_date' && (duration !== undefined || values.all_day === true || isDayAlone(values.start_date))),
  )
