import type { Field } from '../contract/field.ts'
import { asksForNone, equal, isNone } from '../contract/kinds/kind-values.ts'
import { isStoredAs, normalizeSlug } from '../contract/kinds/text-kinds.ts'
import { noDate } from '../contract/post-status.ts'
import { type Answer, type Resource, shownFields } from '../contract/resource.ts'
import { shownValue } from '../contract/round-trip.ts'
import { decodeEntities } from '../text/escaping.ts'
import { foldText } from '../text/similarity.ts'
import { readDate } from '../time/dates.ts'
import type { Ref, Values } from './client.ts'

/** A field before and after an update. */
export interface Difference {
  readonly before: unknown
  readonly after: unknown
  /** The requested value, if it was not applied. */
  readonly asked?: unknown
}

export type Differences = Readonly<Record<string, Difference>>

/** The writable fields in which two answers about one record differ. Links are compared by ID, other values as they are. */
export function differences(resource: Resource, before: Answer, after: Answer): Differences {
  const changed = shownFields(resource)
    .filter(([, field]) => !floats(field, before) && !floats(field, after))
    .map(([name, field]): [string, Difference] => {
      const [one, other] = comparableValues(name, field, before, after)
      return [name, { before: one, after: other }]
    })
    .filter(([, pair]) => !equal(pair.before, pair.after))
  return Object.fromEntries(changed)
}

/** Whether a date is that of the last save, whatever was sent: that of a record which was never published. */
const floats = (field: Field, answer: Answer): boolean => field.floats === true && answer.date_utc === noDate

/** The values of a field in two answers: as they are stored if both show that, otherwise as both show them rendered. */
export function comparableValues(name: string, field: Field, one: Answer, other: Answer): [unknown, unknown] {
  const stored = one.raw?.[name] !== undefined && other.raw?.[name] !== undefined
  const valueIn = stored ? comparableValue : renderedValue
  const values: [unknown, unknown] = [valueIn(name, field, one), valueIn(name, field, other)]
  const isSamePage = stored || !equal(withoutPageNumbers(values[0]), withoutPageNumbers(values[1]))
  return isSamePage ? values : [values[0], values[0]]
}

/**
 * A rendered text without the numbers in the names of its elements: WordPress counts galleries and blocks through a page, so that a
 * record in a list has other ones than alone.
 */
export const withoutPageNumbers = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('<')
    ? value.replace(elementName, name => name.replace(/\d+/g, ''))
    : value

const elementName = /\s(?:(?:id|class|for|aria-[a-z]+)=(?:'[\w\s:-]*'|"[\w\s:-]*")|href=(?:'#[\w:-]*'|"#[\w:-]*"))/g

/** The value of a field in the form in which it is written: as it is stored, if the answer shows that. */
export const comparableValue = (name: string, field: Field, answer: Answer): unknown =>
  answer.raw?.[name] ?? renderedValue(name, field, answer)

/** The value of a field as it is shown, without what a site shows instead of an empty one. */
export const renderedValue = (name: string, field: Field, answer: Answer): unknown =>
  writableValue(field, shownValue(name, field, answer))

/** An answered value in the form in which it is written: embedded records as their IDs, those of terms sorted. */
export const writableValue = (field: Field, value: unknown): unknown => field.kind.canonical(value, field)

/** Whether an answer has the value that was sent for a field, allowing for how a site renders it. */
export function wasApplied(name: string, field: Field, sent: unknown, answer: Answer): boolean {
  if (floats(field, answer)) return true
  const stored = answer.raw?.[name]
  if (stored !== undefined) return isStoredAs(sent, stored)
  if (equal(sent, answer[name])) return true
  if (asksForNone(sent) && !field.kind.isMadeIfNone) return isEmptyIn(name, field, answer)
  return field.kind.isShown(sent, { name, field, answer })
}

/** Whether a record has the name and, for an event, the start that were sent, allowing for how a site stores and renders them. */
export function isSimilar(resource: Resource, values: Values, record: Answer): boolean {
  if (!hasName(resource, values, record)) return false
  if (resource.name === 'categories') return Number(values.parent ?? 0) === Number(record.parent ?? 0)
  const { start_date: start } = resource.fields
  const requested = readDate(String(values.start_date))?.wall
  if (!start || requested === undefined) return true
  const recorded = String(record.start_date)
  if (record.all_day) return requested.slice(0, 10) === recorded.slice(0, 10)
  return requested === recorded || wasApplied('start_date', start, values.start_date, record)
}

export const hasName = ({ title }: Resource, values: Values, record: Answer): boolean =>
  letters(values[title]) === letters(record[title])

/**
 * What sites leave of a name in any form: they strip tags, encode characters, render signs, as `(tm)` and `1/2`, and take `%ca` in
 * the name of a term for a percent-encoded character and remove it.
 */
const letters = (name: unknown): string =>
  foldText(decodeEntities(String(name)).replace(tags, '').normalize('NFKC'))
    .replace(/%[\da-f]{2}/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')

const tags = /<(script|style)\b[^>]*>.*?<\/\1>|<\/?[a-z][^>]*>/gis

/** Whether a record is the one that was asked for. In the trash WordPress appends `__trashed` to slugs. */
export function isReferredTo(ref: Ref, record: Answer): boolean {
  if ('id' in ref) return record.id === ref.id
  const slug = String(record.slug ?? ref.slug)
  return [slug, slug.replace(/__trashed$/, '')].some(one => normalizeSlug(one) === normalizeSlug(ref.slug))
}

/** Whether a record has no value for a field. */
export function isEmptyIn(name: string, field: Field, answer: Answer): boolean {
  return isNone(comparableValue(name, field, answer))
}
