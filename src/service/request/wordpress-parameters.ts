/** How WordPress's own API reads its parameters: as its schemas say, and what the calendar can store of that. */

import { isObject } from '../../base/text/json.ts'
import { readDate } from '../../base/time/dates.ts'
import { isClean } from '../../contract/kinds/kind-values.ts'
import { wordpressStatuses } from '../../contract/post-status.ts'
import type { Reader, Readers, RequestProblem } from '../dialect.ts'
import { wrongType } from './check-parameters.ts'

/** What WordPress would store, and our calendar could not read again. */
export const unreadable = (name: string, expected: string): RequestProblem =>
  problem('rest_invalid_pattern', `${name} is not ${expected}.`)

const problem = (code: string, text: string): RequestProblem => ({ problem: text, detail: { code, data: null } })

export const string: Reader = (value, name) => {
  if (typeof value !== 'string') return wrongType(name, 'string')
  return isClean(value) ? { value } : unreadable(name, 'a text without control characters')
}

/** A text as it is, or as `raw` of an object; anything else counts as not sent. */
const rawText: Reader = (value, name) => {
  const text = isObject(value) ? value.raw || undefined : value
  return typeof text === 'string' ? string(text, name) : { value: undefined }
}

export const integerParameter: Reader = (value, name) => {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  return isNumeric && Number.isSafeInteger(Number(value)) ? { value: Number(value) } : wrongType(name, 'integer')
}

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
])

export const booleanParameter: Reader = (value, name) => {
  const truth = truths.get(typeof value === 'string' ? value.toLowerCase() : value)
  return truth === undefined ? wrongType(name, 'boolean') : { value: truth }
}

/** A list, or what commas and spaces separate. */
export const listParameter =
  (read: Reader): Reader =>
  (value, name) => {
    if (isObject(value) || value === null) return wrongType(name, 'array')
    const parts = Array.isArray(value) ? value : String(value).split(/[\s,]+/)
    const verdicts = parts.filter(part => part !== '').map((part, index) => read(part, `${name}[${index}]`))
    return (
      verdicts.find(verdict => 'problem' in verdict) ?? {
        value: verdicts.map(verdict => 'value' in verdict && verdict.value),
      }
    )
  }

const oneOfParameter =
  (...choices: readonly string[]): Reader =>
  (value, name) => {
    if (choices.some(choice => choice === value)) return { value }
    const [last, ...others] = choices.toReversed()
    return problem('rest_not_in_enum', `${name} is not one of ${others.toReversed().join(', ')}, and ${last}.`)
  }

const between =
  (least: number, most: number): Reader =>
  (value, name) => {
    const verdict = integerParameter(value, name)
    if ('problem' in verdict || (Number(verdict.value) >= least && Number(verdict.value) <= most)) return verdict
    const message =
      most === Number.POSITIVE_INFINITY
        ? `${name} must be greater than or equal to ${least}`
        : `${name} must be between ${least} (inclusive) and ${most} (inclusive)`
    return problem('rest_out_of_bounds', message)
  }

/** A date with a time, in the form of RFC 3339; null clears it. */
const momentParameter: Reader = (value, name) => {
  if (value === null) return { value }
  if (typeof value !== 'string') return wrongType(name, 'string,null')
  const date = rfc3339.test(value) ? readDate(value) : undefined
  return date ? { value: date } : problem('rest_invalid_date', 'Invalid date.')
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)?$/

/** The parameters that all lists have. */
const listReaders = {
  context: oneOfParameter('view', 'embed', 'edit'),
  page: between(1, Number.POSITIVE_INFINITY),
  per_page: between(1, 100),
  include: listParameter(integerParameter),
  exclude: listParameter(integerParameter),
  slug: listParameter(string),
  order: oneOfParameter('asc', 'desc'),
  search: string,
}

export const postListReaders: Readers = {
  ...listReaders,
  status: listParameter(oneOfParameter(...wordpressStatuses, 'any')),
  orderby: oneOfParameter(
    'author',
    'date',
    'id',
    'include',
    'modified',
    'parent',
    'relevance',
    'slug',
    'include_slugs',
    'title',
  ),
  offset: between(0, Number.POSITIVE_INFINITY),
  author: listParameter(integerParameter),
  tags: listParameter(integerParameter),
  tribe_events_cat: listParameter(integerParameter),
}

export const termListReaders: Readers = {
  ...listReaders,
  orderby: oneOfParameter('id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'),
  hide_empty: booleanParameter,
}

export const imageListReaders: Readers = { ...listReaders, orderby: oneOfParameter('date', 'id') }

/** The statuses that a patch can give; `trash` is none of them. */
const patchStatuses = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'in-progress',
  'failed',
  'tribe-ea-success',
  'tribe-ea-failed',
  'tribe-ea-schedule',
  'tribe-ea-pending',
  'tribe-ea-draft',
  'tribe-ignored',
] as const

/** What a patch of a post sets; `meta` is checked when it is stored. */
export const postReaders: Readers = {
  date: momentParameter,
  date_gmt: momentParameter,
  slug: string,
  status: oneOfParameter(...patchStatuses),
  password: string,
  title: rawText,
  content: rawText,
  excerpt: rawText,
  author: integerParameter,
  featured_media: integerParameter,
  tribe_events_cat: listParameter(integerParameter),
  tags: listParameter(integerParameter),
  meta: value => ({ value }),
}

export const termReaders: Readers = { name: string, description: string, slug: string, parent: integerParameter }

export const imageReaders: Readers = { title: rawText, caption: rawText, alt_text: string }

export const removalReaders: Readers = { force: booleanParameter }
