import { allDates, dateFilterNames, largestPage } from '../contract/filter.ts'
import type { Language } from '../contract/languages.ts'
import { emptyToo, type Resource } from '../contract/resource.ts'
import { dayAfter, msWall, wallMs } from '../time/dates.ts'
import type { Values } from './client.ts'

/** Which list of a resource. */
export interface ListScope {
  readonly resource: Resource
  readonly language?: Language | undefined
  /** The records in the trash. */
  readonly trashed?: boolean
  /** Only events that start between these days, both included; a few more may be read. */
  readonly days?: readonly [first: string, last: string] | undefined
}

/** The query of a list that leaves out nothing but what the filters exclude; services hide past events and unused terms. */
export function wholeListQuery({ resource, language, trashed, days }: ListScope, filters: Values = {}): Values {
  const dateFilters = dateFilterNames(resource.filters)
  const isDated = dateFilters.some(name => filters[name] !== undefined)
  return {
    per_page: largestPage,
    ...(dateFilters.length > 0 && !isDated && (days ? aroundDays(days) : allDates)),
    ...emptyToo(resource),
    ...(trashed && { status: 'trash' }),
    ...(language && { lang_code: language }),
    ...filters,
  }
}

/** Widened: a day of the site can be the one before or after in the zone of an event. */
const aroundDays = ([first, last]: readonly [string, string]): Values => ({
  starts_after: dayFrom(first, -3),
  starts_before: dayAfter(last, 2),
})

const dayFrom = (day: string, days: number): string =>
  msWall(wallMs(`${day} 00:00:00`) + days * 86_400_000).slice(0, 10)
