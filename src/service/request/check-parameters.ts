/**
 * Checking the parameters of a request. Input: those that were sent, and the endpoint that says which it has. Output: their values, or one
 * refusal for all wrong ones. A dialect checks the fields of the contract; WordPress's own API has readers for its parameters, which check
 * what its schemas say, and what the calendar can store.
 */
import { isObject } from '../../base/text/json.ts'
import { readDate } from '../../base/time/dates.ts'
import type { Field } from '../../contract/field.ts'
import { isFilter } from '../../contract/filter.ts'
import { isClean } from '../../contract/kinds/kind-values.ts'
import { wordpressStatuses } from '../../contract/post-status.ts'
import type { Context, ParameterValues, Problems, Reader, Readers, RequestProblem, Scope, Verdict } from '../dialect.ts'
import type { Endpoint } from '../endpoints.ts'
import { Refusal } from '../refusal.ts'

type Checking = Scope & Pick<Context, 'parameters' | 'dialect'>

/**
 * Checks the sent parameters of an endpoint. Refuses all that are missing, or else all that are wrong, after the problems with the route.
 */
export function checkParameters(endpoint: Endpoint, context: Checking, routeProblems: Problems = {}): ParameterValues {
  const { args, readers = {}, required } = endpoint
  const { parameters, dialect } = context
  const missing = required.filter(name => !Object.hasOwn(parameters, name) || parameters[name] === null)
  if (missing.length > 0)
    throw new Refusal(400, 'rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, {
      params: missing,
    })
  const values: Record<string, unknown> = {}
  const problems: Record<string, RequestProblem> = { ...routeProblems }
  const take = (name: string, verdict: Verdict) => {
    if ('problem' in verdict) problems[name] = verdict
    else values[name] = verdict.value
  }
  for (const [name, field] of sentOf(args, parameters)) take(name, checkField(context, field, name))
  for (const [name, read] of sentOf(readers, parameters)) take(name, read(parameters[name], name))
  if (Object.keys(problems).length > 0) throw dialect.invalid(problems)
  return values
}

/** The known parameters that were sent: usually few, so that pairs are made only from these. */
const sentOf = <T>(known: Readonly<Record<string, T>>, parameters: ParameterValues): [string, T][] =>
  Object.keys(known)
    .filter(name => Object.hasOwn(parameters, name))
    .map(name => [name, known[name] as T])

function checkField(context: Checking, field: Field, name: string): Verdict {
  const value = context.parameters[name]
  const verdict = tooMany(field, value) ?? context.dialect.check(context, field, value, name)
  return 'problem' in verdict ? verdict : (tooMany(field, verdict.value) ?? verdict)
}

/** How many records one record may link to: each may have to be created, while all other requests wait. */
const mostLinks = 1000

function tooMany(field: Field, value: unknown): RequestProblem | undefined {
  if (isFilter(field) || !Array.isArray(value) || value.length <= mostLinks) return undefined
  return { problem: `Expected at most ${mostLinks} values; got ${value.length}.` }
}

/** A value of the wrong type in JSON. */
export const wrongType = (name: string, type: string): RequestProblem => ({
  problem: `${name} is not of type ${type}.`,
  detail: { code: 'rest_invalid_type', data: { param: name } },
})

/** Refuses wrong parameters; `noDetails` replaces the details if there are none. */
export function invalidParameters(problems: Problems, noDetails?: readonly []): Refusal {
  const all = Object.entries(problems)
  const details = all.flatMap(([name, { problem: message, detail }]) =>
    detail ? [[name, { code: detail.code, message, data: detail.data }]] : [],
  )
  const shown = details.length > 0 ? Object.fromEntries(details) : noDetails
  return new Refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${all.map(([name]) => name).join(', ')}`, {
    params: Object.fromEntries(all.map(([name, { problem }]) => [name, problem])),
    ...(shown && { details: shown }),
  })
}

/** What WordPress would store but our calendar could not read again. */
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

/** A list, or a text with commas and spaces. */
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

/** The statuses that a patch can set; `trash` is not one of them. */
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
