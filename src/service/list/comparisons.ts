import type { Comparison, Filter } from '../../contract/filter.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Context } from '../dialect.ts'
import { countOf } from '../render/term.ts'
import type { Rows } from '../store/rows.ts'
import { located } from './located.ts'
import { eventLinks, eventsNaming, namedByUpcoming } from './related.ts'
import { searched } from './search.ts'
import { wantedIds } from './wanted.ts'
import type { DateComparison } from './window.ts'

/** A record of any resource. */
export type Row = Rows[Resource['name']]

/** Whether a record is in a list, as far as one filter goes. */
export type Test = (row: Row) => boolean

/** One filter of a request, and the value it was given. */
export interface Asked {
  readonly context: Context
  readonly resource: Resource
  readonly name: string
  readonly filter: Filter
  readonly value: unknown
}

/** How each filter compares, but those of dates, which make a window; undefined is what every record passes. */
const comparisons: Record<Exclude<Comparison, DateComparison>, (asked: Asked) => Test | undefined> = {
  equals,
  anyOf,
  include,
  exclude,
  search: searched,
  status: inView,
  ofEvent,
  hasEvents,
  hasUpcoming,
  hideEmpty,
  located,
  ticketed,
  setting: inView,
}

/** The tests that a record must pass to be in a list. */
export const testsOf = (context: Context, resource: Resource): Test[] =>
  Object.entries(resource.filters).flatMap(([name, filter]) => {
    const value = context.values[name] ?? filter.default
    if (value === undefined || value === null || !isOfRecords(filter.compare)) return []
    return comparisons[filter.compare]({ context, resource, name, filter, value }) ?? []
  })

const isOfRecords = (compare: Comparison): compare is keyof typeof comparisons => compare in comparisons

const valueIn = (row: Row, name: string): unknown => Reflect.get(row, name)

function equals({ name, filter: { target = name }, value }: Asked): Test {
  const wanted = typeof value === 'string' ? value.toLowerCase() : value
  return row => valueIn(row, target) === wanted
}

function anyOf(asked: Asked): Test {
  const { target = asked.name } = asked.filter
  const wanted = wantedIds(asked.context, asked.filter, asked.value)
  return row => [valueIn(row, target)].flat().some(id => typeof id === 'number' && wanted.has(id))
}

function include({ value }: Asked): Test {
  const wanted = new Set([value].flat())
  return row => wanted.has(row.id)
}

function exclude({ value }: Asked): Test {
  const unwanted = new Set([value].flat())
  return row => !unwanted.has(row.id)
}

function ofEvent({ context, resource, value }: Asked): Test {
  const event = typeof value === 'number' ? context.store.table('events').get(value) : undefined
  const isVisible = event && (context.caller === 'editor' || event.status === 'publish')
  const link = eventLinks[resource.name]
  const ids = new Set(isVisible && link ? [event[link]].flat() : [])
  return row => ids.has(row.id)
}

function hasEvents({ context, resource, value }: Asked): Test {
  const events = eventsNaming(context, resource)
  return row => events(row.id).size > 0 === value
}

function hasUpcoming({ context, resource, value }: Asked): Test | undefined {
  if (value !== true) return undefined
  const named = namedByUpcoming(context, resource, context.dialect.upcomingLimit(context))
  return row => named.has(row.id)
}

function hideEmpty({ context, value }: Asked): Test | undefined {
  return value === true ? row => 'name' in row && countOf(context, row) > 0 : undefined
}

/** No event has tickets. */
function ticketed({ value }: Asked): Test | undefined {
  return value === true ? () => false : undefined
}

/** What decides from which records a list is made, or in which order, leaves none out. */
function inView(): undefined {
  return undefined
}
