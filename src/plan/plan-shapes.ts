/**
 * What plans and their steps look like, wherever they are read: in a saved plan, which somebody may have edited, and in the journal of
 * a run, which may be damaged. In: a value from JSON. Out: whether it has everything that a reader relies on, or what is wrong.
 */
import { resources } from '../contract/contract.ts'
import { languages } from '../contract/languages.ts'
import { isObject } from '../text/json.ts'
import { type Plan, type Step, stepActions } from './plan.ts'

/** A condition for a value, with what it expects in words. */
export interface Check {
  readonly expected: string
  test(value: unknown): boolean
}

/** A check for every name of a type: a name that is added to the type has to be added here. */
export type Shape<T> = { readonly [Name in keyof T]-?: Check }

/** An object whose values have this shape; other names are left alone. */
export function shaped<T>(shape: Shape<T>, expected = 'an object'): Check {
  const checks = Object.entries<Check>(shape)
  return { expected, test: value => isObject(value) && checks.every(([name, check]) => check.test(value[name])) }
}

/** An object that has no other names than these. */
export function exactly<T>(shape: Shape<T>, expected: string): Check {
  const { test } = shaped(shape)
  return { expected, test: value => test(value) && Object.keys(value as object).every(name => name in shape) }
}

/** The first thing that is wrong with an object that has to have this shape and no other names; undefined if nothing is. */
export function mistakeIn<T>(shape: Shape<T>, value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object'
  for (const [name, { expected, test }] of Object.entries<Check>(shape))
    if (!test(value[name])) return `${name}: expected ${expected}, got ${shown(value[name])}`
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(shape, name))
  return unknown.length > 0 ? `${unknown.join(', ')}: unknown` : undefined
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60))

export const optional = ({ expected, test }: Check): Check => ({
  expected,
  test: value => value === undefined || test(value),
})

export const listOf = ({ test }: Check, expected: string): Check => ({
  expected,
  test: value => Array.isArray(value) && value.every(test),
})

export function oneOf(values: readonly unknown[]): Check {
  const known = new Set(values)
  return { expected: `one of ${values.join(', ')}`, test: value => known.has(value) }
}

export const text: Check = { expected: 'text', test: value => typeof value === 'string' }
export const count: Check = {
  expected: 'a number',
  test: value => Number.isSafeInteger(value) && Number(value) >= 0,
}
export const isTrue: Check = { expected: 'true', test: value => value === true }
export const moment: Check = {
  expected: 'an ISO date',
  test: value => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
}
export const object: Check = { expected: 'fields by name', test: isObject }

const id: Check = { expected: 'an ID', test: value => count.test(value) && value !== 0 }
const key: Check = { expected: 'text', test: value => typeof value === 'string' && value !== '' }
const language = oneOf(languages)
const url: Check = { expected: 'a URL', test: value => typeof value === 'string' && URL.canParse(value) }
const values: Check = { expected: 'fields by name', test: value => isObject(value) && !('$ref' in value) }
const record: Check = {
  expected: 'a record',
  test: value => isObject(value) && count.test(value.id) && optional(object).test(value.raw),
}

export const stepShape: Shape<Step> = {
  key,
  action: oneOf(stepActions),
  resource: oneOf(resources.map(({ name }) => name)),
  id: optional(id),
  language: optional(language),
  ref: optional(object),
  before: optional(record),
  values,
  fingerprint: optional(text),
  revision: optional(text),
  match: optional(listOf(text, 'a list of fields')),
  identity: optional(values),
  existing: optional(listOf(record, 'a list of records')),
  into: optional(id),
  trashed: optional(isTrue),
  at: optional(text),
  copyOf: optional(exactly({ id, language }, 'an ID and a language')),
  shared: optional(oneOf(['here', 'elsewhere'])),
}

/** Of a plan without its steps, as the first line of a file has it. */
export const planShape: Shape<Omit<Plan, 'steps' | 'invalid'>> = {
  calctl: oneOf([1]),
  id: optional(text),
  part: optional(shaped({ part: count, of: count })),
  calendar: shaped({ id: url, label: text }),
  language: optional(language),
  made: moment,
  same: count,
  anew: optional(count),
  among: optional(object),
  notes: optional(listOf(text, 'a list of sentences')),
}
