/**
 * The records of a list. In: a context with checked filters and a resource. Out: the matching records in the order of the list,
 * found only as far as a page needs them. Date filters become a window of a timeline (`date-filters.ts`), all others predicates on
 * records (`comparisons.ts`); results are cached until the next write.
 */

import { type Status, statuses } from '../../contract/post-status.ts'
import type { Resource } from '../../contract/resource.ts'
import { foldCase } from '../../text/similarity.ts'
import type { Context, Dialect } from '../dialect.ts'
import { type Cache, createCache, indexesOf } from '../indexes/indexes.ts'
import { byStart, byText, isWithin, type Timeline, type Window } from '../indexes/timeline.ts'
import type { EventRow, Rows } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import {
  defaultStatuses,
  type ListRow,
  linkedIdsIn,
  linkFields,
  type Predicate,
  predicatesOf,
  visibleEvents,
} from './comparisons.ts'
import { windowOf } from './date-filters.ts'

/** The matching records of a list, in order. */
interface Matches<T> {
  slice(from: number, until: number): readonly T[]
  total(): number
}

export const findRecords = (context: Context, resource: Resource): Matches<ListRow> =>
  resource.name === 'events' ? findEvents(context, resource) : findOthers(context, resource)

/** Up to this many candidates are counted one by one, more with an index. */
const few = 1000

function findEvents(context: Context, resource: Resource): Matches<ListRow> {
  const window = windowOf(context, resource.filters)
  return cached(context, cacheKey(context, resource, window), () => {
    const timeline = visibleEvents(context, statusesOf(context))
    const unlisted = context.dialect.unlisted(context.store)
    const predicates = [
      ...predicatesOf(context, resource),
      ...(unlisted.size > 0 ? [({ id }: ListRow) => !unlisted.has(id)] : []),
    ]
    const matches = lazyMatches(
      candidates(context, resource, timeline, window),
      row => isWithin(row, window) && passes(row, predicates),
    )
    const [first, last] = timeline.range(window)
    const count = predicates.length === 0 && last - first > few ? timeline.count(window) : undefined
    return count === undefined ? matches : { ...matches, total: () => count }
  })
}

/** The shortest available list that contains all matching events. */
function candidates(context: Context, { filters }: Resource, timeline: Timeline, window: Window): Iterable<EventRow> {
  const { include } = context.values
  if (include !== undefined) return eventsById(context, timeline, new Set([include].flat()))
  const [first, last] = timeline.range(window)
  const linked = Object.values(linkFields).flatMap(field => {
    const filter = filters[field]
    const value = context.values[field]
    if (!filter || value === undefined) return []
    const lists = [...linkedIdsIn(context, filter, value)].map(id => timeline.linked(field, id))
    return [{ size: lists.reduce((sum, { size }) => sum + size, 0), lists }]
  })
  const [shortest] = linked.sort((a, b) => a.size - b.size)
  if (!shortest || shortest.size > last - first) return timeline.rows.slice(first, last)
  const [list, ...others] = shortest.lists
  if (list && others.length === 0) return list.slice()
  return [...new Set(shortest.lists.flatMap(each => [...each.slice()]))].sort(byStart)
}

const eventsById = ({ store }: Context, timeline: Timeline, ids: ReadonlySet<unknown>): EventRow[] =>
  [...ids]
    .flatMap(id => (typeof id === 'number' ? (store.table('events').get(id) ?? []) : []))
    .filter(timeline.has)
    .sort(byStart)

/** Venues, organizers and terms are few enough to be read one by one, once between two writes. */
function findOthers(context: Context, resource: Resource): Matches<ListRow> {
  return cached(context, cacheKey(context, resource), () => {
    const listed = new Set(statusesOf(context))
    const predicates = predicatesOf(context, resource)
    const isListed = (row: ListRow) =>
      row.lang_code === context.language && (!('status' in row) || listed.has(row.status)) && passes(row, predicates)
    const rows = [...context.store.table(resource.name).values()].filter(isListed)
    return lazyMatches(rows.sort(orderOf(context, resource)), () => true)
  })
}

