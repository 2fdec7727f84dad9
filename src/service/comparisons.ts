import { memoizeByObject } from '../base/memoize.ts'
import { foldCase } from '../base/text/folding.ts'
import { dayLength, momentOf, msWall, nearestWall, readDate, wallMs } from '../base/time/dates.ts'
import { readRelative } from '../base/time/php-dates.ts'
import { toUtc, wallAt } from '../base/time/zone.ts'
import type { ResourceName } from '../contract/field.ts'
import { type Comparison, type DateComparison, type Filter, type Filters, isDateFilter } from '../contract/filter.ts'
import { isFreeText } from '../contract/kinds/text-kinds.ts'
import { type Status, statuses } from '../contract/post-status.ts'
import type { Resource } from '../contract/resource.ts'
import { mayEdit, mayWritePosts } from './access.ts'
import type { Context, RequestContext } from './dialect.ts'
import { indexesOf } from './indexes/indexes.ts'
import {
  always,
  byText,
  type ClockKind,
  type LinkField,
  noEvents,
  type SortedList,
  type Span,
  type Timeline,
  type Window,
} from './indexes/timeline.ts'
import { findTerm } from './lookup.ts'
import type { CategoryRow, EventRow, Rows } from './store/rows.ts'

/** A record of any resource. */
export type ListRow = Rows[Resource['name']]

/** Whether a record passes a filter. */
export type Predicate = (row: ListRow) => boolean

/** A filter of a request with its value. */
interface ActiveFilter {
  readonly context: Context
  readonly resource: Resource
  readonly name: string
  readonly filter: Filter
  readonly value: unknown
}

/** How each filter compares, except date filters (`spansOfDates`); undefined if every record passes. */
const comparisons: Record<Exclude<Comparison, DateComparison>, (filter: ActiveFilter) => Predicate | undefined> = {
  equals,
  anyOf,
  include,
  exclude,
  search,
  status: ignored,
  ofEvent,
  hasEvents,
  hasUpcoming,
  hideEmpty,
  located,
  ticketed,
  setting: ignored,
}

/** The predicates that a record must satisfy to be in a list. */
export const predicatesOf = (context: Context, resource: Resource): Predicate[] =>
  Object.entries(resource.filters).flatMap(([name, filter]) => {
    const value = context.values[name] ?? filter.default
    if (value === undefined || value === null || !isRecordComparison(filter.compare)) return []
    return comparisons[filter.compare]({ context, resource, name, filter, value }) ?? []
  })

const isRecordComparison = (compare: Comparison): compare is keyof typeof comparisons => compare in comparisons

const valueIn = (row: ListRow, name: string): unknown => Reflect.get(row, name)

/** Texts are compared without regard to case, as the database of a site does. */
function equals({ name, filter: { target = name }, value }: ActiveFilter): Predicate {
  const expected = lowerCase(value)
  return row => lowerCase(valueIn(row, target)) === expected
}

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

function anyOf({ context, name, filter, value }: ActiveFilter): Predicate {
  const { target = name } = filter
  const ids = linkedIdsIn(context, filter, value)
  return row => [valueIn(row, target)].flat().some(id => typeof id === 'number' && ids.has(id))
}

/** The IDs that a filter of linked records names, terms also by name or slug; a category includes those below it. */
export function linkedIdsIn(context: Context, { of }: Filter, value: unknown): Set<number> {
  const ids = [value].flat().map(part => {
    if (typeof part === 'number') return part
    return of === 'categories' || of === 'tags' ? findTerm(context, of, String(part))?.id : undefined
  })
  const known = new Set(ids.filter(id => id !== undefined))
  return of === 'categories' ? withDescendants(known, [...context.store.table('categories').values()]) : known
}

function withDescendants(ids: Set<number>, categories: readonly CategoryRow[]): Set<number> {
  const children = categories.filter(({ id, parent }) => parent !== null && ids.has(parent) && !ids.has(id))
  if (children.length === 0) return ids
  return withDescendants(new Set([...ids, ...children.map(({ id }) => id)]), categories)
}

function include({ value }: ActiveFilter): Predicate {
  const ids = new Set([value].flat())
  return row => ids.has(row.id)
}

function exclude({ value }: ActiveFilter): Predicate {
  const ids = new Set([value].flat())
  return row => !ids.has(row.id)
}

/** Where a search looks; in venues and organizers it covers every text. */
const searchedFields: Partial<Record<ResourceName, readonly string[]>> = {
  categories: ['name', 'description'],
  tags: ['name', 'description'],
}

