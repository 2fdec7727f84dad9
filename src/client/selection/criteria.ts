/**
 * Selects records, by conditions for which the API has filters and by others. Input: criteria, that is filters, days, and conditions on any
 * field. Output: a selection, that is the narrowest query that leaves out nothing, and a check for each record that it returns.
 * `condition.ts` reads conditions, and `matcher.ts` checks them.
 */

import { type DayRange, isOnDays } from '../../base/time/calendar-words.ts'
import { isEveryDay, nearestWall, wallMs } from '../../base/time/dates.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { ResourceName } from '../../contract/field.ts'
import { allDates, dateFilterNames } from '../../contract/filter.ts'
import { readBoolean } from '../../contract/kinds/number-kinds.ts'
import { type Answer, emptyToo, type Resource } from '../../contract/resource.ts'
import { isSlug } from '../../contract/slug.ts'
import type { Page, Reads, Values } from '../client.ts'
import { createNameSearch } from '../find/name-search.ts'
import { idOfName, type NameSource } from '../name-lookup.ts'
import { type Condition, unknownField } from './condition.ts'
import { hasPath, matcherOf, type RecordTest } from './matcher.ts'

/** What records of several resources are selected by. Criteria for fields that a resource does not have are ignored for it. */
export interface Criteria {
  /** Filters of the API, by name. Records in them are IDs, slugs or names. */
  readonly filters: Values
  /** The days on which events are. */
  readonly days?: DayRange | undefined
  /** All of them must hold. */
  readonly conditions?: readonly Condition[]
}

/** The records of one resource that are selected. */
export interface Selection {
  /** What the service selects by. */
  readonly filters: Values
  /** The check that remains; undefined if the service checks everything. */
  readonly matches?: RecordTest
  /** Whether the check needs what lists do not have, so that it is read separately. */
  readonly readsStatuses?: boolean
  /** The conditions on names that are not in the contract, but may be in the records of a site. */
  readonly unknown?: readonly Condition[]
}

/** The part of criteria that applies to a resource; undefined if they leave out none of its records. */
export function criteriaFor(resource: Resource, { filters, days, conditions = [] }: Criteria): Criteria | undefined {
  const own = {
    filters: Object.fromEntries(Object.entries(filters).filter(([name]) => name in resource.filters)),
    days: resource.name === 'events' ? days : undefined,
    conditions: conditions.filter(({ resources }) => resources.has(resource.name)),
  }
  return Object.keys(own.filters).length > 0 || own.days || own.conditions.length > 0 ? own : undefined
}

/** Resolves the names in criteria, and divides the criteria between the service and this client. */
export async function select(client: Reads, resource: Resource, criteria: Criteria): Promise<Selection> {
  const { filters, days, conditions = [] } = criteriaFor(resource, criteria) ?? { filters: {} }
  const names = createNameSearch(client)
  const idOf = (of: ResourceName, name: string) => idOfName(names, resourceNamed(of), name, client.notice)
  const checks: RecordTest[] = []
  let narrowed: Values = {}
  for (const condition of conditions) {
    const id = await linkedId(idOf, condition)
    checks.push(matcherOf(condition, id))
    narrowed = { ...filterOf(resource, condition, id), ...narrowed }
  }
  if (days) checks.push(({ start_date: start, end_date: end }) => isOnDays(String(start), String(end), days))
  const byDate = dateFilterNames(resource.filters).some(name => filters[name] !== undefined)
  return {
    filters: {
      ...narrowed,
      ...(!byDate && { ...dateFilters(resource, conditions), ...(days && filtersAround(days)) }),
      ...(await withIds(resource, filters, { names, notice: client.notice })),
    },
    ...(checks.length > 0 && { matches: record => checks.every(holds => holds(record)) }),
    readsStatuses: conditions.some(({ path }) => resource.fields[path]?.site?.apart),
    unknown: conditions.filter(({ isUnknown }) => isUnknown),
  }
}

type IdOf = (of: ResourceName, name: string) => Promise<number>

/** Filters with IDs in place of names. Services accept slugs of terms, which are unique. */
async function withIds(resource: Resource, filters: Values, named: Omit<TypedNames, 'isName'>): Promise<Values> {
  const resolved: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(filters)) {
    const { of, kind } = resource.filters[name] ?? {}
    const isName = (link: unknown): link is string => typeof link === 'string' && !(kind?.isTerms && isSlug(link))
    resolved[name] = of ? await idsIn(resourceNamed(of), value, { ...named, isName }) : value
  }
  return resolved
}

