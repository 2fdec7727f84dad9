import strtotime from 'locutus/php/datetime/strtotime.js'
import { isObject } from '../../base/text/json.ts'
import { readDate, wallInRange, wallMs } from '../../base/time/dates.ts'
import { wallAt } from '../../base/time/zone.ts'
import { resourceNamed } from '../../contract/contract.ts'
import { events } from '../../contract/events.ts'
import type { Field, ResourceName, ValueShape } from '../../contract/field.ts'
import { type Filter, isFilter } from '../../contract/filter.ts'
import { isClean } from '../../contract/kinds/kind-values.ts'
import { organizers } from '../../contract/organizers.ts'
import { wordpressStatuses } from '../../contract/post-status.ts'
import { creationFields } from '../../contract/resource.ts'
import { categories, tags } from '../../contract/terms.ts'
import { venues } from '../../contract/venues.ts'
import { mayWritePosts } from '../access.ts'
import type { Check, RequestProblem, Scope, Verdict } from '../dialect.ts'
import { check as checkDocumented, idOrText, isRecord } from '../documented/check.ts'
import { wrongType } from '../request/check-parameters.ts'
import { isTrueParameter } from './list.ts'

/** Production's sentence for most wrong parameters. */
export const invalidParameter: RequestProblem = { problem: 'Invalid parameter.' }

/** Production's sentence for the parameter of another plugin. */
const noTickets: RequestProblem = {
  problem: 'Event Tickets plugin is not activated.',
  detail: { code: 'event-tickets-not-active', data: { status: 400 } },
}

const invalid: Verdict = invalidParameter

/** WordPress finds a wrong type after the plugin has checked the values. */
const ofWrongType = (name: string, type: string): Verdict => ({ ...wrongType(name, type), isLate: true })

/** The parameter is ignored, as if it had not been sent. */
const ignored: Verdict = { value: undefined }

/** Texts that must not be empty; `0` counts as empty in PHP. */
const nonEmptyTexts = new Set<Field>([
  events.fields.title,
  events.fields.slug,
  events.fields.description,
  events.fields.excerpt,
  events.fields.password,
  venues.fields.venue,
  organizers.fields.organizer,
  categories.fields.name,
  categories.fields.description,
  tags.fields.name,
  tags.fields.description,
])

type KindCheck = (value: unknown, scope: Scope, field: Field, name: string) => Verdict

const text: KindCheck = (value, _scope, field, name) => {
  if (value === null) return ofWrongType(name, 'string')
  if (typeof value === 'string' && !isClean(value)) return invalid
  if (nonEmptyTexts.has(field)) return typeof value === 'string' && value !== '' && value !== '0' ? { value } : invalid
  return typeof value === 'string' ? { value } : ofWrongType(name, 'string')
}

const boolean: KindCheck = (value, scope, field, name) => {
  const type = field.asText ? 'string' : 'boolean'
  if (field.asText && typeof value !== 'string') return ofWrongType(name, type)
  const checked = checkDocumented(scope, field, value, name)
  if ('value' in checked && value !== null) return checked
  return field.asText ? { value: false } : ofWrongType(name, type)
}

/** Including the statuses that WordPress assigns itself. */
const status = (value: unknown): Verdict => {
  if (value === null) return ofWrongType('status', 'string')
  return wordpressStatuses.some(known => known === value) ? { value } : invalid
}

const date: KindCheck = (value, scope, _field, name) => {
  if (typeof value === 'number' || value === null) return ofWrongType(name, 'string')
  const wall = typeof value === 'string' ? readPhpDate(value, siteNow(scope)) : undefined
  return wall === undefined ? invalid : { value: wall }
}

/** A text in a certain form. WordPress does not check e-mail addresses, and ignores null instead of an address. */
const word: KindCheck = (value, scope, field, name) => {
  const { kind } = field
  if (!kind.isStoredBySite) return checkDocumented(scope, field, value, name)
  if (kind.isStoredBySite('')) return text(value, scope, field, name)
  if (value === null) return kind.isFilledIn ? ofWrongType(name, 'string') : ignored
  const isKnown = typeof value === 'string' && (value === '' || kind.isStoredBySite(value))
  return isKnown ? { value } : invalid
}

/** The ID of an uploaded image, or a URL, as text. */
const image: KindCheck = (value, scope, _field, name) => {
  if (typeof value !== 'string') return ofWrongType(name, 'string')
  const id = Number(value)
  if (/^\d+$/.test(value)) return isImage(scope, id) ? { value: id } : invalid
  return /^https?:\/\/[!-~]+$/i.test(value) ? { value } : invalid
}

