import type { Field } from './field.ts'
import { dateTime } from './kinds/date-kind.ts'
import { integer } from './kinds/number-kinds.ts'
import { text } from './kinds/text-kinds.ts'
import { say } from './languages.ts'

/**
 * The comparisons of dates. All date filters of a request together make one window, in which events must start and end
 * (`service/comparisons.ts`). `from` and `until` each replace one bound of the default window; `after` and `before` remove
 * that window.
 */
export type DateComparison = 'from' | 'until' | 'after' | 'before'

type OtherComparison =
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
  /** Changes other comparisons or the order; does not filter by itself. */
  | 'setting'

/** How a filter compares; the service implements each. */
export type Comparison = DateComparison | OtherComparison

/** Only these two dates of an event are indexed. */
type DateTarget = 'start_date' | 'end_date'

/** A parameter that narrows a list: its value, its comparison and the compared field. */
export interface Filter<Target extends string = string> extends Field {
  readonly compare: Comparison
  readonly target?: Target
  /** Another filter that must be given with this one. */
  readonly requires?: string
}

interface DateFilter<Target extends string = string> extends Filter<Target> {
  readonly compare: DateComparison
  readonly target: Target & DateTarget
}

/** Whether a parameter is a filter rather than a field of a record. */
export const isFilter = (field: Field): field is Filter => 'compare' in field

export type Filters<Target extends string = string> = Readonly<Record<string, Filter<Target>>>

const dateFilter =
  (compare: DateComparison) =>
  <T extends DateTarget>(target: T, ...words: Parameters<typeof say>): DateFilter<T> => ({
    ...dateTime(say(...words), { relative: true }),
    compare,
    target,
  })

/** Filters of events by a date, with their words as for `say`; `after('start_date', …)` keeps the events that start after it. */
export const from = dateFilter('from')
export const until = dateFilter('until')
export const after = dateFilter('after')
export const before = dateFilter('before')

/**
 * A filter with the field of its value, and its target field if any: `filter('equals', boolean(words), { target: 'featured' })`.
 */
export function filter(compare: OtherComparison, value: Field, more?: { requires: string }): Filter<never>
export function filter<const T extends string>(compare: OtherComparison, value: Field, more: { target: T }): Filter<T>
export function filter(
  compare: OtherComparison,
  value: Field,
  more: { target?: string; requires?: string } = {},
): Filter {
  return { ...value, compare, ...more }
}

/** A filter by a text, with its words as for `say`. */
export const search = (...words: Parameters<typeof say>) => filter('search', text(say(...words), { nonEmpty: true }))

/** An object instead of a list, so that the compiler requires every comparison. */
const dateComparison = { from: true, until: true, after: true, before: true } satisfies Record<DateComparison, true>
const dateComparisons: ReadonlySet<Comparison> = new Set(Object.keys(dateComparison) as DateComparison[])

export const isDateFilter = (filter: Filter): filter is DateFilter => dateComparisons.has(filter.compare)

/** The names of the date filters, or of those with these comparisons. */
export const dateFilterNames = (filters: Filters, compare: readonly Comparison[] = [...dateComparisons]): string[] =>
  Object.keys(filters).filter(name => compare.some(comparison => filters[name]?.compare === comparison))

/** The maximum number of records in a page. */
export const largestPage = 50

/** Removes the default window of event lists, with the earliest date that all implementations accept. */
export const allDates = { starts_after: '1000-01-01 00:00:00' }

export const paging = {
  page: integer(say('Pàgina que es retorna', 'Page to return', 'Página que se devuelve'), { default: 1 }),
  per_page: integer(say('Registres per pàgina', 'Records per page', 'Registros por página'), { default: 30 }),
} as const satisfies Record<string, Field>
