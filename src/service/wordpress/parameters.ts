import { isObject } from '../../base/text/json.ts'
import { readDate } from '../../base/time/dates.ts'
import { isClean } from '../../contract/kinds/kind-values.ts'
import { forbidden } from '../access.ts'
import type { Context, HandlerResult, ParameterValues } from '../dialect.ts'
import { Refusal } from '../refusal.ts'

/** What WordPress says about a wrong value. */
interface Mistake {
  readonly code: string
  readonly message: string
  readonly data: object | null
}

/** A value in the form of its type, or what is wrong with it. */
type Verdict = { readonly value: unknown } | Mistake

/** Reads the value of a parameter as a type, as WordPress's schemas of parameters do. */
export type Reader = (value: unknown, name: string) => Verdict

/** The values of the parameters that were sent and that have a reader. Refuses all that are wrong. */
export function readParameters(
  parameters: ParameterValues,
  readers: Readonly<Record<string, Reader>>,
): ParameterValues {
  const values: Record<string, unknown> = {}
  const mistakes: [string, Mistake][] = []
  for (const [name, read] of Object.entries(readers)) {
    if (!Object.hasOwn(parameters, name)) continue
    const verdict = read(parameters[name], name)
    if ('code' in verdict) mistakes.push([name, verdict])
    else values[name] = verdict.value
  }
  if (mistakes.length > 0) throw invalidParameters(Object.fromEntries(mistakes))
  return values
}

export function invalidParameters(mistakes: Readonly<Record<string, Mistake>>): Refusal {
  const names = Object.keys(mistakes)
  return new Refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, {
    params: Object.fromEntries(names.map(name => [name, mistakes[name]?.message])),
    details: mistakes,
  })
}

const wrongType = (name: string, type: string): Mistake => ({
  code: 'rest_invalid_type',
  message: `${name} is not of type ${type}.`,
  data: { param: name },
})

/** What WordPress would store, and our calendar could not read again. */
export const unreadable = (name: string, expected: string): Mistake => ({
  code: 'rest_invalid_pattern',
  message: `${name} is not ${expected}.`,
  data: null,
})

export const string: Reader = (value, name) => {
  if (typeof value !== 'string') return wrongType(name, 'string')
  return isClean(value) ? { value } : unreadable(name, 'a text without control characters')
}

/** A text as it is, or as `raw` of an object; anything else counts as not sent. */
export const rawText: Reader = (value, name) => {
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
    const mistake = verdicts.find(verdict => 'code' in verdict)
    return mistake ?? { value: verdicts.map(verdict => 'value' in verdict && verdict.value) }
  }

export const oneOfParameter =
  (...choices: readonly string[]): Reader =>
  (value, name) => {
    if (choices.some(choice => choice === value)) return { value }
    const [last, ...others] = choices.toReversed()
    const message = `${name} is not one of ${others.toReversed().join(', ')}, and ${last}.`
    return { code: 'rest_not_in_enum', message, data: null }
  }

export const between =
  (least: number, most: number): Reader =>
  (value, name) => {
    const verdict = integerParameter(value, name)
    if ('code' in verdict || (Number(verdict.value) >= least && Number(verdict.value) <= most)) return verdict
    const message =
      most === Number.POSITIVE_INFINITY
        ? `${name} must be greater than or equal to ${least}`
        : `${name} must be between ${least} (inclusive) and ${most} (inclusive)`
    return { code: 'rest_out_of_bounds', message, data: null }
  }

/** A date with a time, in the form of RFC 3339; null clears it. */
export const momentParameter: Reader = (value, name) => {
  if (value === null) return { value }
  if (typeof value !== 'string') return wrongType(name, 'string,null')
  const date = rfc3339.test(value) ? readDate(value) : undefined
  return date ? { value: date } : { code: 'rest_invalid_date', message: 'Invalid date.', data: null }
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)?$/

/** The parameters that all lists have. */
export const listReaders = {
  context: oneOfParameter('view', 'embed', 'edit'),
  page: between(1, Number.POSITIVE_INFINITY),
  per_page: between(1, 100),
  include: listParameter(integerParameter),
  exclude: listParameter(integerParameter),
  slug: listParameter(string),
  order: oneOfParameter('asc', 'desc'),
}

interface Listed {
  readonly id: number
  readonly slug: string
}

/** One page of the rows that `include`, `exclude` and `slug` leave, with its totals in the headers. An empty list as the answer leaves a row out. */
export function page<T extends Listed>(
  rows: readonly T[],
  values: ParameterValues,
  order: (one: T, other: T) => number,
  answer: (row: T) => object,
): HandlerResult {
  const { include, exclude, slug, orderby, per_page: perPage = 10, page: number = 1, offset } = values
  const ids = asSet(include)
  const others = asSet(exclude)
  const slugs = asSet(slug)
  const kept = rows.filter(
    row => (!ids?.size || ids.has(row.id)) && !others?.has(row.id) && (!slugs?.size || slugs.has(row.slug)),
  )
  const places = [...(ids ?? [])]
  const inOrder = orderby === 'include' ? (a: T, b: T) => places.indexOf(a.id) - places.indexOf(b.id) : order
  const size = Number(perPage)
  const pages = Math.ceil(kept.length / size)
  if (Number(number) > 1 && Number(number) > pages)
    throw new Refusal(
      400,
      'rest_post_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    )
  const from = offset === undefined ? (Number(number) - 1) * size : Number(offset)
  return {
    status: 200,
    headers: { 'x-wp-total': String(kept.length), 'x-wp-totalpages': String(pages) },
    body: kept
      .toSorted(inOrder)
      .slice(from, from + size)
      .flatMap(answer),
  }
}

const asSet = (values: unknown): ReadonlySet<unknown> | undefined =>
  Array.isArray(values) ? new Set(values) : undefined

/** Whether raw texts are asked for. */
export const isEditing = ({ parameters }: Context): boolean => parameters.context === 'edit'

/** Throws if raw texts are asked for by a caller who may not see them. */
export function checkContext(context: Context, isAllowed: boolean, message: string): void {
  if (!isEditing(context) || isAllowed) return
  throw forbidden(context, 'rest_forbidden_context', message)
}