/** Whether an image has this ID. An image that a record of the file names exists, too, although its URL is unknown. */
function isImage({ store }: Scope, id: number): boolean {
  if (store.table('images').get(id)) return true
  for (const name of ['events', 'venues', 'organizers'] as const)
    for (const { image } of store.table(name).values()) if (image === id) return true
  return false
}

const cost: KindCheck = value => {
  if (value === null || value === false) return ignored
  const parts = typeof value === 'object' ? Object.values(value) : [value === true ? 1 : value]
  // A cost has amounts, but they are empty.
  if (parts.some(part => typeof part === 'object' && part !== null)) return invalid
  const text = parts.join(' - ')
  return isClean(text) ? { value: text } : invalid
}

const integer: KindCheck = (value, scope, field, name) => {
  if (value === null) return field === categories.fields.parent ? ofWrongType(name, 'integer') : ignored
  const checked = checkDocumented(scope, field, value, name)
  return 'value' in checked ? checked : invalid
}

/** Shapes that the plugin checks in another way than documented. */
const shapeChecks: Partial<Record<ValueShape, KindCheck>> = {
  prose: text,
  word,
  flag: boolean,
  moment: date,
  picture: image,
  amount: cost,
  number: integer,
  links: (value, scope, field) =>
    field.kind.isTerms ? checkLinkedTerms(value) : checkLinkedPlaces(value, scope, field, check),
}

/** The Events Calendar is strict about the types of JSON and lenient about values. */
export const check: Check = (scope, field, value, name) => {
  if (isFilter(field) || name === 'page' || name === 'per_page') return checkFilter(scope, field, value, name)
  if (name === 'lang_code') return checkDocumented(scope, field, value, name)
  if (name === 'status') return status(value)
  if (field.site?.apart) return ignored
  return shapeChecks[field.kind.shape]?.(value, scope, field, name) ?? checkDocumented(scope, field, value, name)
}

function checkFilter(scope: Scope, field: Field | Filter, value: unknown, name: string): Verdict {
  switch (name) {
    case 'strict_dates':
      return value === '' ? invalid : { value: isTrueParameter(value) }
    case 'ticketed':
      return noTickets
    case 'order':
      return { value: String(value).toLowerCase() === 'asc' ? 'asc' : 'desc' }
    case 'orderby':
      return { value: field.choices?.includes(String(value)) ? value : 'name' }
    case 'geoloc':
      return ignoreValue(checkOtherFilter(scope, field, value, name))
    case 'tags':
      return firstOf(checkOtherFilter(scope, field, value, name))
    case 'geoloc_lat':
    case 'geoloc_lng':
      return { value: undefined }
    case 'status':
      return checkStatusFilter(scope, field, value, name)
    default:
      return field.kind.shape === 'moment' ? checkDateFilter(scope, value) : checkOtherFilter(scope, field, value, name)
  }
}

/** Searching by place needs an extension. */
const ignoreValue = (verdict: Verdict): Verdict => ('value' in verdict ? { value: undefined } : verdict)

/** If there are several tags, only the first counts. */
const firstOf = (verdict: Verdict): Verdict =>
  'value' in verdict ? { value: [verdict.value].flat().slice(0, 1) } : verdict

/** The public may ask only for published records. */
function checkStatusFilter(scope: Scope, field: Field, value: unknown, name: string): Verdict {
  const checked = checkDocumented(scope, field, value, name)
  const isAllowed = 'value' in checked && (mayWritePosts(scope) || [checked.value].flat().every(is => is === 'publish'))
  return isAllowed ? checked : invalid
}

/** Dates with an offset keep it; with `strict_dates` it counts. */
function checkDateFilter(scope: Scope, value: unknown): Verdict {
  if (typeof value !== 'string') return invalid
  if (readDate(value)) return { value }
  const wall = readPhpDate(value, siteNow(scope))
  return wall === undefined ? invalid : { value: wall }
}

function checkOtherFilter(scope: Scope, field: Field, value: unknown, name: string): Verdict {
  const checked = checkDocumented(scope, field, value, name)
  if ('value' in checked) return checked
  return field.kind.shape === 'flag' && name !== 'has_events' && name !== 'only_with_upcoming'
    ? ofWrongType(name, 'boolean')
    : invalid
}

/**
 * Reads a date as PHP does, relative to a wall time `YYYY-MM-DD HH:MM:SS`, and returns one; undefined if PHP cannot read it.
 * Digits are seconds since 1970, impossible days roll over, and offsets are dropped: the wall time is kept.
 */
function readPhpDate(text: string, now: string): string | undefined {
  const phrase = text.trim()
  if (phrase === '' || phrase.length > longestPhrase) return undefined
  if (/^-?\d+$/.test(phrase)) return wallInRange(Number(phrase) * 1000)
  const date = readDate(phrase)
  if (date) return date.wall
  const seconds = inUtc(() => strtotime(phrase.replace(offset, ''), wallMs(now) / 1000))
  return seconds === false ? undefined : wallInRange(seconds * 1000)
}

