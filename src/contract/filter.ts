import type { Field } from './field.ts'
import * as field from './field.ts'
import { say, type Words } from './words.ts'

/** How a filter compares; the service has one function for each. */
export type Comparison =
  | 'from'
  | 'until'
  | 'after'
  | 'before'
  | 'equals'
  | 'anyOf'
  | 'include'
  | 'exclude'
  | 'search'
  | 'status'
  | 'ofEvent'
  | 'hasEvents'
  | 'hasUpcoming'
  | 'hideEmpty'
  | 'located'
  | 'ticketed'
  /** Changes how others compare, or the order; narrows nothing by itself. */
  | 'setting'

/** One parameter that a list can be narrowed by: what its value is, how it compares, and with which field. */
export interface Filter<Target extends string = string> extends Field {
  readonly compare: Comparison
  readonly target?: Target
  /** Another filter that must be given with this one. */
  readonly requires?: string
}

/** Filters by name. */
export type Filters<Target extends string = string> = Readonly<Record<string, Filter<Target>>>

const compared =
  <C extends Comparison>(compare: C) =>
  <T extends string>(target: T, words: Words): Filter<T> => ({
    ...field.dateTime(words, { relative: true }),
    compare,
    target,
  })

/** Filters by a date, named as the service compares. */
export const from = compared('from')
export const until = compared('until')
export const after = compared('after')
export const before = compared('before')

/** Makes a filter of a field, with the field it looks at if it is one: `filter('equals', boolean(words), { target: 'featured' })`. */
export function filter(compare: Comparison, value: Field, more?: { requires: string }): Filter<never>
export function filter<const T extends string>(compare: Comparison, value: Field, more: { target: T }): Filter<T>
export function filter(compare: Comparison, value: Field, more: { target?: string; requires?: string } = {}): Filter {
  return { ...value, compare, ...more }
}

/** The most records that a service gives in one page. */
export const largestPage = 50

/** Lifts the window of dates that a list of events has by itself, by the earliest date that every implementation reads. */
export const allDates = { starts_after: '1000-01-01 00:00:00' }

/** The parameters that every list has. */
export const paging = {
  page: field.integer(say('Pàgina que es vol', 'Page to return', 'Página que se quiere'), { default: 1 }),
  per_page: field.integer(say('Registres per pàgina', 'Records per page', 'Registros por página'), { default: 30 }),
} as const satisfies Record<string, Field>