const textsOf = ({ fields }: Resource): string[] =>
  Object.entries(fields)
    .filter(([, { kind, site }]) => isFreeText(kind) && site?.onlyBy !== 'patch' && !site?.apart)
    .map(([name]) => name)

/** Every word must occur, in any case and accents; of an event that a password hides, only the title is searched. */
function search({ context, resource, value }: ActiveFilter): Predicate {
  const { dialect } = context
  const { wanted, unwanted } = dialect.readSearch(foldCase(String(value)), resource.name)
  const names = resource.name === 'events' ? dialect.eventTexts : (searchedFields[resource.name] ?? textsOf(resource))
  const isHidden = (row: ListRow) =>
    'post_password' in row && row.post_password !== '' && dialect.hidesProtected(context, row)
  return row => {
    const searched = isHidden(row) ? [resource.title] : names
    const texts = searched.map(name => String(valueIn(row, name)))
    // Production searches the names of terms as it stores them: escaped.
    const text = foldCase(('status' in row ? texts : texts.map(dialect.term)).join('\n'))
    return wanted.every(word => text.includes(word)) && !unwanted.some(word => text.includes(word))
  }
}

function ofEvent({ context, resource, value }: ActiveFilter): Predicate {
  const event = typeof value === 'number' ? context.store.table('events').get(value) : undefined
  const isVisible = event && (event.status === 'publish' || mayEdit(context, event))
  const field = linkFields[resource.name]
  const ids = new Set(isVisible && field ? [event[field]].flat() : [])
  return row => ids.has(row.id)
}

function hasEvents({ context, resource, value }: ActiveFilter): Predicate {
  const eventsOf = eventsLinkingTo(context, resource)
  return row => eventsOf(row.id).size > 0 === value
}

function hasUpcoming({ context, resource, value }: ActiveFilter): Predicate | undefined {
  if (value !== true) return undefined
  const ids = linkedByUpcoming(context, resource, context.dialect.upcomingLimit(context))
  return row => ids.has(row.id)
}

function hideEmpty({ context, value }: ActiveFilter): Predicate | undefined {
  const { countEvents } = indexesOf(context.store)
  return value === true ? row => 'name' in row && countEvents(row) > 0 : undefined
}

/** How far from a point a venue may be, in degrees of latitude: 25 km. */
const radius = 25 / 111.2

interface Point {
  readonly lat: number
  readonly lng: number
}