/** Longer texts are not dates, and would take long to reject. */
const longestPhrase = 100

/** The wall time of the site, `YYYY-MM-DD HH:MM:SS`. */
const siteNow = ({ now, store }: Pick<Scope, 'now' | 'store'>): string => wallAt(now.getTime(), store.site.timezone)

const offset = /(?<=\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(?:Z|UTC|GMT)?(?:[+-]\d{1,2}:?\d{2})?$/i

/**
 * The library calculates in the time zone of the process, where wall times can be missing (DST) or off by seconds (before 1900).
 * In UTC every wall time exists. Nothing else runs while the zone is changed, because the work is synchronous.
 */
function inUtc<T>(work: () => T): T {
  const { TZ: zone } = process.env
  process.env.TZ = 'UTC'
  try {
    return work()
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
}

/** A link that passes the check but fails later: a list of venues, an organizer outside of a list. */
const unusable = Symbol('unusable')

const trim = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

/** IDs, names and slugs of terms: in a list, in an object's values, or separated by commas. Null is ignored. */
function checkLinkedTerms(value: unknown): Verdict {
  if (value === null) return { value: undefined }
  const terms = isObject(value) ? Object.values(value) : partsOf(value)
  if (terms.some(term => typeof term === 'string' && !isClean(term))) return invalid
  return { value: terms.map(termOf).filter(term => term !== '') }
}

/** PHP converts values to text: false and null to an empty one, true to `1`; objects fail. */
function termOf(term: unknown): unknown {
  if (term === null || term === false) return ''
  if (term === true) return 1
  if (typeof term === 'object') return unusable
  return idOrText(trim(term))
}

/** Linked venues or organizers; an empty value means none. */
function checkLinkedPlaces(value: unknown, scope: Scope, field: Field, check: Check): Verdict {
  if (isNothing(value)) return { value: [] }
  return field.of === 'venues' ? checkVenue(value, scope, field, check) : checkOrganizers(value, scope, field, check)
}

const isNothing = (value: unknown): boolean =>
  value === '' || value === '0' || !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** One venue. A list of valid ones passes, too, but fails when the event is written. */
function checkVenue(value: unknown, scope: Scope, field: Field, check: Check): Verdict {
  if (Array.isArray(value) || isCsv(value)) {
    const all = partsOf(value).map(part => checkPlace(part, scope, field, check))
    return all.find(verdict => 'problem' in verdict) ?? { value: [unusable] }
  }
  const verdict = checkPlace(value, scope, field, check)
  return 'value' in verdict ? { value: [verdict.value] } : verdict
}

/** A list of organizers. A single new one passes, too, and so do IDs with commas; both fail when the event is written. */
function checkOrganizers(value: unknown, scope: Scope, field: Field, check: Check): Verdict {
  const all = partsOf(value).map(part => checkPlace(part, scope, field, check))
  const problem = all.find(verdict => 'problem' in verdict)
  if (problem) return problem
  if (isCsv(value) || (isObject(value) && !('id' in value))) return { value: [unusable] }
  return { value: all.map(verdict => 'value' in verdict && verdict.value) }
}

const isCsv = (value: unknown): boolean => typeof value === 'string' && value.includes(',')

const partsOf = (value: unknown): unknown[] => (typeof value === 'string' ? value.split(',') : [value].flat())

/** An ID that exists, or the fields of a new record. */
function checkPlace(value: unknown, scope: Scope, { of }: Field, check: Check): Verdict {
  if (!of) return invalid
  const id = isObject(value) ? idOrText(value.id) : idOrText(trim(value))
  if (id !== undefined) return isRecord(scope, of, id) ? { value: id } : invalid
  return isObject(value) ? checkNewPlace(value, scope, of, check) : invalid
}

/** Within an event, booleans of a venue may be booleans; its own routes require texts. */
function checkNewPlace(value: Record<string, unknown>, scope: Scope, of: ResourceName, check: Check): Verdict {
  const resource = resourceNamed(of)
  if (resource.required.some(name => !(name in value))) return invalid
  const sent = creationFields(resource).filter(([name]) => name in value)
  const verdicts = sent.map(([name, field]) => {
    const asWritten = field.asText && typeof value[name] === 'boolean' ? String(value[name]) : value[name]
    return { name, ...check(scope, field, asWritten, name) }
  })
  if (verdicts.some(verdict => 'problem' in verdict)) return invalid
  return {
    value: Object.fromEntries(verdicts.map(({ name, ...verdict }) => [name, 'value' in verdict && verdict.value])),
  }
}
