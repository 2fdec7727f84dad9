import { Failure } from '../../base/failure.ts'
import { dayAfter, msWall, wallMs } from '../../base/time/dates.ts'
import { allDates, dateFilterNames, largestPage } from '../../contract/filter.ts'
import type { Language } from '../../contract/languages.ts'
import { emptyToo, type Resource } from '../../contract/resource.ts'
import type { Calendar } from '../calendar.ts'
import type { Page, Values } from '../client.ts'

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

/**
 * Whether a list has the records that it counts. A cache, a firewall or a plugin may leave some out, and what is taken for missing
 * would be created again: such a list is a failure. Every list is checked here: each page when it comes, and what several pages
 * had when the last one was read (`pages.ts`).
 */
type Totals = Pick<Page, 'total' | 'pages'>

/** Whether a page of so many rows can be that page of a list with these totals. A site may cut pages shorter than was asked for. */
export function hasItsRows(rows: number, { total, pages }: Totals, { page = 1, per_page: size }: Values): boolean {
  const number = Number(page)
  const largest = number < pages ? rows : Number(size ?? Number.POSITIVE_INFINITY)
  const before = number === 1 ? 0 : (number - 1) * largest
  const after = Math.max(0, pages - number) * rows
  return rows <= total && total <= before + rows + after
}

/** Whether a page of `wp/v2` has all its rows: it always gives as many as were asked for. */
export const hasAllRows = (rows: number, total: number, { page = 1, per_page: size }: Values): boolean =>
  rows === Math.min(Number(size), Math.max(0, total - (Number(page) - 1) * Number(size)))

/** The failure of a page that does not have the rows that it counts. */
export const wrongTotals = (calendar: Calendar, { name }: { readonly name: string }, rows: number, total: number) =>
  new Failure('partial', `${calendar.label} lists ${rows} ${name} and counts ${total}`, {
    hint: 'a cache or a plugin of the site may leave records out: try again later, or look at the answer with: --debug',
  })

/**
 * The query whose answer tells whether a search without rows found nothing: The Events Calendar counts all venues or organizers then.
 * Undefined for any other list.
 */
export function withoutSearch({ name }: Resource, rows: number, filters: Values): Values | undefined {
  if (rows > 0 || filters.search === undefined || (name !== 'venues' && name !== 'organizers')) return undefined
  const { search, page, ...others } = filters
  return { ...others, per_page: largestPage }
}

/** Whether a search without rows, but with this total, found nothing in a list of all: it has as many, and none with such a name. */
export function foundNothing({ title }: Resource, search: unknown, total: number, all: Page): boolean {
  const text = String(search).trim().toLowerCase()
  // A search has signs of its own, and sites store some signs in another way than they show them.
  const isPlain = /^[\p{L}\p{N} ]+$/u.test(text)
  const isFound = isPlain && all.records.some(record => String(record[title]).toLowerCase().includes(text))
  return all.total === total && !isFound
}
