import { largestPage } from '../contract/filter.ts'
import { type Status, statuses } from '../contract/post-status.ts'
import type { Resource } from '../contract/resource.ts'
import { mayWritePosts } from './access.ts'
import {
  defaultStatuses,
  type ListRow,
  linkedIdsIn,
  linkFields,
  orderOf,
  type Predicate,
  predicatesOf,
  visibleEvents,
  windowOf,
} from './comparisons.ts'
import type { Context, Dialect, HandlerResult, PageLinks, RecordRef, RequestProblem } from './dialect.ts'
import { type Cache, createCache, sinceWrite } from './indexes/indexes.ts'
import { always, byStart, isWithin, type Timeline, type Window } from './indexes/timeline.ts'
import { findRecord } from './lookup.ts'
import { Refusal } from './refusal.ts'
import { addRecords, renderRecord } from './render/render-record.ts'
import type { EventRow } from './store/rows.ts'

/** GET on a collection. */
export function answerList(resource: Resource, context: Context): HandlerResult {
  checkFilters(context, resource)
  const { values, dialect } = context
  const page = numberOr(values.page, 1)
  // A larger page is reduced without an error, as in production.
  const perPage = Math.min(numberOr(values.per_page, context.perPage), largestPage)
  const matches = findRecords(context, resource)
  const total = dialect.total(matches.total(), context, resource, () => countWithoutSearch(context, resource))
  const pages = Math.ceil(total / perPage)
  const rows = matches.slice((page - 1) * perPage, page * perPage)
  if (rows.length === 0 && page > 1 && resource.trashable) throw pastLastPage(resource)
  const links = dialect.links(context, resource, { page, perPage, pages })
  return {
    status: 200,
    headers: { 'x-tec-total': String(total), 'x-tec-totalpages': String(pages) },
    body: listBody(context, resource, rows, { ...links, total, total_pages: pages }),
  }
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

function countWithoutSearch(context: Context, resource: Resource): number {
  const { search, ...values } = context.values
  return findRecords({ ...context, values }, resource).total()
}

const pastLastPage = ({ singular }: Resource): Refusal =>
  new Refusal(404, `${singular}-archive-page-not-found`, `The requested ${singular} archive page does not exist`)

/** What the check of single parameters cannot see: a filter that requires another one, and statuses for which only editors may ask. */
function checkFilters(context: Context, { filters }: Resource): void {
  const { values, dialect } = context
  const problems: Record<string, RequestProblem> = {}
  for (const [name, filter] of Object.entries(filters))
    if (filter.requires && (values[name] === undefined) !== (values[filter.requires] === undefined))
      problems[name] = { problem: `Expected ${name} and ${filter.requires} together.` }
  const statuses = values.status === undefined ? [] : [values.status].flat()
  if (!mayWritePosts(context) && statuses.some(status => status !== 'publish'))
    problems.status = { problem: 'Expected publish: other statuses are for editors.' }
  if (Object.keys(problems).length > 0) throw dialect.invalid(problems)
}

interface Totals {
  readonly total: number
  readonly total_pages: number
}

/** Joins the rendered records, with keys in production's order: in lists of terms, the records precede only the page links. */
function listBody(
  context: Context,
  { name, trashable }: Resource,
  rows: Parameters<typeof addRecords>[2],
  { rest_url, total, total_pages, ...otherPages }: PageLinks & Totals,
): Uint8Array {
  const totals = { total, total_pages }
  const head = memberText(trashable ? {} : { rest_url, ...totals })
  const tail = memberText(trashable ? { rest_url, ...otherPages, ...totals } : otherPages)
  const pieces = [Buffer.from(`{${head && `${head},`}"${name}":[`)]
  addRecords(pieces, context, rows)
  pieces.push(Buffer.from(`]${tail && `,${tail}`}}`))
  return Buffer.concat(pieces)
}

/** The members of an object as JSON, without its braces. */
const memberText = (object: object): string => JSON.stringify(object).slice(1, -1)

/** The matching records of a list, in order. */
interface Matches<T> {
  slice(from: number, until: number): readonly T[]
  total(): number
}

const findRecords = (context: Context, resource: Resource): Matches<ListRow> =>
  resource.name === 'events' ? findEvents(context, resource) : findOthers(context, resource)

type Range = ReturnType<Timeline['range']>

/** Up to this many candidates are compared one by one, more with an index. */
const few = 1000

function findEvents(context: Context, resource: Resource): Matches<ListRow> {
  const window = windowOf(context, resource.filters)
  return matchesOf(context).get(cacheKey(context, resource, window), () => {
    const timeline = visibleEvents(context, statusesOf(context))
    const unlisted = context.dialect.unlisted(context.store)
    const predicates = [
      ...predicatesOf(context, resource),
      ...(unlisted.size > 0 ? [({ id }: ListRow) => !unlisted.has(id)] : []),
    ]
    const range = timeline.range(window)
    const isLong = predicates.length === 0 && range[1] - range[0] > few
    if (isLong && window.end.from === always.from) return windowMatches(timeline, window, range)
    const isMatch = (row: EventRow) => isWithin(row, window) && passes(row, predicates)
    const matches = lazyMatches(candidates(context, resource, timeline, range), isMatch)
    return isLong ? { ...matches, total: () => timeline.count(window) ?? matches.total() } : matches
  })
}

/** The events of a window, of which only those near its ends are compared with it. */
function windowMatches(timeline: Timeline, window: Window, [first, last]: Range): Matches<EventRow> {
  const { rows } = timeline
  const isMatch = (row: EventRow) => isWithin(row, window)
  const [sure, unsure] = timeline.sureRange(window)
  const head = [...rows.slice(first, sure)].filter(isMatch)
  const tail = lazyMatches(rows.slice(unsure, last), isMatch)
  /** Between an index into `rows` and one into the matches. */
  const distance = sure - head.length
  const rest = unsure - distance
  const count = timeline.count(window)
  return {
    slice: (from, until) => [
      ...head.slice(from, until),
      ...rows.slice(Math.max(sure, from + distance), Math.min(unsure, until + distance)),
      ...tail.slice(Math.max(0, from - rest), Math.max(0, until - rest)),
    ],
    total: () => count ?? rest + tail.total(),
  }
}

/** The shortest available list that contains all matching events. */
function candidates(
  context: Context,
  { filters }: Resource,
  timeline: Timeline,
  [first, last]: Range,
): Iterable<EventRow> {
  const { include } = context.values
  if (include !== undefined) return eventsById(context, timeline, new Set([include].flat()))
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

/** There are few venues, organizers and terms, so they are read one by one, once between two writes. */
function findOthers(context: Context, resource: Resource): Matches<ListRow> {
  return matchesOf(context).get(cacheKey(context, resource), () => {
    const listed = new Set(statusesOf(context))
    const predicates = predicatesOf(context, resource)
    const isListed = (row: ListRow) =>
      row.lang_code === context.language && (!('status' in row) || listed.has(row.status)) && passes(row, predicates)
    const rows = [...context.store.table(resource.name).values()].filter(isListed)
    return lazyMatches(rows.sort(orderOf(context, resource)), () => true)
  })
}

const passes = (row: ListRow, predicates: readonly Predicate[]): boolean => predicates.every(isMatch => isMatch(row))

const statusesOf = (context: Context): readonly Status[] => {
  const { values } = context
  const requested = [values.status].flat()
  return values.status === undefined ? defaultStatuses(context) : statuses.filter(status => requested.includes(status))
}

/** Filters candidates, in order, only as far as needed. */
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

/** The results since the last write, by dialect. */
const matchesSince = sinceWrite(() => new Map<Dialect, Cache<Matches<ListRow>>>())

function matchesOf({ store, dialect }: Context): Cache<Matches<ListRow>> {
  const byDialect = matchesSince(store)
  const matches = byDialect.get(dialect) ?? createCache(16)
  byDialect.set(dialect, matches)
  return matches
}

/** Everything on which a list depends except its page; the time only if a filter uses it. */
function cacheKey(context: Context, { name }: Resource, window?: Window): string {
  const { language, caller, values, now, dialect, parameters } = context
  const { page, per_page, ...filters } = values
  const upcoming = values.only_with_upcoming === true ? [now, dialect.upcomingLimit(context)] : undefined
  // A search covers what the caller can see.
  const access = values.search === undefined ? undefined : [parameters.context, parameters.password]
  return JSON.stringify([name, language, caller, filters, window, upcoming, access])
}

/** GET on a record. */
export function answerRecord(resource: Resource, context: Context, ref: RecordRef): HandlerResult {
  const row = findRecord(context, resource.name, ref)
  if ('status' in row) context.dialect.checkMayRead(context, resource, row)
  return { status: 200, body: context.dialect.item(context, row, renderRecord(context, row, { single: true })) }
}