/** `geoloc` asks whether an event's venue has coordinates; `geoloc_lat` and `geoloc_lng` together, whether it is near them. */
function located({ context, name, value }: ActiveFilter): Predicate | undefined {
  if (typeof value === 'boolean') return row => (pointOf(context, row) !== undefined) === value
  const { geoloc_lat: lat, geoloc_lng: lng } = context.values
  // The two are one condition, applied with the first.
  if (name !== 'geoloc_lat' || typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return row => isNear(pointOf(context, row), { lat, lng })
}

function pointOf({ store }: Context, row: ListRow): Point | undefined {
  if (!('title' in row) || row.venue === null) return undefined
  const { geo_lat: lat, geo_lng: lng } = store.table('venues').get(row.venue) ?? {}
  return typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : undefined
}

const isNear = (point: Point | undefined, { lat, lng }: Point): boolean =>
  point !== undefined && Math.hypot(point.lat - lat, (point.lng - lng) * Math.cos((lat * Math.PI) / 180)) <= radius

/** A filter of the documentation without a field: no event has tickets. */
function ticketed({ value }: ActiveFilter): Predicate | undefined {
  return value === true ? () => false : undefined
}

/** Statuses select the rows before any comparison; settings change the order or other comparisons. */
function ignored(): undefined {
  return undefined
}

/** The field by which events link to records of a resource. */
export const linkFields: Partial<Record<ResourceName, LinkField>> = {
  venues: 'venue',
  organizers: 'organizer',
  categories: 'categories',
  tags: 'tags',
}

/** The statuses that a list contains without the filter `status`. */
export const defaultStatuses = (context: Pick<Context, 'caller'>) =>
  statuses.filter(status => (mayWritePosts(context) ? status !== 'trash' : status === 'publish'))

/** The events that a caller can list, of these statuses. */
export const visibleEvents = (context: Context, ofStatuses: readonly Status[] = defaultStatuses(context)): Timeline =>
  indexesOf(context.store).timeline({
    language: context.language,
    statuses: ofStatuses,
    hidden: context.dialect.showsHidden(context),
    clock: context.dialect.clock(context.store.site),
  })

/** The visible events that link to a record, by its ID. */
function eventsLinkingTo(context: Context, { name }: Resource): (id: number) => SortedList<EventRow> {
  const field = linkFields[name]
  if (!field) return () => noEvents
  const timeline = visibleEvents(context)
  return id => timeline.linked(field, id)
}

/** The IDs to which upcoming events link; with a limit, only that many of the next events count. */
function linkedByUpcoming(context: Context, { name }: Resource, limit?: number): ReadonlySet<unknown> {
  const field = linkFields[name]
  const ids = new Set<unknown>()
  if (!field) return ids
  const { rows } = visibleEvents(context)
  const now = msWall(context.now.getTime())
  // Rows are ordered by local time, which is less than a day from UTC.
  const dayAgo = msWall(context.now.getTime() - dayLength)
  let count = 0
  for (const row of rows.slice(rows.indexOf(({ start_date }) => start_date > dayAgo))) {
    if (row.utc_start_date <= now) continue
    if (limit !== undefined && ++count > limit) break
    for (const id of [row[field]].flat()) ids.add(id)
  }
  return ids
}

type Order = (a: Rows[Resource['name']], b: Rows[Resource['name']]) => number

/** The order of a list of venues, organizers or terms; events have only the order of their timeline. */
export const orderOf = (context: Context, resource: Resource): Order =>
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

/** Folded names of rows: a list of terms compares each many times, and rows never change. */
const foldedName = memoizeByObject(({ name }: Named) => foldCase(name))

/** Alphabetical by name without regard to case and accents, then by ID. */
export const byName = (a: Named, b: Named): number => byText(foldedName(a), foldedName(b)) || a.id - b.id

/** How a date filter limits the span in which an event must start, or end; `isWithin` in `timeline.ts` compares events with it. */
const spansOfDates: Record<DateComparison, (moment: Moment) => Partial<Span>> = {
  from: ({ exact, dayStart }) => ({ from: exact ?? dayStart }),
  until: ({ exact, dayEnd }) => ({ until: exact ?? dayEnd }),
  after: ({ exact, dayEnd }) => ({ from: plusSeconds(exact ?? dayEnd, 1) }),
  before: ({ exact, dayEnd }) => ({ until: plusSeconds(exact ?? dayEnd, -1) }),
}

/** The date to compare with, by the clock of the window. */
interface Moment {
  /** Only with `strict_dates`; without it, dates mean whole days. */
  readonly exact?: string
  readonly dayStart: string
  readonly dayEnd: string
}

const plusSeconds = (wall: string, seconds: number): string => nearestWall(wallMs(wall) + seconds * 1000)

/** The window that the date filters of a list of events give, including the default ones. */
export function windowOf(context: Context, filters: Filters): Window {
  const clock = context.dialect.clock(context.store.site)
  const dates = context.dialect.dates(context)
  const isExact = dates.strict_dates === true
  const spans = { start_date: always, end_date: always }
  for (const [name, text] of Object.entries(dates)) {
    const filter = filters[name]
    if (typeof text !== 'string' || !filter || !isDateFilter(filter)) continue
    const { compare, target } = filter
    spans[target] = intersection(spans[target], spansOfDates[compare](readMoment(context, text, clock, isExact)))
  }
  return { clock, start: spans.start_date, end: spans.end_date }
}

const intersection = (span: Span, { from = always.from, until = always.until }: Partial<Span>): Span => ({
  from: from > span.from ? from : span.from,
  until: until < span.until ? until : span.until,
})

function readMoment(context: Context, text: string, clock: ClockKind, isExact: boolean): Moment {
  const { timezone } = context.store.site
  const wall = siteWall(context, text)
  const onClock = (time: string) => (clock === 'wall' ? time : toUtc(time, timezone))
  const day = {
    dayStart: onClock(`${wall.slice(0, 10)} 00:00:00`),
    dayEnd: onClock(`${wall.slice(0, 10)} 23:59:59`),
  }
  return isExact ? { ...day, exact: onClock(wall) } : day
}

/** A checked date as the site's clocks show it; a date without an offset is in the site's time zone. */
export function siteWall({ now, store }: Pick<RequestContext, 'now' | 'store'>, text: string): string {
  const { timezone } = store.site
  const date = readDate(text)
  if (date?.offset !== undefined) return wallAt(momentOf(date), timezone)
  const wall = date?.wall ?? readRelative(text, wallAt(now.getTime(), timezone))
  if (wall === undefined) throw new Error(`a date passed its check but cannot be read: ${text}`)
  return wall
}