interface TypedNames {
  readonly names: NameSource
  readonly notice: Reads['notice']
  isName(link: unknown): link is string
}

async function idsIn(linked: Resource, value: unknown, { names, notice, isName }: TypedNames): Promise<unknown> {
  const links = [value].flat()
  // A single name may have a comma.
  const isOne = links.length > 1 && links.some(isName) && (await names.find(linked, links.join(', '))).length > 0
  if (isOne) return [await idOfName(names, linked, links.join(', '))]
  const ids: unknown[] = []
  for (const link of links) ids.push(isName(link) ? await idOfName(names, linked, link, notice) : link)
  return Array.isArray(value) ? ids : ids[0]
}

/** The ID of the record that a condition on a link names. */
async function linkedId(idOf: IdOf, { of, comparison, value }: Condition): Promise<number | undefined> {
  if (!of || value === undefined || (comparison !== '=' && comparison !== '!=')) return undefined
  return idOf(of, value)
}

/** The filter of the API that lets through all records for which a condition holds. */
function filterOf(resource: Resource, { path, comparison, value, type }: Condition, id: number | undefined): Values {
  if (path === 'count') return emptyToo(resource)
  const filter = resource.filters[path]
  if (comparison !== '=' || value === undefined || filter?.target !== path) return {}
  if (id !== undefined) return { [path]: [id] }
  if (type === 'boolean') return { [path]: String(readBoolean(value)) }
  return filter.compare === 'status' ? { [path]: value } : {}
}

const hour = 3_600_000

/** The largest difference between two zones: the day of an event can begin that much before or after that of the site. */
const zonesApart = 26 * hour

/** Filters for events around these days: services compare by the clock of the site, but the days are those of each event. */
const filtersAround = ({ first, last }: DayRange): Values => ({
  strict_dates: true,
  ...(first !== undefined && { ends_after: atMidnight(first, -zonesApart) }),
  ...(last !== undefined && { starts_before: atMidnight(last, 24 * hour + zonesApart) }),
})

const atMidnight = (day: string, shift: number): string => nearestWall(wallMs(`${day} 00:00:00`) + shift)

/** Conditions on dates lift the default limits of a list; a time of every day, such as `start_date>=19:00`, does not. */
function dateFilters(resource: Resource, conditions: readonly Condition[]): Values {
  const dated = conditions.filter(
    ({ path, span }) => /^(utc_)?(start|end)_date/.test(path) && !(span && isEveryDay(span)),
  )
  if (dated.length === 0 || resource.name !== 'events') return {}
  const bounds: Record<string, string> = {}
  for (const { path, comparison, span } of dated) {
    const edge = path === 'start_date' ? 'starts' : 'ends'
    if ((path !== 'start_date' && path !== 'end_date') || !span) continue
    if (/^[>=]/.test(comparison)) bounds[`${edge}_after`] = nearestWall(wallMs(span.from) - zonesApart)
    if (/^[<=]/.test(comparison)) bounds[`${edge}_before`] = nearestWall(wallMs(span.until) + zonesApart)
  }
  return Object.keys(bounds).length > 0 ? { strict_dates: true, ...bounds } : allDates
}

export const withStatuses = async (client: Reads, resource: Resource, records: readonly Answer[]): Promise<Answer[]> =>
  (await import('../adapters/event-statuses.ts')).withEventStatuses(client, resource, records)

/** The pages of a selection, with only the records that match. `query` adds filters. */
export async function* selectedPages(
  client: Reads,
  resource: Resource,
  { unknown = [], matches, readsStatuses = false, filters }: Selection,
  query: (filters: Values) => Values = filters => filters,
): AsyncGenerator<Page> {
  const pages = client.pages(resource, query(filters))
  let isFirst = true
  for await (const page of pages) {
    if (isFirst) checkKnown(page.records)
    isFirst = false
    const records = readsStatuses ? await withStatuses(client, resource, page.records) : page.records
    yield matches ? { ...page, records: records.filter(matches) } : page
  }
  if (isFirst) checkKnown([])

  function checkKnown(records: readonly Answer[]): void {
    const missing = unknown.find(({ path }) => !records.some(record => hasPath(record, path.split('.'))))
    if (missing) throw unknownField(missing, [resource])
  }
}
