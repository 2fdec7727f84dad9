import { type Status, statuses } from '../../contract/posts.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Context } from '../dialect.ts'
import type { EventRow } from '../store/rows.ts'
import { type Row, type Test, testsOf } from './comparisons.ts'
import { indexesOf } from './indexes.ts'
import { type Matches, matchesOf } from './matches.ts'
import { orderOf } from './orders.ts'
import { eventLinks, timelineOf, usualStatuses } from './related.ts'
import { inListOrder, type Timeline } from './timeline.ts'
import { wantedIds } from './wanted.ts'
import { isWithin, type Window, windowOf } from './window.ts'

/** The records of a list, in its order. */
export const findRecords = (context: Context, resource: Resource): Matches<Row> =>
  resource.name === 'events' ? findEvents(context, resource) : findOthers(context, resource)

/** Beyond this many, events are counted by indexes and not by looking at each. */
const few = 1000

function findEvents(context: Context, resource: Resource): Matches<Row> {
  const window = windowOf(context, resource.filters)
  return indexesOf(context.store).found(context.dialect, keyOf(context, resource, window), () => {
    const timeline = timelineOf(context, statusesOf(context))
    const tests = testsOf(context, resource)
    const matches = matchesOf(
      candidates(context, resource, timeline, window),
      row => isWithin(row, window) && passes(row, tests),
    )
    const [first, last] = timeline.range(window)
    const count = tests.length === 0 && last - first > few ? timeline.count(window) : undefined
    return count === undefined ? matches : { ...matches, total: () => count }
  })
}

/** The shortest list of events that all which is asked for must be in. */
function candidates(context: Context, { filters }: Resource, timeline: Timeline, window: Window): Iterable<EventRow> {
  const { include } = context.values
  if (include !== undefined) return ordered(context, timeline, new Set([include].flat()))
  const [first, last] = timeline.range(window)
  const lists = Object.values(eventLinks).flatMap(link => {
    const filter = filters[link]
    const value = context.values[link]
    if (!filter || value === undefined) return []
    const wanted = [...wantedIds(context, filter, value)].map(id => timeline.linked(link, id))
    return [{ size: wanted.reduce((sum, { size }) => sum + size, 0), wanted }]
  })
  const [shortest] = lists.sort((a, b) => a.size - b.size)
  if (!shortest || shortest.size > last - first) return timeline.rows.slice(first, last)
  const [only, ...more] = shortest.wanted
  if (only && more.length === 0) return only.slice()
  return [...new Set(shortest.wanted.flatMap(list => [...list.slice()]))].sort(inListOrder)
}

const ordered = ({ store }: Context, timeline: Timeline, ids: ReadonlySet<unknown>): EventRow[] =>
  [...ids]
    .flatMap(id => (typeof id === 'number' ? (store.table('events').get(id) ?? []) : []))
    .filter(timeline.has)
    .sort(inListOrder)

/** Venues, organizers and terms are few enough to be looked at one by one, once between two writes. */
function findOthers(context: Context, resource: Resource): Matches<Row> {
  return indexesOf(context.store).found(context.dialect, keyOf(context, resource), () => {
    const shown = new Set(statusesOf(context))
    const tests = testsOf(context, resource)
    const isShown = (row: Row) =>
      row.lang_code === context.language && (!('status' in row) || shown.has(row.status)) && passes(row, tests)
    const rows = [...context.store.table(resource.name).values()].filter(isShown)
    return matchesOf(rows.sort(orderOf(context, resource)), () => true)
  })
}

const passes = (row: Row, tests: readonly Test[]): boolean => tests.every(test => test(row))

const statusesOf = ({ values, caller }: Context): readonly Status[] => {
  const asked = [values.status].flat()
  return values.status === undefined ? usualStatuses(caller) : statuses.filter(status => asked.includes(status))
}

/** All that a list depends on but its page; the clock only where it is looked at. */
function keyOf(context: Context, { name }: Resource, window?: Window): string {
  const { language, caller, values, now, dialect } = context
  const { page, per_page, ...asked } = values
  const upcoming = values.only_with_upcoming === true ? [now, dialect.upcomingLimit(context)] : undefined
  return JSON.stringify([name, language, caller, asked, window, upcoming])
}
