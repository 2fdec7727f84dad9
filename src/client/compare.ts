import type { Field } from '../contract/field.ts'
import { isUnpublished, noDate } from '../contract/posts.ts'
import { type Answer, type Resource, shownFields } from '../contract/resource.ts'
import { shownValue } from '../contract/round-trip.ts'
import { isReadFrom, isShownFree } from '../contract/site-cost.ts'
import { decodeEntities, decodePercent } from '../text/escaping.ts'
import { isObject } from '../text/json.ts'
import { foldText, normalizeText } from '../text/similarity.ts'
import { momentOf, readDate, wallMs } from '../time/dates.ts'
import type { Ref, Values } from './client.ts'
import { isImageCopy } from './image-sources.ts'

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
export function writableValue(field: Field, value: unknown): unknown {
  if (field.kind.name === 'image') return isObject(value) ? (value.id ?? null) : null
  if (field.kind.name !== 'posts' && field.kind.name !== 'terms') return value ?? ''
  const ids = [value]
    .flat()
    .filter(isObject)
    .map(({ id }) => Number(id))
  if (field.multiple === false) return ids[0] ?? null
  return field.kind.name === 'terms' ? ids.toSorted((a, b) => a - b) : ids
}

/** Whether an answer has the value that was sent for a field, allowing for how a site renders it. */
export function wasApplied(name: string, field: Field, sent: unknown, answer: Answer): boolean {
  const value = answer[name]
  if (floats(field, answer)) return true
  const stored = answer.raw?.[name]
  if (stored !== undefined) return isStoredAs(sent, stored)
  if (equal(sent, value)) return true
  if (name === 'slug' && sent === '') return value === '' || !isUnpublished(String(answer.status))
  if (name === 'slug') return normalizeSlug(String(sent)) === normalizeSlug(String(value))
  if (sent === null || sent === '' || (Array.isArray(sent) && sent.length === 0)) return isEmptyIn(name, field, answer)
  if (field.kind.name === 'posts' || field.kind.name === 'terms') return hasLinks(field, sent, value)
  if (field.kind.name === 'image')
    return isObject(value) && (String(value.id) === String(sent) || value.url === sent || isImageCopy(sent, value))
  if (field.kind.name === 'dateTime') return hasDate(name, String(sent), answer)
  if (field.kind.name === 'cost') return sameCost(sent, String(value ?? ''), answer[`${name}_details`])
  return isRenderingOf(String(value ?? ''), String(sent))
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

/** What a site renders in its own way: comments, which mark blocks, vanish, and shortcodes are replaced. */
const comment = /<!--.*?-->/gs
const shortcode = /\[\/?[a-z][\w-]*(?:\s[^\]]*)?\]/gi

/** Whether a text is what a site shows of the text that was sent. */
function isRenderingOf(shown: string, sent: string): boolean {
  const [rendered, ...parts] = [shown, ...sent.replace(comment, '').split(shortcode)].map(normalizeText)
  if (parts.length < 2) return rendered === parts[0]
  return rendered === normalizeText(sent) || parts.every(part => rendered?.includes(part))
}

/** Whether a text was stored as it was sent. Users who may not write all of HTML get their ampersands escaped. */
function isStoredAs(sent: unknown, stored: unknown): boolean {
  const [asked, kept] = [[sent ?? ''].flat().join(' - '), String(stored)].map(text =>
    text.replace(/\r\n?/g, '\n').trim().normalize('NFC'),
  )
  return asked === kept || (kept !== undefined && decodeEntities(asked ?? '') === decodeEntities(kept))
}

/** A slug as services normalize it. From an empty one they make one of the title. */
const normalizeSlug = (text: string): string =>
  decodePercent(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Whether a record has no value for a field. */
export function isEmptyIn(name: string, field: Field, answer: Answer): boolean {
  const value = comparableValue(name, field, answer)
  return (
    value === '' || value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
  )
}

function hasLinks(field: Field, sent: unknown, value: unknown): boolean {
  const records = [value].flat().filter(isObject)
  const links = field.kind.name === 'terms' && typeof sent === 'string' ? sent.split(',') : [sent].flat()
  return records.length === links.length && links.every(link => records.some(record => refersTo(record, link)))
}

/** Whether an ID, a slug, a name or an inline record refers to this record. */
function refersTo(record: Record<string, unknown>, link: unknown): boolean {
  if (isObject(link)) return refersTo(record, link.id === undefined ? (link.venue ?? link.organizer) : link.id)
  const keys = [record.id, record.slug, record.name, record.venue, record.organizer]
  return keys.some(key => key !== undefined && sameText(String(key), String(link)))
}

const sameText = (one: string, other: string) => normalizeText(one).toLowerCase() === normalizeText(other).toLowerCase()

/** An all-day event begins and ends when its days do, whatever times were sent. */
const isEnd = (name: string) => name === 'start_date' || name === 'end_date'

function hasDate(name: string, sent: string, answer: Answer): boolean {
  const date = readDate(sent)
  if (answer.all_day === true && isEnd(name)) return String(answer[name]).startsWith(sent.slice(0, 10))
  if (date?.offset === undefined) return equal(date?.wall ?? sent, answer[name])
  const utc = answer[`utc_${name}`] ?? answer[`${name}_utc`]
  return momentOf(date) === wallMs(String(utc))
}

/**
 * `20 €`, `20€` and `$20`, which production makes of `20`, are the same cost: the same numbers, or the same words. 0 is the same as
 * the word that a site shows instead.
 */
function sameCost(sent: unknown, value: string, details: unknown): boolean {
  const text = [sent].flat().join(' - ')
  const [sentNumbers, numbers] = [numbersIn(text), numbersIn(value)]
  if (sentNumbers.length === 0) return sameText(text, value)
  if (equal(sentNumbers, numbers) || isReadFrom(text, details)) return !hasOtherCurrency(text, details)
  if (equal([0], sentNumbers)) return isShownFree(value, details)
  return sentNumbers[0] === 0 && numbers.length === 1 && equal(sentNumbers.slice(1), numbers)
}

/** Whether both a cost and the one that a site stores name a currency, and not the same one. */
function hasOtherCurrency(text: string, details: unknown): boolean {
  const stored = isObject(details) ? String(details.currency_symbol ?? '') : ''
  const own = /\p{Sc}|\b[A-Z]{3}\b/u.exec(text)?.[0] ?? ''
  return stored !== '' && own !== '' && !sameText(stored, own)
}

const numbersIn = (cost: string): number[] =>
  [...normalizeText(cost).matchAll(/\d+(?:[.,]\d+)?/g)].map(([number]) => Number(number.replace(',', '.')))

/** Equality of plain data; object keys in any order. */
export function equal(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => equal(value, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => equal(one[key], other[key]))
}
