import { categories } from '../../contract/categories.ts'
import { events } from '../../contract/events.ts'
import type { Field, Kind } from '../../contract/field.ts'
import { organizers } from '../../contract/organizers.ts'
import { isClean } from '../../contract/schema.ts'
import { tags } from '../../contract/tags.ts'
import { venues } from '../../contract/venues.ts'
import { isOffset, isZone } from '../../time/zone-name.ts'
import { check as checkDocumented } from '../check.ts'
import type { Check, Scope, Verdict } from '../manner.ts'
import { readPhpDate, siteNow } from './dates.ts'
import { acceptsFilter } from './filters.ts'
import { acceptsPlaces, acceptsTerms } from './link-values.ts'
import { invalidParameter } from './refusals.ts'
import { isPhpUrl, wordpressStatuses } from './stored.ts'

const invalid: Verdict = { problem: invalidParameter }

const wrongType = (name: string, type: string): Verdict => ({ problem: `${name} is not of type ${type}.` })

/** What is not to be taken into account, as if it had not been given. */
const absent: Verdict = { value: undefined }

/** Texts that may not be empty; `0` counts as empty in PHP. */
const filled = new Set<Field>([
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

type Accept = (value: unknown, scope: Scope, field: Field, name: string) => Verdict

const text: Accept = (value, _scope, field, name) => {
  if (value === null) return wrongType(name, 'string')
  if (typeof value === 'string' && !isClean(value)) return invalid
  if (filled.has(field)) return typeof value === 'string' && value !== '' && value !== '0' ? { value } : invalid
  return typeof value === 'string' ? { value } : wrongType(name, 'string')
}

const boolean: Accept = (value, scope, field, name) => {
  const type = field.asText ? 'string' : 'boolean'
  if (field.asText && typeof value !== 'string') return wrongType(name, type)
  const checked = checkDocumented(scope, field, value, name)
  return 'value' in checked && value !== null ? checked : field.asText ? { value: false } : wrongType(name, type)
}

/** Also the states that WordPress gives to posts by itself. */
const status: Accept = (value, _scope, _field, name) => {
  if (value === null) return wrongType(name, 'string')
  return wordpressStatuses.some(known => known === value) ? { value } : invalid
}

const date: Accept = (value, scope, _field, name) => {
  if (typeof value === 'number' || value === null) return wrongType(name, 'string')
  const wall = typeof value === 'string' ? readPhpDate(value, siteNow(scope)) : undefined
  return wall === undefined ? invalid : { value: wall }
}

const timeZone: Accept = (value, _scope, _field, name) => {
  if (value === null) return wrongType(name, 'string')
  const isKnown = typeof value === 'string' && (value === '' || isZone(value) || isOffset(value))
  return isKnown ? { value } : invalid
}

const url: Accept = value => {
  if (value === null) return absent
  return typeof value === 'string' && (value === '' || isPhpUrl(value)) ? { value } : invalid
}

/** An id, or a URL; as text. Nothing can be uploaded here, so any id will do. */
const image: Accept = (value, _scope, _field, name) => {
  if (typeof value !== 'string') return wrongType(name, 'string')
  const id = Number(value)
  if (/^\d+$/.test(value)) return Number.isSafeInteger(id) && id > 0 ? { value: id } : invalid
  return /^https?:\/\/[!-~]+$/i.test(value) ? { value } : invalid
}

const cost: Accept = value => {
  if (value === null || value === false) return absent
  const parts = typeof value === 'object' ? Object.values(value) : [value === true ? 1 : value]
  const text = parts.join(' - ')
  return isClean(text) ? { value: text } : invalid
}

const integer: Accept = (value, scope, field, name) => {
  if (value === null) return absent
  const checked = checkDocumented(scope, field, value, name)
  return 'value' in checked ? checked : invalid
}

const accept: Partial<Record<Kind, Accept>> = {
  text,
  email: text,
  boolean,
  choice: status,
  dateTime: date,
  timeZone,
  url,
  image,
  cost,
  integer,
  terms: value => acceptsTerms(value),
  posts: (value, scope, field) => acceptsPlaces(value, scope, field, accepts),
}

/** The parameters that The Events Calendar takes: strict about the types of JSON, lenient about what is meant. */
export const accepts: Check = (scope, field, value, name) => {
  if ('compare' in field || name === 'page' || name === 'per_page') return acceptsFilter(scope, field, value, name)
  if (name === 'lang_code') return checkDocumented(scope, field, value, name)
  return accept[field.kind]?.(value, scope, field, name) ?? checkDocumented(scope, field, value, name)
}