const passes = (row: ListRow, predicates: readonly Predicate[]): boolean => predicates.every(isMatch => isMatch(row))

const statusesOf = ({ values, caller }: Context): readonly Status[] => {
  const requested = [values.status].flat()
  return values.status === undefined ? defaultStatuses(caller) : statuses.filter(status => requested.includes(status))
}

/** Filters candidates, which are in order, only as far as they are needed. */
function lazyMatches<T>(candidates: Iterable<T>, isMatch: (item: T) => boolean): Matches<T> {
  const matches: T[] = []
  const remaining = candidates[Symbol.iterator]()
  const findUpTo = (count: number) => {
    while (matches.length < count) {
      const { value, done } = remaining.next()
      if (done) return
      if (isMatch(value)) matches.push(value)
    }
  }
  return {
    slice(from, until) {
      findUpTo(until)
      return matches.slice(from, until)
    },
    total() {
      findUpTo(Number.POSITIVE_INFINITY)
      return matches.length
    },
  }
}

/** Results since the last write, by dialect. */
interface ResultCache {
  readonly version: number
  readonly byDialect: Map<Dialect, Cache<Matches<ListRow>>>
}

const resultCaches = new WeakMap<Store, ResultCache>()

function cached({ store, dialect }: Context, key: string, find: () => Matches<ListRow>): Matches<ListRow> {
  let results = resultCaches.get(store)
  if (results?.version !== store.version) {
    results = { version: store.version, byDialect: new Map() }
    resultCaches.set(store, results)
  }
  const cache = results.byDialect.get(dialect) ?? createCache(16)
  results.byDialect.set(dialect, cache)
  return cache.get(key, find)
}

/** Everything that a list depends on except its page; the time only if a filter looks at it. */
function cacheKey(context: Context, { name }: Resource, window?: Window): string {
  const { language, caller, values, now, dialect, parameters } = context
  const { page, per_page, ...filters } = values
  const upcoming = values.only_with_upcoming === true ? [now, dialect.upcomingLimit(context)] : undefined
  // A search covers what the caller may see.
  const access = values.search === undefined ? undefined : [parameters.context, parameters.password]
  return JSON.stringify([name, language, caller, filters, window, upcoming, access])
}

type Order = (a: Rows[Resource['name']], b: Rows[Resource['name']]) => number

/** The order of a list of venues, organizers or terms; events have only the order of their timeline. */
const orderOf = (context: Context, resource: Resource): Order =>
  resource.trashable ? newestFirst : byAttribute(context)

const newestFirst: Order = (a, b) => ('date' in a && 'date' in b ? byText(b.date, a.date) || b.id - a.id : b.id - a.id)

const alphabetical: Order = (a, b) => ('name' in a && 'name' in b ? byName(a, b) : a.id - b.id)

/** Terms for which `orderby` makes no difference are in alphabetical order. */
function byAttribute(context: Context): Order {
  const { orderby = 'name', order } = context.values
  const compare = attributes(context)[String(orderby)] ?? alphabetical
  const sign = order === 'desc' ? -1 : 1
  return (a, b) => sign * compare(a, b) || alphabetical(a, b)
}

function attributes({ store }: Context): Readonly<Record<string, Order>> {
  const { countEvents } = indexesOf(store)
  return {
    id: (a, b) => a.id - b.id,
    name: alphabetical,
    slug: (a, b) => byText(a.slug, b.slug),
    description: (a, b) => byText(foldCase(a.description), foldCase(b.description)),
    count: (a, b) => ('name' in a && 'name' in b ? countEvents(a) - countEvents(b) : 0),
  }
}

interface Named {
  readonly id: number
  readonly name: string
}

/** Folded names of rows, which never change: a list of terms compares each many times. */
const foldedNames = new WeakMap<Named, string>()

function foldedName(row: Named): string {
  const cached = foldedNames.get(row)
  if (cached !== undefined) return cached
  const folded = foldCase(row.name)
  foldedNames.set(row, folded)
  return folded
}

/** Alphabetical by name without regard to case and accents, then by ID. */
export const byName = (a: Named, b: Named): number => byText(foldedName(a), foldedName(b)) || a.id - b.id
